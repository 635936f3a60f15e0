import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { StateEvent } from './fold-events.ts';
import { isStatusType, readProviderEvent, type ProviderEvent } from './provider-event.ts';
import { storedState, type FoundState } from './stored-state.ts';

/** Types of the entries that the service makes itself; the provider's own are told apart by `foundBy`. */
const FOUND = 'groundwork:found';

/** Writes an event as it came; false when one of its id is there. */
export async function recordEvent(tx: Tx, { id, type, at }: Pick<ProviderEvent, 'id' | 'type' | 'at'>, raw: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into billing_events (id, type, occurred_at, raw) values (${id}, ${type}, ${new Date(at)}, ${raw})
    on conflict (id) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n) > 0;
}

type EventRow = { id: string; type: string; occurred_at: Date; raw: Buffer };

const reread = ({ raw, occurred_at: at }: EventRow): ProviderEvent => readProviderEvent(raw, at.getTime());

export type RecordedEvent = ProviderEvent & { settledAt: Date | null; userId: string | null };

export async function findEvent(db: Db | Tx, id: string): Promise<RecordedEvent | null> {
  const { rows } = await sql<EventRow & { settled_at: Date | null; user_id: string | null }>`
    select id, type, occurred_at, raw, settled_at, user_id from billing_events where id = ${id}`.execute(db);
  const row = rows[0];
  return row ? { ...reread(row), id, settledAt: row.settled_at, userId: row.user_id } : null;
}

/** Says whose an event is, once; false when that was said before. */
export async function settleEvent(tx: Tx, id: string, { userId, tellsState }: { userId: string | null; tellsState: boolean }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update billing_events set settled_at = now(), user_id = ${userId}, tells_state = ${tellsState}
     where id = ${id} and settled_at is null`.execute(tx);
  return Number(numAffectedRows ?? 0n) > 0;
}

/** Writes what the service found out at a moment; false when it is there already. */
export async function recordFound(tx: Tx, userId: string, { id, at }: { id: string; at: Date }, state: FoundState): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into billing_events (id, type, occurred_at, raw, settled_at, user_id, tells_state)
    values (${id}, ${FOUND}, ${at}, ${Buffer.from(storedState.write(state))}, now(), ${userId}, true)
    on conflict (id) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n) > 0;
}

/** Everything that says how a user's subscriptions are. */
export async function listStateEvents(tx: Tx, userId: string): Promise<StateEvent[]> {
  const { rows } = await sql<EventRow>`
    select id, type, occurred_at, raw from billing_events where user_id = ${userId} and tells_state order by occurred_at, id`.execute(tx);
  return rows.flatMap((row): StateEvent[] => {
    const happened = { id: row.id, at: row.occurred_at.getTime() };
    if (row.type === FOUND) return [{ ...happened, ...storedState.read(row.raw.toString()) }];
    const { type, productId, originalTransactionId, transactionId, expiresAt } = reread(row);
    return isStatusType(type) ? [{ ...happened, kind: 'reported', type, productId, originalTransactionId, transactionId, expiresAt }] : [];
  });
}

/** Makes all that changes a user's subscriptions wait for each other until the transaction ends. */
export async function lockSubscriber(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`billing ${userId}`}, 0))`.execute(tx);
}

/** Events that came a while ago and were never worked. */
export async function listUnsettled(db: Db, before: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from billing_events where settled_at is null and received_at < ${before} order by received_at limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Removes what was kept for audit alone; what says how a subscription is stays. */
export async function deleteOldBillingEvents(db: Db, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from billing_events where not tells_state and settled_at is not null and received_at < now() - make_interval(days => ${days})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Gives a user what the provider tells of another name from now on, and what it told so far. */
export async function transferEvents(tx: Tx, from: string, to: string): Promise<number> {
  await sql`update billing_customers set stands_for = ${to} where stands_for = ${from}`.execute(tx);
  await sql`
    insert into billing_customers (customer_id, stands_for) values (${from}, ${to})
    on conflict (customer_id) do update set stands_for = excluded.stands_for`.execute(tx);
  const { numAffectedRows } = await sql`update billing_events set user_id = ${to} where user_id = ${from}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** The users that names stand for by now, in their order; a name that was never transferred stands for itself. */
export async function currentNames(db: Db | Tx, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ customer_id: string; stands_for: string }>`
    select customer_id, stands_for from billing_customers where customer_id in (${sql.join(names)})`.execute(db);
  const moved = new Map(rows.map((row) => [row.customer_id, row.stands_for]));
  return [...new Set(names.map((name) => moved.get(name) ?? name))];
}
