/** No language writes so many marks on one letter, and to put them in order takes the square of their number. */
const PILE = /(\p{M}{8})\p{M}+/gu;

/** At most eight marks on a letter. */
export const withoutPiles = (text: string): string => text.replace(PILE, '$1');

/** Trimmed, white space collapsed, case folded: the form in which two texts count as the same. */
export const normaliseText = (text: string): string => withoutPiles(text).normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

export const collapseSpaces = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** At most `max` UTF-16 units of a text; a character of two is kept whole or left out. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? max - 1 : max);
}

/** A text as a database and JSON can hold it: U+FFFD, which says that a character was lost, for each NUL and each half of a character. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd');

/** At most `max` characters, cut at a word boundary, with an ellipsis when something was cut. */
export function shorten(text: string, max: number): string {
  const flat = collapseSpaces(text);
  if (flat.length <= max) return flat;
  const cut = truncate(flat, max - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > max / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–-]+$/u, '')}…`;
}

/** A URL-safe name: ASCII letters, digits and hyphens; `untitled` when nothing is left. */
export function slugify(text: string, max = 60): string {
  const slug = withoutPiles(text)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, max)
    .replace(/-+$/, '');
  return slug || 'untitled';
}

/** `1 company`, `3 companies`. */
export const count = (amount: number, singular: string, plural = `${singular}s`): string => `${amount} ${amount === 1 ? singular : plural}`;

/** `a`, `a and b`, `a, b and c`. */
export function listOf(words: readonly string[], last = 'and'): string {
  if (words.length <= 1) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** All texts in a value, however deep, without the keys. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** `30 %` of a share of 0 to 1, and never 0 or 100 for what is only close to it. */
export function percentOf(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 0 && share > 0) return 'under 1 %';
  return rounded === 100 && share < 1 ? '99 %' : `${rounded} %`;
}

/** The first letter as a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
