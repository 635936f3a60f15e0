/** Bytes of a file, both included. */
type Range = { from: number; to: number };

/**
 * The one part of a file that a `Range` header asks for (RFC 9110, section 14.1.2); null for anything else, which is answered
 * with the whole file.
 */
export function rangeOf(header: string | string[] | undefined, size: number): Range | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(String(header ?? '')) ?? [];
  if (first === '' && last === '') return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return from <= to ? { from, to } : null;
}
