const known = new WeakMap<object, ReadonlyMap<string, number>>();

/**
 * With how many words the longest phrase goes that begins with a word: of the keys of a map, where one space is between
 * two words. Most words of a text begin none, and nothing has to be joined to see that.
 */
export function longestFrom(phrases: ReadonlyMap<string, unknown>): ReadonlyMap<string, number> {
  const ready = known.get(phrases);
  if (ready) return ready;
  const longest = new Map<string, number>();
  for (const phrase of phrases.keys()) {
    const end = phrase.indexOf(' ');
    const start = end < 0 ? phrase : phrase.slice(0, end);
    const length = end < 0 ? 1 : phrase.split(' ').length;
    if (length > (longest.get(start) ?? 0)) longest.set(start, length);
  }
  known.set(phrases, longest);
  return longest;
}
