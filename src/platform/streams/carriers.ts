import type { Database } from '../db/database.ts';
import type { Carrier } from './wakeups.ts';

const CHANNEL = 'groundwork';

/** Notifications over the database's own LISTEN/NOTIFY. */
export function databaseCarrier(database: Database): Carrier {
  let stop: (() => Promise<void>) | undefined;
  return {
    start: async (heard, connection) => {
      stop = await database.listen(CHANNEL, heard, connection);
    },
    send: async (topic) => void (await database.query('select pg_notify($1, $2)', [CHANNEL, topic])),
    close: async () => stop?.(),
  };
}

/**
 * Notifications over Redis pub/sub, for installations where NOTIFY is the bottleneck.
 * Statements go on notifying through the database; what it says is passed on as well.
 */
export async function redisCarrier(url: string, database: Database): Promise<Carrier> {
  const { Redis } = await import('ioredis');
  const publisher = new Redis(url, { maxRetriesPerRequest: 2 });
  const subscriber = new Redis(url, { maxRetriesPerRequest: null });
  for (const client of [publisher, subscriber]) client.on('error', () => {});
  const local = databaseCarrier(database);
  return {
    start: async (heard, connection) => {
      await local.start(heard, () => {});
      subscriber.on('message', (_channel, topic) => heard(topic));
      subscriber.on('close', () => connection(false));
      await subscriber.subscribe(CHANNEL);
      subscriber.on('ready', () => connection(true));
      connection(true);
    },
    send: async (topic) => void (await publisher.publish(CHANNEL, topic)),
    close: async () => {
      await local.close();
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
