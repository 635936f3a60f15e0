import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { CACHE_FOLDER } from './compiled-code.mjs';

/** A result on disk that follows from files alone: plain data, maps, sets and typed arrays. */
export type DiskCache<T> = {
  /** What was kept, while the files it was worked out from are the same. */
  read(): T | undefined;
  /** Keeps a result and gives it back; where nothing can be written it is only worked out again next time. */
  write(value: T): T;
};

/**
 * The place of a named result.
 * @param folders whose files, code and data, it is worked out from; it holds until one of them, or Node.js, changes
 */
export function diskCache<T>(name: string, folders: readonly string[], cacheFolder = CACHE_FOLDER): DiskCache<T> {
  const file = join(cacheFolder, `${name}.bin`);
  const stamp = () => folders.map(stampOf).join(' ');
  return {
    read: () => {
      try {
        const kept = deserialize(readFileSync(file)) as { stamp: string; value: T };
        return kept.stamp === stamp() ? (withOwnColumns(kept.value) as T) : undefined;
      } catch {
        return undefined;
      }
    },
    write: (value) => {
      try {
        mkdirSync(cacheFolder, { recursive: true });
        const unfinished = `${file}.${process.pid}`;
        writeFileSync(unfinished, serialize({ stamp: stamp(), value }));
        renameSync(unfinished, file);
      } catch {
        // Read-only installation.
      }
      return value;
    },
  };
}

/**
 * Columns as they are read back are windows on the bytes of the whole file, and one of them keeps all of it in memory; a copy
 * of each lets the file go. Columns inside of lists, maps and sets are left as they are.
 */
function withOwnColumns(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    const Column = (value instanceof Buffer ? Uint8Array : value.constructor) as new (own: ArrayBufferLike) => ArrayBufferView;
    return new Column(buffer.slice(byteOffset, byteOffset + byteLength));
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withOwnColumns(part)]));
}

/** A result read back from an earlier start, or worked out and kept now. */
export function diskCached<T>(name: string, folders: readonly string[], work: () => T): T {
  const cache = diskCache<T>(name, folders);
  return cache.read() ?? cache.write(work());
}

const stamps = new Map<string, string>();

/** Changes with any file of a folder, and with the Node.js whose format is read; taken once per process. */
function stampOf(folder: string): string {
  const known = stamps.get(folder);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(process.versions.v8);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { size, mtimeMs } = statSync(join(entry.parentPath, entry.name));
    hash.update(`${entry.parentPath}/${entry.name} ${size} ${mtimeMs}\n`);
  }
  const stamp = hash.digest('hex');
  stamps.set(folder, stamp);
  return stamp;
}
