import { messageOf } from '../../lib/errors.ts';
import { ConfigError } from './config.ts';
import { whyUnreachable, withoutStop } from './why-unreachable.ts';

const PATIENCE_MS = 10_000;
const REDIS_PORT = 6379;

/**
 * Asks once whether Redis answers: clients that connect again and again would let a start wait for ever.
 * @throws ConfigError one sentence without the password
 */
export async function checkRedis(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const place = `${hostname || '127.0.0.1'}:${port || REDIS_PORT}`;
  const { Redis } = await import('ioredis');
  const patience = { connectTimeout: PATIENCE_MS, commandTimeout: PATIENCE_MS };
  const client = new Redis(url, { ...patience, lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  let cause: unknown;
  client.on('error', (error) => (cause = error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    // What `connect` throws says no more than that the connection is closed.
    const reason = cause ?? error;
    throw new ConfigError(`REDIS_URL ${whyUnreachable(reason, place) ?? `is refused by ${place}: ${withoutStop(messageOf(reason))}`}.`);
  } finally {
    client.disconnect();
  }
}
