import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Logger } from '../observability/log.ts';
import type { Wakeups } from '../streams/wakeups.ts';
import type { Hub } from './hub.ts';

/** Who is connected, over all nodes. */
export type Presence = {
  /** The sockets of a user, and how many of them somebody looks at. */
  of(userId: string): Promise<{ sockets: number; foreground: number }>;
  /** The topics that sockets of a user follow, and how many sockets each. */
  topicsOf(userId: string): Promise<Map<string, number>>;
  /** Calls back when the presence of a user may have changed, on whichever node. */
  onChange(userId: string, callback: () => void): () => void;
  /** Resolves when what changed so far is written. */
  settled(): Promise<void>;
  /** Takes this node's rows back. */
  close(): Promise<void>;
};

export type PresenceNeeds = { db: Db; wakeups: Pick<Wakeups, 'on' | 'notify'>; hub: Hub; log: Logger; nodeId: string; timing?: Timing };

/** How long a row holds without being renewed, and how often it is. */
type Timing = { holdsMs: number; renewsMs: number };

const TIMING: Timing = { holdsMs: 60_000, renewsMs: 20_000 };

const topicOf = (userId: string): string => `presence:${userId}`;

/** Keeps one row per user of this node's hub and renews it; rows of nodes that are gone expire and are removed by the others. */
export function openPresence({ db, wakeups, hub, log, nodeId, timing = TIMING }: PresenceNeeds): Presence {
  const changed = new Set<string>();
  let writing: Promise<void> | undefined;

  const writeChanges = async (): Promise<void> => {
    // Everything of one turn goes together.
    await new Promise(setImmediate);
    while (changed.size > 0) {
      const users = [...changed];
      changed.clear();
      await writeCounts(db, { nodeId, holdsMs: timing.holdsMs }, users, hub);
      for (const userId of users) await wakeups.notify(topicOf(userId));
    }
  };
  const write = (): void => {
    writing ??= writeChanges()
      .catch((error: unknown) => log.warn({ err: error }, 'presence was not written; the next renewal does it'))
      .finally(() => {
        writing = undefined;
        if (changed.size > 0) write();
      });
  };
  hub.onChange((userId) => {
    changed.add(userId);
    write();
  });
  const renewing = setInterval(() => {
    for (const userId of hub.users()) changed.add(userId);
    // A node that nobody is connected to asks the database nothing.
    if (changed.size === 0) return;
    write();
    deleteExpiredPresence(db).catch((error: unknown) => log.warn({ err: error }, 'expired presence was not removed'));
  }, timing.renewsMs).unref();

  const settled = async (): Promise<void> => {
    if (!writing) return;
    await writing;
    await settled();
  };
  return {
    of: (userId) => readPresence(db, userId),
    topicsOf: (userId) => readTopics(db, userId),
    onChange: (userId, callback) => wakeups.on(topicOf(userId), callback),
    settled,
    close: async () => {
      clearInterval(renewing);
      await settled();
      await sql`delete from presence where node_id = ${nodeId}`.execute(db);
    },
  };
}

type Node = { nodeId: string; holdsMs: number };

/** The rows of some users as the hub counts them now; who has no socket has no row. */
async function writeCounts(db: Db, { nodeId, holdsMs }: Node, users: readonly string[], hub: Hub): Promise<void> {
  const rows = users.map((userId) => ({ owner_id: userId, ...hub.counts(userId), topics: hub.topicsOf(userId) }));
  await sql`
    with now_there as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as row (owner_id text, sockets integer, foreground integer, topics text[])),
    gone as (
      delete from presence where node_id = ${nodeId} and owner_id in (select owner_id from now_there where sockets = 0))
    insert into presence (node_id, owner_id, sockets, foreground, topics, expires_at)
    select ${nodeId}, owner_id, sockets, foreground, topics, clock_timestamp() + make_interval(secs => ${holdsMs / 1000})
      from now_there where sockets > 0
    on conflict (node_id, owner_id) do update
      set sockets = excluded.sockets, foreground = excluded.foreground, topics = excluded.topics, expires_at = excluded.expires_at`.execute(db);
}

async function readPresence(db: Db, userId: string): Promise<{ sockets: number; foreground: number }> {
  const { rows } = await sql<{ sockets: number; foreground: number }>`
    select coalesce(sum(sockets), 0)::int as sockets, coalesce(sum(foreground), 0)::int as foreground
      from presence where owner_id = ${userId} and expires_at > clock_timestamp()`.execute(db);
  return rows[0] ?? { sockets: 0, foreground: 0 };
}

async function readTopics(db: Db, userId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ topic: string; sockets: number }>`
    select topic, count(*)::int as sockets from presence cross join unnest(topics) topic
     where owner_id = ${userId} and expires_at > clock_timestamp() group by topic`.execute(db);
  return new Map(rows.map(({ topic, sockets }) => [topic, sockets]));
}

/** Removes the rows of nodes that are gone; gives how many. */
export async function deleteExpiredPresence(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from presence where expires_at <= clock_timestamp()`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
