import { truncate } from '#lib/text.ts';
import type { PushMessage } from './port.ts';

const SHORT_TITLE = 100;

/**
 * A message as JSON of at most so many bytes: its body is cut as far as needed, and where that is not enough, title, deeplink
 * and all data but its `type` go as well.
 */
export function fitPayload(message: PushMessage, build: (message: PushMessage) => object, maxBytes: number): string {
  const withBody = (of: PushMessage, length: number): string => JSON.stringify(build({ ...of, body: truncate(of.body, length) }));
  const fits = (of: PushMessage, length: number): boolean => Buffer.byteLength(withBody(of, length)) <= maxBytes;
  const { type } = message.data;
  const least = { ...message, title: truncate(message.title, SHORT_TITLE), deeplink: null, data: type === undefined ? {} : { type } };
  const chosen = fits(message, 0) ? message : least;
  let [low, high] = [0, chosen.body.length];
  if (fits(chosen, high)) return withBody(chosen, high);
  while (low < high - 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(chosen, middle)) low = middle;
    else high = middle;
  }
  return withBody(chosen, low);
}
