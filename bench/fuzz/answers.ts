import type { Answer } from './exchange.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

/** Cuts the bytes of a connection into answers (RFC 9112). */
export type AnswerReader = {
  add(chunk: Buffer): void;
  /** The next whole answer; with `ended`, also one that the end of the connection ends. Null when more must come. */
  next(method: string, ended?: boolean): Answer | null;
  /** The status of an answer whose head is there, whether its body is or not. */
  begun(): number | null;
  /** Bytes that belong to no answer yet. */
  rest(): Buffer;
};

export function readAnswers(): AnswerReader {
  let bytes: Buffer = Buffer.alloc(0);
  const head = (): { status: number; headers: Map<string, string>; end: number } | null => {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return null;
    const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
    const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
    return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? Number.NaN), headers, end: end + HEAD_END.length };
  };
  const next = (method: string, ended = false): Answer | null => {
    const found = head();
    if (!found) return null;
    const { status, headers, end } = found;
    if (status < 200) {
      bytes = bytes.subarray(end);
      return next(method, ended);
    }
    const body = bodyFrom(bytes, end, bodyless(method, status) ? new Map([['content-length', '0']]) : headers, ended);
    if (!body) return null;
    bytes = bytes.subarray(body.end);
    return { status, headers, body: body.bytes };
  };
  return {
    add: (chunk) => void (bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])),
    next,
    begun: () => head()?.status ?? null,
    rest: () => bytes,
  };
}

const bodyless = (method: string, status: number): boolean => method === 'HEAD' || status === 204 || status === 304;

function bodyFrom(bytes: Buffer, start: number, headers: ReadonlyMap<string, string>, ended: boolean): { bytes: Buffer; end: number } | null {
  const length = headers.get('content-length');
  if (length !== undefined) {
    const end = start + Number(length);
    return bytes.length >= end ? { bytes: bytes.subarray(start, end), end } : null;
  }
  if (headers.get('transfer-encoding') === 'chunked') return chunkedFrom(bytes, start);
  return ended ? { bytes: bytes.subarray(start), end: bytes.length } : null;
}

function chunkedFrom(bytes: Buffer, start: number): { bytes: Buffer; end: number } | null {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const line = bytes.indexOf(LINE_END, at);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const from = line + LINE_END.length;
    if (bytes.length < from + size + LINE_END.length) return null;
    if (size === 0) return { bytes: Buffer.concat(chunks), end: from + LINE_END.length };
    chunks.push(bytes.subarray(from, from + size));
    at = from + size + LINE_END.length;
  }
}
