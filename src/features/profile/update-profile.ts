import { malformed } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { ensureProfile, patchProfile, secretColumns, type ProfilePatch, type ProfileRow } from './profile-store.ts';
import type { UpdateAgentConfig, UpdateProfile } from './schema.ts';

/**
 * Changes what is given of the caller's profile; null removes a secret.
 * @throws AppError 400 without a field
 */
export async function updateProfile(
  { db, secrets, clock }: Needs<'db' | 'secrets' | 'clock'>,
  principal: Principal,
  change: UpdateProfile,
): Promise<ProfileRow> {
  const { name, ...given } = change;
  if (Object.keys(change).length === 0) throw malformed('name, codehost_pat, llm_a_key or llm_b_key: at least one is required');
  const sealed = secretColumns(secrets, principal.userId, { codehost_pat: given.codehost_pat, llm_a: given.llm_a_key, llm_b: given.llm_b_key });
  return patch({ db, clock }, principal, { ...(name === undefined ? {} : { name }), ...sealed });
}

/** Changes what is given of how far the caller's agents may go by themselves. */
export const updateAgentConfig = (ctx: Needs<'db' | 'clock'>, principal: Principal, change: UpdateAgentConfig): Promise<ProfileRow> =>
  patch(ctx, principal, {
    ...(change.autonomy_level ? { autonomy_level: change.autonomy_level } : {}),
    ...(change.auto_actions ? { auto_actions: change.auto_actions } : {}),
  });

async function patch({ db, clock }: Needs<'db' | 'clock'>, principal: Principal, change: ProfilePatch): Promise<ProfileRow> {
  const present = await ensureProfile(db, principal);
  return Object.keys(change).length === 0 ? present : patchProfile(db, principal.userId, { ...change, updated_at: clock.now() });
}
