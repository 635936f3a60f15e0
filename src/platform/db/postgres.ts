import pg from 'pg';
import { messageOf } from '#lib/errors.ts';
import { ConfigError } from '../config/config.ts';
import { whyUnreachable, withoutStop } from '../config/why-unreachable.ts';
import { kyselyOver, queryOver, type Database } from './database.ts';
import { namedStatements } from './named-statements.ts';
import { storableParameters } from './storable-parameters.ts';

export type PostgresOptions = {
  url: string;
  poolSize: number;
  schema?: string;
  /** Off where a proxy hands each transaction another connection. On without it. */
  preparedStatements?: boolean;
};

/**
 * A PostgreSQL server: one pool for statements, one connection of its own for notifications.
 * @throws ConfigError one sentence without the password, when the server cannot be used
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const session: pg.PoolConfig = {
    connectionString: options.url,
    application_name: 'groundwork',
    ...(options.schema ? { options: `-c search_path=${options.schema}` } : {}),
  };
  const place = placeOf(session);
  const Client = storableParameters((options.preparedStatements ?? true) ? namedStatements() : pg.Client);
  const pool = new pg.Pool({ ...session, Client, max: options.poolSize, connectionTimeoutMillis: 10_000 });
  // A connection that dies while idle is replaced at its next use.
  pool.on('error', () => {});
  const query = queryOver(pool);
  try {
    await query('select 1');
  } catch (error) {
    await pool.end();
    throw new ConfigError(`DATABASE_URL ${whyUnreachable(error, place) ?? `is refused by ${place}: ${withoutStop(messageOf(error))}`}.`);
  }
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

/** Host and port, as the driver reads them. @throws ConfigError when the address cannot be read */
function placeOf(session: pg.ClientConfig): string {
  try {
    const { host, port } = new pg.Client(session);
    return `${host}:${port}`;
  } catch {
    throw new ConfigError(
      'DATABASE_URL cannot be read: it has the form postgres://user:password@host:5432/name, with special characters of the password as %XX.',
    );
  }
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
