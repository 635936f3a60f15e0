/** Without control characters and without the invisible signs that turn the direction of what follows. */
export const visibleText = (text: string): string => text.toWellFormed().replaceAll(UNSEEN, '');

const UNSEEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** An http or https address as it may stand in a link, without credentials in it; null for anything else. */
export function webAddress(text: string | null | undefined): string | null {
  const url = text ? URL.parse(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  url.username = '';
  url.password = '';
  return url.href;
}
