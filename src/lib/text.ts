/** Trimmed, white space collapsed, case folded: the form in which two texts count as the same. */
export const normaliseText = (text: string): string => text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

export const collapseSpaces = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** At most `max` characters, cut at a word boundary, with an ellipsis when something was cut. */
export function shorten(text: string, max: number): string {
  const flat = collapseSpaces(text);
  if (flat.length <= max) return flat;
  const cut = flat.slice(0, max - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > max / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–-]+$/u, '')}…`;
}

/** A URL-safe name: ASCII letters, digits and hyphens; `untitled` when nothing is left. */
export function slugify(text: string, max = 60): string {
  const slug = text
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

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
