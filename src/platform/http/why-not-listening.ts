import { ConfigError } from '../config/config.ts';

/** One sentence on why a server does not listen, naming the setting; any other failure as it is. */
export function whyNotListening(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  const sentence: Readonly<Record<string, string>> = {
    EADDRINUSE: `PORT ${port} is in use at ${host}: end what listens there, or let PORT name another one.`,
    EACCES: `PORT ${port} is not for this user: let PORT name one above 1023.`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine: 127.0.0.1 serves this machine alone, 0.0.0.0 all of its networks.`,
    ENOTFOUND: `HOST ${host} is not known as a host.`,
    EAI_AGAIN: `HOST ${host} is not known as a host.`,
  };
  const known = typeof code === 'string' ? sentence[code] : undefined;
  return known === undefined ? error : new ConfigError(known, { cause: error });
}
