import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { ensureCluster } from './cluster.ts';
import { kyselyOver, queryOver, type Database } from './database.ts';
import { namedStatements } from './named-statements.ts';
import { PgliteSocket } from './pglite-socket.ts';
import { storableParameters } from './storable-parameters.ts';
import { SharedConnection } from './shared-connection.ts';
import { upkeep } from './upkeep.ts';

const PLANS_LAST_MS = 60_000;
const UPKEEP_EVERY_MS = 10_000;

/**
 * PostgreSQL in this process: in `dir`, or in memory without one.
 * @NOTE Everything goes through the one pool, notifications too: a second door could write into another caller's open transaction.
 */
export async function openPglite(options: { dir?: string; snapshot?: Blob } = {}): Promise<Database & { dump(): Promise<Blob> }> {
  if (options.dir && !options.snapshot) await ensureCluster(options.dir);
  // By default PGlite starts with -F (no fsync), and a power cut could lose acknowledged writes.
  // Its buffers are resident from the start, 160 MB of them as it comes; what they do not hold is in the system's file cache.
  const durable = [
    ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
    '-c',
    'fsync=on',
    '-c',
    'shared_buffers=64MB',
    '-c',
    'min_wal_size=32MB',
    '-c',
    'max_wal_size=64MB',
  ];
  const lite = new PGlite({
    ...(options.dir ? { dataDir: options.dir, startParams: durable } : {}),
    ...(options.snapshot ? { loadDataDir: options.snapshot } : {}),
  });
  await lite.waitReady;
  const Client = storableParameters(namedStatements({ isShared: true }));
  const socket = new PgliteSocket(lite);
  const client = new Client({ user: 'postgres', database: 'postgres', stream: () => socket, pipeline: true });
  client.on('error', () => {});
  const listeners = new Map<string, Set<(payload: string) => void>>();
  client.on('notification', ({ channel, payload }) => listeners.get(channel)?.forEach((heard) => heard(payload ?? '')));
  await client.connect();
  const pool = new SharedConnection(client);
  const query = queryOver(pool);
  // No autovacuum tells this one connection that a table has grown: a plan made while it was small would be kept for ever.
  const replan = setInterval(() => void query('discard plans').catch(() => {}), PLANS_LAST_MS);
  const lookAfterIt = upkeep(query, () => socket.askedBytes);
  const looking = setInterval(() => void lookAfterIt().catch(() => {}), UPKEEP_EVERY_MS);
  for (const timer of [replan, looking]) timer.unref();
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
      clearInterval(looking);
      await pool.end();
      await lite.close();
    },
  };
}
