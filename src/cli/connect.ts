import { loadConfig } from '#platform/config/config.ts';
import { runningService } from '#platform/db/data-dir-lock.ts';
import type { Env } from '#platform/config/env.ts';
import { openClient, type Client } from './client.ts';
import { CommandError, UsageError, type Run } from './command.ts';
import { deviceIdFor } from './device-id.ts';

export type Connected = {
  client: Client;
  /** Whether the service lives in this process and ends with it. */
  embedded: boolean;
  /** Ends what was started for this command; nothing when the service runs elsewhere. */
  stop(graceMs?: number): Promise<void>;
};

/** Address of the service to talk to: `--url`, `GROUNDWORK_URL`, or the one that runs on the data folder; null when there is none. */
export function findService(given: string | undefined, env: Env): string | null {
  if (given !== undefined) return checkedUrl('--url', given);
  const named = env['GROUNDWORK_URL'];
  return named === undefined ? runningService(loadConfig(env).dataDir) : checkedUrl('GROUNDWORK_URL', named);
}

/** A client of the service that is found, or else of one that is started in this process; `starting` is told what that one does. */
export async function connect(given: string | undefined, { env, signal }: Run, starting: (headline: string) => void = () => {}): Promise<Connected> {
  const config = loadConfig(env);
  const found = findService(given, env);
  if (found) return { client: openClient(found, deviceIdFor(config.dataDir, found)), embedded: false, stop: async () => {} };
  starting('Starting the service …');
  const { startEmbedded } = await import('./embedded-service.ts');
  const service = await startEmbedded(config, (holder) => starting(`Waiting for the data folder, which ${holder} has …`));
  if (signal.aborted) {
    await service.stop(0);
    throw signal.reason;
  }
  return { client: openClient(service.url, deviceIdFor(config.dataDir, service.url)), embedded: true, stop: service.stop };
}

function checkedUrl(name: '--url' | 'GROUNDWORK_URL', text: string): string {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    const sentence = `${name} must be an http or https address; it is "${text}".`;
    throw name === '--url' ? new UsageError(sentence) : new CommandError(sentence);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
