import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

/** How often one code may be guessed. */
const TRIES = 5;

/** Makes it the only code of the user. */
export async function putPhoneCode(db: Db, code: { userId: string; phone: string; hash: string; now: Date; expiresAt: Date }): Promise<void> {
  await sql`
    insert into phone_codes (user_id, phone, code_hash, sent_at, expires_at)
    values (${code.userId}, ${code.phone}, ${code.hash}, ${code.now}, ${code.expiresAt})
    on conflict (user_id) do update set
      phone = excluded.phone, code_hash = excluded.code_hash, attempts = 0, sent_at = excluded.sent_at, expires_at = excluded.expires_at`.execute(db);
}

/** Counts a try and gives the hash to try against; null when there is no code for the number, or no try left. */
export async function takeTry(db: Db, { userId, phone, now }: { userId: string; phone: string; now: Date }): Promise<string | null> {
  const { rows } = await sql<{ code_hash: string }>`
    update phone_codes set attempts = attempts + 1
     where user_id = ${userId} and phone = ${phone} and expires_at > ${now} and attempts < ${TRIES}
    returning code_hash`.execute(db);
  return rows[0]?.code_hash ?? null;
}

/** Removes a code; false when it is gone already. */
export async function removePhoneCode(db: Db | Tx, userId: string, hash: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from phone_codes where user_id = ${userId} and code_hash = ${hash}`.execute(db);
  return numAffectedRows === 1n;
}

/** Removes whatever code a user has. */
export async function removePhoneCodes(db: Db | Tx, userId: string): Promise<number> {
  const { numAffectedRows } = await sql`delete from phone_codes where user_id = ${userId}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export async function deleteOldPhoneCodes(db: Db, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`delete from phone_codes where expires_at < ${before}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
