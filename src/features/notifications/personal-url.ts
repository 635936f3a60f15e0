import { timingSafeEqual } from 'node:crypto';
import { invalid, malformed } from '#lib/errors.ts';
import { newToken, sha256 } from '#lib/ids.ts';
import { ownTopicOf } from '#features/toasts';
import type { Needs } from '#platform/context.ts';
import type { Db } from '#platform/db/database.ts';
import { notify, type NotifyNeeds } from './notify.ts';
import { findSlug, saveSlug } from './slug-store.ts';

const SLUG_BYTES = 32;
const TITLE = 'New message';

/** A new address that pushes to the user; the earlier one is void at once. */
export async function rotateUrl({ db, config }: Needs<'db' | 'config'>, userId: string): Promise<{ slug: string; url: string }> {
  const slug = newToken(SLUG_BYTES);
  await saveSlug(db, userId, sha256(slug));
  return { slug, url: `${config.http.baseUrl}/v1/${slug}` };
}

/** Whom a slug stands for; null where it is unknown or void. */
export async function findSlugOwner(db: Db, slug: string): Promise<{ userId: string } | null> {
  const presented = sha256(slug);
  const found = await findSlug(db, presented);
  if (!found || !timingSafeEqual(Buffer.from(found.slug_hash), Buffer.from(presented))) return null;
  return { userId: found.owner_id };
}

/**
 * Tells a user the text that was sent to their address.
 * @throws AppError 400 when it is empty or no UTF-8, 422 when it holds what cannot be stored
 */
export async function sendPersonal(ctx: NotifyNeeds, userId: string, raw: Buffer): Promise<void> {
  const text = textOf(raw);
  await notify(ctx, {
    userId,
    preference: null,
    title: TITLE,
    body: text,
    data: { type: 'message' },
    wakes: 'unwatched',
    toast: { topic: ownTopicOf(userId), toast: { title: TITLE, body: text, style: 'info', priority: 'normal', duration_ms: 3000 } },
  });
}

function textOf(raw: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw).trim();
  } catch {
    throw malformed('The body must be text in UTF-8');
  }
  if (text === '') throw malformed('The body is empty');
  if (text.includes('\0')) throw invalid('A text holds a character that cannot be stored');
  return text;
}
