import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { tooLarge, unsupported } from '../../lib/errors.ts';

/** What a route says of one file. */
export type FileRule = {
  /** Most bytes; more are 413. */
  maxBytes: number;
  /** Content types by the bytes themselves, whatever the client calls them; any other is 415. */
  types: readonly string[];
  optional?: true;
};

/** A file that was sent. It is gone when the route has answered. */
export type UploadedFile = {
  /** As the client calls it, without folders; for people, never for a path. */
  name: string;
  /** What the bytes are. */
  type: string;
  /** Length in bytes. */
  size: number;
  bytes(): Promise<Buffer>;
  stream(): Readable;
};

export type HeldFile = UploadedFile & { close(): Promise<void> };

/** Milliseconds to tell a type; a file that takes longer is none that is known. */
const SNIFF_MS = 2000;
const LONGEST_NAME = 200;

/**
 * Takes a file to the disk, under no name: it goes with its handle, also when the process is killed.
 * @throws AppError `too_large`, `unsupported`, or whatever ends `content`
 */
export async function holdFile(field: string, clientName: string, content: Readable, rule: FileRule): Promise<HeldFile> {
  const handle = await openNameless();
  try {
    const size = await write(handle, bounded(field, content, rule.maxBytes));
    return { name: nameOf(clientName), type: await typeOf(field, handle, rule), size, ...readerOf(handle, size), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `groundwork-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

async function* bounded(field: string, chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(`${field}: at most ${maxBytes} bytes`);
    yield chunk;
  }
}

/** How many bytes there were. */
async function write(handle: FileHandle, chunks: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) {
    await handle.writeFile(chunk);
    size += chunk.length;
  }
  return size;
}

const CHUNK = 64 * 1024;

/** From the first byte on. The handle's own streams would keep it from closing while they are not read to their end. */
async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function typeOf(field: string, handle: FileHandle, { types }: FileRule): Promise<string> {
  const { fileTypeFromStream } = await import('file-type');
  const content = ReadableStream.from(chunksOf(handle));
  const found = await fileTypeFromStream(content as never, { signal: AbortSignal.timeout(SNIFF_MS) }).catch(() => undefined);
  const type = found?.mime ?? 'unknown';
  if (!types.includes(type)) throw unsupported(`${field}: the type must be one of ${types.join(', ')}`);
  return type;
}

const readerOf = (handle: FileHandle, size: number): Pick<UploadedFile, 'bytes' | 'stream'> => ({
  bytes: async () => {
    const { buffer } = await handle.read(Buffer.alloc(size), 0, size, 0);
    return buffer;
  },
  stream: () => Readable.from(chunksOf(handle), { objectMode: false }),
});

const nameOf = (clientName: string): string => (clientName.split(/[/\\]/).at(-1) ?? '').replaceAll('\0', '').toWellFormed().slice(0, LONGEST_NAME);
