export type Line = { v: number; event: string; data: Record<string, unknown>; seq?: number };

/** Follows an NDJSON stream to its end. */
export async function readNdjson(url: string, token: string, signal?: AbortSignal): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of followNdjson(url, token, signal)) lines.push(line);
  return lines;
}

/** The lines of an NDJSON stream as they arrive. */
export async function* followNdjson(url: string, token: string, signal?: AbortSignal): AsyncGenerator<Line> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, ...(signal ? { signal } : {}) });
  if (!response.ok || !response.body) throw new Error(`stream answered ${response.status}: ${await response.text()}`);
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield JSON.parse(part) as Line;
  }
}
