import { sql } from 'kysely';
import type { Needs } from '../../context.ts';

type Db = Needs<'db'>['db'];

/**
 * What is known of a message: `sent` under an id, `busy` in another hand, `new`, or `open`: an earlier try since that
 * moment left it unknown whether it went out.
 */
export type Claim = { kind: 'sent'; id: string } | { kind: 'busy' } | { kind: 'new' | 'open'; since: Date };

/** Longer than a try may take. */
const CLAIM_SECONDS = 120;
/** Longer than anybody sends again under the same key. */
const KEPT_DAYS = 30;

/** Takes a message in hand; nobody else sends it until it is released, or its holder has died. */
export async function claimMessage(db: Db, key: string): Promise<Claim> {
  const { rows } = await sql<{ fresh: boolean; since: Date }>`
    insert into text_message_sends as s (key, claimed_until) values (${key}, now() + make_interval(secs => ${CLAIM_SECONDS}))
    on conflict (key) do update set claimed_until = excluded.claimed_until where s.sent_id is null and s.claimed_until <= now()
    returning xmax = 0 as fresh, created_at as since`.execute(db);
  const claimed = rows[0];
  if (claimed) return { kind: claimed.fresh ? 'new' : 'open', since: claimed.since };
  const { rows: known } = await sql<{ sent_id: string | null }>`select sent_id from text_message_sends where key = ${key}`.execute(db);
  const id = known[0]?.sent_id;
  return id ? { kind: 'sent', id } : { kind: 'busy' };
}

export async function markSent(db: Db, key: string, id: string): Promise<void> {
  await sql`update text_message_sends set sent_id = ${id}, claimed_until = now() where key = ${key}`.execute(db);
}

/** Gives a message back that was not sent, or of which that is not known. */
export async function releaseMessage(db: Db, key: string): Promise<void> {
  await sql`update text_message_sends set claimed_until = now() where key = ${key} and sent_id is null`.execute(db);
}

/** Those of these ids that are known as other messages. */
export async function knownIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ sent_id: string }>`select sent_id from text_message_sends where sent_id = any(${ids})`.execute(db);
  return new Set(rows.map(({ sent_id: id }) => id));
}

export async function deleteOldSends(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from text_message_sends where created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
