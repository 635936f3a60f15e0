import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, Socket, type LookupFunction } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { buildConnector } from 'undici';
import type { AddressRules } from './address-rules.ts';

/** All addresses of a host name. */
export type Lookup = (host: string) => Promise<readonly { address: string; family: number }[]>;

const CONNECT_MS = 5000;

const standardLookup: Lookup = (host) => systemLookup(host, { all: true });

/**
 * Opens sockets to permitted addresses only. The one lookup that is checked is the one the socket connects to, so a name
 * that answers differently the next time gains nothing.
 * @param closing aborted when the sockets are no longer wanted, those that are still being connected included
 */
export function guardedConnect(rules: AddressRules, closing: AbortSignal, lookup: Lookup = standardLookup): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
    const { hostname } = options;
    // A socket to a literal address never asks the lookup below.
    if (isIP(hostname)) {
      try {
        rules.checkAddresses(hostname, port, [hostname]);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
    }
    const connect = buildConnector({ timeout: CONNECT_MS, allowH2: false, maxCachedSessions: 0, lookup: checkedLookup(rules, lookup, port) });
    // The connector gives its socket, which its type does not say.
    const socket: unknown = connect(options, callback);
    if (socket instanceof Socket) addAbortSignal(closing, socket);
  };
}

function checkedLookup(rules: AddressRules, lookup: Lookup, port: number): LookupFunction {
  const checked = async (host: string) => {
    const found = await lookup(host);
    rules.checkAddresses(
      host,
      port,
      found.map(({ address }) => address),
    );
    return [...found];
  };
  return async (host, asked, done) => {
    const answer = await checked(host).catch((error: unknown) => error as NodeJS.ErrnoException);
    if (!Array.isArray(answer)) done(answer, []);
    else if (asked.all) done(null, answer);
    else done(null, answer[0]?.address ?? '', answer[0]?.family ?? 4);
  };
}
