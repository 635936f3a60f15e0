import { malformed, upstream } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import { shorten } from '#lib/text.ts';
import { visibleText } from '#lib/visible-text.ts';
import { findPhone } from '#features/profile';
import type { Needs } from '#platform/context.ts';
import { TextMessageFailed } from '#platform/ports/text-messages/port.ts';
import type { Principal } from '#platform/principal.ts';
import { clipUrlOf, getClip } from './find-clip.ts';

const TITLE_LENGTH = 80;

/**
 * Texts the caller a link to a page, to their own number and no other; gives the number.
 * @throws AppError 404 when there is no page, 400 when no number is linked, 502 when the content store fails or the message
 * was not delivered
 */
export async function sendClip(ctx: Needs<'db' | 'content' | 'texts' | 'config' | 'log'>, { userId }: Principal, slug: string): Promise<string> {
  const page = await getClip(ctx, slug);
  const phone = await findPhone(ctx.db, userId);
  if (phone === null) throw malformed('No phone number is linked to this account');
  const body = `${shorten(visibleText(page.title), TITLE_LENGTH)}: ${clipUrlOf(ctx, slug)}`;
  try {
    await ctx.texts.send({ to: phone, body, key: `clip ${newId()}` });
  } catch (error) {
    if (!(error instanceof TextMessageFailed)) throw error;
    ctx.log.warn({ reason: error.reason, why: error.message }, 'a link to a clip was not delivered');
    throw upstream(error.reason === 'number' ? 'This number takes no text messages' : 'The message could not be delivered. Try again later.', error);
  }
  return phone;
}
