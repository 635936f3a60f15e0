import { sql } from 'kysely';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { removePhoneCodes } from './phone-code-store.ts';
import { keyPlace, SECRETS, type Secret, type SecretColumn } from './profile-store.ts';

/**
 * The verified number and the stored keys of an anonymous owner fill what is empty at the user they turned out to be, and
 * are gone from the old profile. How far agents may go is not taken over: the user has not said so.
 */
export async function transferCredentials(tx: Tx, from: string, to: string, { secrets }: Needs<'secrets'>): Promise<number> {
  await removePhoneCodes(tx, from);
  const old = await tx.selectFrom('profiles').selectAll().where('user_id', '=', from).forUpdate().executeTakeFirst();
  const held = Object.entries(SECRETS) as [Secret, SecretColumn][];
  if (!old || (old.phone === null && held.every(([, column]) => old[column] === null))) return 0;
  const moved = (secret: Secret): string | null => resealedFor(secrets, secret, old[SECRETS[secret]], { from, to });
  await sql`
    update profiles
       set phone = null, phone_linked_at = null, codehost_pat_sealed = null, llm_a_key_sealed = null, llm_b_key_sealed = null
     where user_id = ${from}`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into profiles as t (user_id, phone, phone_linked_at, codehost_pat_sealed, llm_a_key_sealed, llm_b_key_sealed)
    values (${to}, ${old.phone}, ${old.phone_linked_at}, ${moved('codehost_pat')}, ${moved('llm_a')}, ${moved('llm_b')})
    on conflict (user_id) do update set
      phone = coalesce(t.phone, excluded.phone),
      phone_linked_at = case when t.phone is null then excluded.phone_linked_at else t.phone_linked_at end,
      codehost_pat_sealed = coalesce(t.codehost_pat_sealed, excluded.codehost_pat_sealed),
      llm_a_key_sealed = coalesce(t.llm_a_key_sealed, excluded.llm_a_key_sealed),
      llm_b_key_sealed = coalesce(t.llm_b_key_sealed, excluded.llm_b_key_sealed)`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** A value as it opens in the other profile; null when nothing opens it, so that it is of no use to anybody. */
function resealedFor(
  secrets: Needs<'secrets'>['secrets'],
  secret: Secret,
  sealed: string | null,
  { from, to }: { from: string; to: string },
): string | null {
  if (sealed === null) return null;
  try {
    return secrets.seal(secrets.open(sealed, keyPlace(from, secret)), keyPlace(to, secret));
  } catch {
    return null;
  }
}
