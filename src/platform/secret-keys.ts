import { hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, constants, copyFileSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type SecretKey = {
  /** 12 hex digits that stand beside what the key sealed; they tell nothing of it. */
  id: string;
  bytes: Buffer;
  /** Salts fingerprints. */
  salt: Buffer;
};

/** The keys of an installation. The first one seals, all of them open. */
export type SecretKeys = {
  all(): readonly [SecretKey, ...SecretKey[]];
  /**
   * Puts a new key before the first one and keeps two earlier ones, for what others seal or write at this moment. False when
   * the first one is not `first`. Absent where the keys are settings.
   */
  renew?(first: string): boolean;
};

/** Keys in a file, the first one included. */
const KEPT = 3;

const derived = (bytes: Buffer, what: string, length: number): Buffer => Buffer.from(hkdfSync('sha256', bytes, '', `groundwork ${what}`, length));

const keyOf = (bytes: Buffer): SecretKey => ({
  id: derived(bytes, 'key id', 6).toString('hex'),
  bytes,
  salt: derived(bytes, 'fingerprint', 32),
});

/** Keys that stand in the settings. @param before keys that were in use earlier */
export function givenKeys(current: Buffer, before: readonly Buffer[] = []): SecretKeys {
  const keys: [SecretKey, ...SecretKey[]] = [keyOf(current), ...before.map(keyOf)];
  return { all: () => keys };
}

/**
 * Keys in a file that only its owner can read, one a line in hex, made with the first key where there is none. Another
 * process may renew it: whoever looks sees what the file holds now.
 */
export function keyFile(file: string): SecretKeys {
  let read: { state: string; keys: [SecretKey, ...SecretKey[]] } | undefined;
  const all = (): [SecretKey, ...SecretKey[]] => {
    try {
      const state = stateOf(file);
      if (read?.state !== state) read = { state, keys: keysIn(file) };
    } catch (error) {
      // Whatever became of the file, what was sealed so far can be opened.
      if (!read) throw error;
    }
    return read.keys;
  };
  makeKeyFile(file);
  return {
    all,
    renew: (first) => {
      const present = all();
      if (present[0].id !== first) return false;
      const kept = [randomBytes(32), ...present.map(({ bytes }) => bytes)].slice(0, KEPT);
      replaceFile(file, kept.map((key) => `${key.toString('hex')}\n`).join(''));
      return true;
    },
  };
}

/** Whole or not at all; of several that make it at once the first one's key stands. */
function makeKeyFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (existsSync(file)) return;
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    putInPlace(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  flushFolder(file);
}

/** @throws EEXIST when the file is there already */
function putInPlace(fresh: string, file: string): void {
  try {
    linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // Not every file system knows links.
    copyFileSync(fresh, file, constants.COPYFILE_EXCL);
  }
}

/** What changes whenever the file does. */
function stateOf(file: string): string {
  const { ino, mtimeNs, size } = statSync(file, { bigint: true });
  return `${ino} ${mtimeNs} ${size}`;
}

function keysIn(file: string): [SecretKey, ...SecretKey[]] {
  const [first, ...others] = readFileSync(file, 'utf8').split(/\s+/).filter(Boolean);
  if (!first || [first, ...others].some((line) => !/^[0-9a-f]{64}$/i.test(line))) {
    throw new Error(`${file} does not hold keys: put back the one that was made for this installation`);
  }
  return [keyOf(Buffer.from(first, 'hex')), ...others.map((line) => keyOf(Buffer.from(line, 'hex')))];
}

/** Old or new, whatever happens; on the disk before anything is sealed under what it holds. */
function replaceFile(file: string, text: string): void {
  const fresh = `${file}.new`;
  writeFileSync(fresh, text, { mode: 0o600, flush: true });
  renameSync(fresh, file);
  flushFolder(file);
}

function flushFolder(file: string): void {
  // Windows opens no folders.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
