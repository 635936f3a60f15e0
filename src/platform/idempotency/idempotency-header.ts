const LONGEST = 255;

/** The `Idempotency-Key` of a request with the route that it came to; undefined without one. */
export function idempotencyOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  route: string,
): { route: string; key: string } | undefined {
  const header = headers['idempotency-key'];
  const key = Array.isArray(header) ? header[0] : header;
  return key ? { route, key: key.slice(0, LONGEST) } : undefined;
}
