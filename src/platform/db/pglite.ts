import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { ensureCluster } from './cluster.ts';
import { kyselyOver, queryOver, type Database } from './database.ts';
import { namedStatements } from './named-statements.ts';
import { PgliteSocket } from './pglite-socket.ts';
import { SharedConnection } from './shared-connection.ts';

const PLANS_LAST_MS = 60_000;
const TIDY_EVERY_MS = 30 * 60_000;

/**
 * PostgreSQL in this process: in `dir`, or in memory without one.
 * @NOTE Everything goes through the one pool, notifications too: a second door could write into another caller's open transaction.
 */
export async function openPglite(options: { dir?: string; snapshot?: Blob } = {}): Promise<Database & { dump(): Promise<Blob> }> {
  if (options.dir && !options.snapshot) await ensureCluster(options.dir);
  // By default PGlite starts with -F (no fsync), and a power cut could lose acknowledged writes.
  // Its buffers are resident from the start, 160 MB of them as it comes; what they do not hold is in the system's file cache.
  const durable = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'fsync=on', '-c', 'shared_buffers=64MB'];
  const lite = new PGlite({
    ...(options.dir ? { dataDir: options.dir, startParams: durable } : {}),
    ...(options.snapshot ? { loadDataDir: options.snapshot } : {}),
  });
  await lite.waitReady;
  const Client = namedStatements({ isShared: true });
  const client = new Client({ user: 'postgres', database: 'postgres', stream: () => new PgliteSocket(lite), pipeline: true });
  client.on('error', () => {});
  const listeners = new Map<string, Set<(payload: string) => void>>();
  client.on('notification', ({ channel, payload }) => listeners.get(channel)?.forEach((heard) => heard(payload ?? '')));
  await client.connect();
  const pool = new SharedConnection(client);
  const query = queryOver(pool);
  // No autovacuum tells this one connection that a table has grown: a plan made while it was small would be kept for ever.
  const replan = setInterval(() => void query('discard plans').catch(() => {}), PLANS_LAST_MS);
  // For the same reason nothing else gives back the room of rows that are gone.
  const tidy = setInterval(() => void query('vacuum (analyze)').catch(() => {}), TIDY_EVERY_MS);
  for (const timer of [replan, tidy]) timer.unref();
  let closed = false;
  return {
    kind: 'pglite',
    kysely: kyselyOver(pool),
    query,
    listen: async (channel, heard, connection) => {
      const hearing = listeners.get(channel) ?? new Set();
      listeners.set(channel, hearing.add(heard));
      await query(`listen ${pg.escapeIdentifier(channel)}`);
      connection?.(true);
      return async () => {
        hearing.delete(heard);
        if (hearing.size === 0 && !closed) await query(`unlisten ${pg.escapeIdentifier(channel)}`);
      };
    },
    ping: async () => void (await query('select 1')),
    dump: () => lite.dumpDataDir('none'),
    close: async () => {
      if (closed) return;
      closed = true;
      clearInterval(replan);
      clearInterval(tidy);
      await pool.end();
      await lite.close();
    },
  };
}
