import { addUse, capsOf, findProfile, periodOf, takeBackUse, TIER_CAPS, type Counter, type Period } from '#features/profile';
import { paymentRequired, type AppError } from '#lib/errors.ts';
import type { MeteredWork } from '#platform/config/metering.ts';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { insertCharge, markGivenBack } from './charge-store.ts';

/** @property ref the id of the piece of work; charged again under it, it costs nothing more */
export type Charged = { userId: string; work: MeteredWork; ref: string };

/**
 * Charges a user for work, in the transaction that starts it: where that fails nothing was charged. Nothing happens while
 * metering is off.
 * @throws AppError 402 naming the cap and when it is reset, when the work would not stay within it
 */
export async function charge({ config, clock }: Needs<'config' | 'clock'>, tx: Tx, { userId, work, ref }: Charged): Promise<void> {
  const price = config.metering?.[work];
  if (!price || price.amount === 0) return;
  const period = periodOf(clock.now());
  const { counter, amount } = price;
  if (!(await insertCharge(tx, { ref, userId, work, counter, amount, period: period.key }))) return;
  if (!(await addUse(tx, userId, period, counter, amount))) throw await usedUp(tx, userId, counter, period);
}

/** Gives back what work cost that failed, once. What an earlier month was charged with stays with that month. */
export async function giveBack({ db }: Needs<'db'>, ref: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const charged = await markGivenBack(tx, ref);
    if (charged) await takeBackUse(tx, charged.userId, { key: charged.period }, charged.counter, charged.amount);
  });
}

const CAP_NAMES = { credits: 'credits', questions: 'questions', tts_seconds: 'tts_minutes' } as const;

async function usedUp(tx: Tx, userId: string, counter: Counter, { key, resetsAt }: Period): Promise<AppError> {
  const profile = await findProfile(tx, userId);
  const cap = CAP_NAMES[counter];
  const caps = profile ? capsOf(profile) : TIER_CAPS.free;
  const message = `The ${caps[cap]} ${cap.replace('_', ' ')} of ${key} do not suffice for this; they are reset at ${resetsAt.toISOString()}.`;
  return paymentRequired(`${cap.toUpperCase()}_USED_UP`, message);
}
