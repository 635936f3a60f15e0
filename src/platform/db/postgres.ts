import pg from 'pg';
import { kyselyOver, queryOver, type Database } from './database.ts';
import { namedStatements } from './named-statements.ts';

export type PostgresOptions = {
  url: string;
  poolSize: number;
  schema?: string;
  /** Off where a proxy hands each transaction another connection. On without it. */
  preparedStatements?: boolean;
};

/** A PostgreSQL server: one pool for statements, one connection of its own for notifications. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const session: pg.PoolConfig = {
    connectionString: options.url,
    application_name: 'groundwork',
    ...(options.schema ? { options: `-c search_path=${options.schema}` } : {}),
  };
  const Client = (options.preparedStatements ?? true) ? namedStatements() : pg.Client;
  const pool = new pg.Pool({ ...session, Client, max: options.poolSize, connectionTimeoutMillis: 10_000 });
  // A connection that dies while idle is replaced at its next use.
  pool.on('error', () => {});
  const query = queryOver(pool);
  await query('select 1');
  const listeners = new Set<() => Promise<void>>();
  return {
    kind: 'postgres',
    kysely: kyselyOver(pool),
    query,
    listen: async (channel, heard, connection) => {
      const stop = await keepListening(session, channel, heard, connection);
      listeners.add(stop);
      return async () => {
        listeners.delete(stop);
        await stop();
      };
    },
    ping: async () => void (await query('select 1')),
    close: async () => {
      await Promise.all([...listeners].map((stop) => stop()));
      listeners.clear();
      if (!pool.ended) await pool.end();
    },
  };
}

async function keepListening(
  session: pg.ClientConfig,
  channel: string,
  heard: (payload: string) => void,
  connection?: (live: boolean) => void,
): Promise<() => Promise<void>> {
  let stopped = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({ ...session, keepAlive: true, keepAliveInitialDelayMillis: 5000 });
    const lost = () => {
      if (client !== fresh) return;
      client = undefined;
      connection?.(false);
      fresh.end().catch(() => {});
      again();
    };
    fresh.on('error', lost);
    fresh.on('end', lost);
    fresh.on('notification', (message) => heard(message.payload ?? ''));
    await fresh.connect();
    await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
    client = fresh;
    connection?.(true);
  };
  const again = () => {
    if (stopped) return;
    retry = setTimeout(() => connect().catch(again), 500);
  };
  await connect();
  return async () => {
    stopped = true;
    clearTimeout(retry);
    const last = client;
    client = undefined;
    await last?.end();
  };
}
