const RUN = 8;

/** Share of a text's words, 0 to 1, that stand in a run of eight words which stood in it before. */
export function repeatedShare(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (let at = 0; at + RUN <= words.length; at += 1) {
    const run = words.slice(at, at + RUN).join(' ');
    if (seen.has(run)) for (let place = at; place < at + RUN; place += 1) repeated.add(place);
    seen.add(run);
  }
  return words.length > 0 ? repeated.size / words.length : 0;
}
