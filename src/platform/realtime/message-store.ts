import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';

/**
 * A message to the sockets of a user; `here` where this node has some of them. Where `waits`, it waits for whoever connects
 * when nobody is there; `for_ms` is how long it is of use, where that is less than all messages are.
 */
export type Outgoing = {
  owner_id: string;
  topic: string | null;
  body: string;
  droppable: boolean;
  here: boolean;
  waits: boolean;
  for_ms: number | null;
};

/** What a node took for its sockets. */
export type Incoming = Pick<Outgoing, 'owner_id' | 'topic' | 'body' | 'droppable'> & { moved_to: string | null };

/** Seconds after which a message is of no use any more. */
const HOLDS_SECONDS = 60;

/** Topic that tells the nodes which have a user that there is something to take. */
export const messageTopic = (ownerId: string): string => `realtime:${ownerId}`;

/**
 * Writes the messages of those who have sockets on other nodes, one row per node, this one included, and of those who have
 * none anywhere where they wait; wakes the nodes. Under a lock per owner, so that every node takes the messages of
 * an owner in one order.
 * @returns the owners whose messages were written; those of the others are for this node alone
 */
export async function writeMessages(db: Db, nodeId: string, messages: readonly Outgoing[]): Promise<Set<string>> {
  const batch = JSON.stringify(messages.map((message, n) => ({ n, ...message })));
  const { rows } = await sql<{ owner_id: string }>`
    with batch as (
      select * from json_to_recordset(${batch}::json)
        as message (n integer, owner_id text, topic text, body text, droppable boolean, here boolean, waits boolean, for_ms float8)),
    others as (
      select owner_id, node_id from presence
       where owner_id in (select owner_id from batch) and node_id <> ${nodeId} and expires_at > clock_timestamp()),
    held as materialized (
      select owner_id, pg_advisory_xact_lock(hashtextextended('realtime ' || owner_id, 0))
        from (select distinct owner_id from others order by owner_id) owners),
    targets as (
      select batch.*, others.node_id from held join others using (owner_id) join batch using (owner_id)
      union all
      select batch.*, ${nodeId}::text from held join batch using (owner_id) where here
      union all
      select batch.*, null from batch where not here and waits and owner_id not in (select owner_id from others)),
    written as (
      insert into realtime_messages (node_id, owner_id, topic, body, droppable, expires_at)
      select node_id, owner_id, topic, body, droppable, clock_timestamp() + make_interval(secs => for_ms / 1000) from targets order by n
      returning owner_id)
    select owner_id, pg_notify('groundwork', 'realtime:' || owner_id) from (select distinct owner_id from written) told`.execute(db);
  return new Set(rows.map(({ owner_id: ownerId }) => ownerId));
}

/** Takes what is for this node, and what waits for one of some owners, in order; whoever takes a row is the only one. */
export async function takeMessages(db: Db, nodeId: string, owners: readonly string[]): Promise<Incoming[]> {
  const { rows } = await sql<Incoming>`
    with taken as (
      delete from realtime_messages where node_id = ${nodeId} or (node_id is null and owner_id = any(${[...owners]}::text[])) returning *)
    select owner_id, topic, body, droppable, moved_to from taken
     where created_at > clock_timestamp() - make_interval(secs => ${HOLDS_SECONDS})
       and (expires_at is null or expires_at > clock_timestamp()) order by sequence`.execute(db);
  return rows;
}

/** Removes what nobody took; gives how much. */
export async function deleteOldMessages(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from realtime_messages where created_at <= clock_timestamp() - make_interval(secs => ${HOLDS_SECONDS})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Whoever is connected as an owner is connected as another from now on: each node learns it behind the messages before. */
export async function transferSockets(tx: Tx, from: string, to: string): Promise<void> {
  await sql`
    insert into realtime_messages (node_id, owner_id, body, moved_to)
    select node_id, owner_id, '', ${to} from presence where owner_id = ${from}`.execute(tx);
  await sql`update realtime_messages set owner_id = ${to} where owner_id = ${from} and node_id is null`.execute(tx);
  await sql`
    with gone as (delete from presence where owner_id = ${from} returning *)
    insert into presence (node_id, owner_id, sockets, foreground, topics, expires_at)
    select node_id, ${to}, sockets, foreground, topics, expires_at from gone
    on conflict (node_id, owner_id) do update
      set sockets = presence.sockets + excluded.sockets, foreground = presence.foreground + excluded.foreground,
          topics = presence.topics || excluded.topics,
          expires_at = greatest(presence.expires_at, excluded.expires_at)`.execute(tx);
  for (const owner of [from, to])
    await sql`select pg_notify('groundwork', ${messageTopic(owner)}), pg_notify('groundwork', ${`presence:${owner}`})`.execute(tx);
}
