import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { FetchFailed } from './port.ts';

/** Window of at most 8 MB, which RFC 9659 sets for zstd on the web. */
const ZSTD_WINDOW_LOG = 23;

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

type Limits = { maxBytes: number; /** Whether a body above the limit is cut there instead of refused. */ cut: boolean; signal: AbortSignal };

/**
 * The decoded body, at most `maxBytes` as transferred and as decompressed; reading stops where a limit is passed.
 * @throws FetchFailed `size` or `encoding`; the signal's reason; errors of the connection
 */
export async function readBody(body: Readable, encoding: string | undefined, { maxBytes, cut, signal }: Limits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const limit = new FetchFailed('size', `The answer is larger than ${Math.round(maxBytes / 1000)} kB.`);
  const keep = (chunk: Buffer): void => {
    chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) throw limit;
  };
  try {
    const source = counted(body, maxBytes, limit);
    const first = await source.next();
    if (first.done) return Buffer.alloc(0);
    const decoder = decoderFor(encoding, first.value);
    const whole = prepend(first.value, source);
    if (decoder) {
      await pipeline(whole, decoder, (decoded: AsyncIterable<Buffer>) => each(decoded, keep), { signal });
    } else {
      await pipeline(whole, (plain: AsyncIterable<Buffer>) => each(plain, keep), { signal });
    }
  } catch (error) {
    if (error !== limit || !cut) throw asFailure(error);
  }
  return Buffer.concat(chunks);
}

async function* counted(body: Readable, maxBytes: number, limit: FetchFailed): AsyncGenerator<Buffer, void> {
  let transferred = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const room = maxBytes - transferred;
    transferred += chunk.length;
    // What is cut at the limit keeps what fits.
    if (room > 0) yield chunk.subarray(0, room);
    if (transferred > maxBytes) throw limit;
  }
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield first;
  yield* rest;
}

async function each(source: AsyncIterable<Buffer>, keep: (chunk: Buffer) => void): Promise<void> {
  for await (const chunk of source) keep(chunk);
}

function decoderFor(encoding: string | undefined, first: Buffer): Duplex | undefined {
  switch ((encoding ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      // Servers disagree whether deflate has the zlib header (RFC 9110, 8.4.1.2); its first half byte is 8.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } });
    default:
      throw new FetchFailed('encoding', `The answer is packed in a way that is not known: "${(encoding ?? '').slice(0, 60)}".`);
  }
}

const ZLIB_CODES = /^(Z_|ERR_?_?BROTLI|ERR_BROTLI|ZSTD_|ERR_ZSTD|ERR_PADDING)/;

function asFailure(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ZLIB_CODES.test(code) ? new FetchFailed('encoding', 'The packed answer is damaged.', error) : error;
}
