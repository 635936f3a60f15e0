import { randomInt } from 'node:crypto';
import { malformed, rateLimited, upstream } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import { TextMessageFailed } from '#platform/ports/text-messages/port.ts';
import type { Principal } from '#platform/principal.ts';
import { putPhoneCode, removePhoneCode, removePhoneCodes, takeTry } from './phone-code-store.ts';
import { ensureProfile, linkPhone, removePhone } from './profile-store.ts';

const CODE_MS = 10 * 60 * 1000;
const HOUR = 3600;
const RESEND_SECONDS = 30;
const CODES_PER_HOUR = 5;
const TRIES_PER_HOUR = 20;

const printed = (userId: string, phone: string, code: string) => ['phone code', userId, phone, code] as const;

/**
 * Sends a code of six digits to a number. It stands in the place of whatever code the caller had.
 * @throws AppError 429 when codes are asked for too fast, by a caller, for a number or by all together; 502 when it was not delivered
 */
export async function startPhone(
  ctx: Needs<'db' | 'secrets' | 'texts' | 'limiter' | 'config' | 'clock' | 'log'>,
  { userId }: Principal,
  phone: string,
): Promise<void> {
  const { db, secrets, texts, config, clock, log } = ctx;
  await count(ctx, `phone code again ${userId}`, 1, RESEND_SECONDS);
  await count(ctx, `phone codes of ${userId}`, CODES_PER_HOUR, HOUR);
  await count(ctx, `phone codes to ${secrets.fingerprint('phone', phone)}`, CODES_PER_HOUR, HOUR);
  await count(ctx, 'phone codes', config.phoneCodesPerHour, HOUR);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const hash = secrets.fingerprint(...printed(userId, phone, code));
  const now = clock.now();
  await putPhoneCode(db, { userId, phone, hash, now, expiresAt: new Date(now.getTime() + CODE_MS) });
  try {
    await texts.send({
      to: phone,
      body: `${code} is your Groundwork code. It holds for 10 minutes; give it to nobody.`,
      key: `phone code ${newId()}`,
    });
  } catch (error) {
    if (!(error instanceof TextMessageFailed)) throw error;
    log.warn({ reason: error.reason, why: error.message }, 'a phone code was not delivered');
    // One that may have arrived stays good.
    if (error.reason !== 'unclear') await removePhoneCode(db, userId, hash);
    throw upstream(error.reason === 'number' ? 'This number takes no text messages' : 'The code could not be sent. Try again later.', error);
  }
}

async function count({ limiter }: Needs<'limiter'>, key: string, max: number, seconds: number): Promise<void> {
  const { allowed, retryAfter } = await limiter.hit(key, max, seconds);
  if (!allowed) throw rateLimited(retryAfter);
}

/**
 * Links the number to the caller, and to nobody else from now on, when the code is the one that was sent to it.
 * @throws AppError 400 for a wrong, used or expired code, 429 after too many tries
 */
export async function verifyPhone(
  ctx: Needs<'db' | 'secrets' | 'limiter' | 'clock'>,
  principal: Principal,
  { phone, code }: { phone: string; code: string },
): Promise<void> {
  const { db, secrets, clock } = ctx;
  const { userId } = principal;
  await count(ctx, `phone tries of ${userId}`, TRIES_PER_HOUR, HOUR);
  const hash = await takeTry(db, { userId, phone, now: clock.now() });
  if (hash === null || !secrets.isFingerprint(hash, ...printed(userId, phone, code))) throw malformed('Wrong or expired code');
  await ensureProfile(db, principal);
  await db.transaction().execute(async (tx) => {
    // Used once, however often it is sent.
    if (!(await removePhoneCode(tx, userId, hash))) throw malformed('Wrong or expired code');
    await linkPhone(tx, userId, phone, clock.now());
  });
}

/** Takes the number from the caller, and whatever code is under way. */
export async function unlinkPhone({ db, clock }: Needs<'db' | 'clock'>, { userId }: Principal): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await removePhoneCodes(tx, userId);
    await removePhone(tx, userId, clock.now());
  });
}
