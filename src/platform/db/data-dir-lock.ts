import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '#lib/errors.ts';
import { ConfigError } from '../config/config.ts';
import { unwritable } from './data-dir.ts';

export type DataDirLock = {
  /** Lets others on this machine find the running service. */
  announce(url: string): void;
  release(): void;
};

type LockOptions = { waiting?: (holder: string) => void; patienceMs?: number };

/** Another process has the data folder. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse';
}

/** For people and for finding the service; who holds the folder is decided by the lock alone. */
type Holder = { pid: number; host: string; url: string | null };

/** A killed process needs a moment until the system has taken its locks from it. */
const PATIENCE_MS = 5000;
const LOOK_EVERY_MS = 50;
const TOLD_AFTER_MS = 200;

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;

/**
 * The lock of SQLite on a file of its own is the system's advisory one (fcntl(2) F_SETLK): it ends with the process however
 * that ends, and holds between containers that share the folder on one machine.
 * @NOTE The system drops it when this process closes any other descriptor of that file: nobody but SQLite may open it.
 */
const lockFile = (dataDir: string): string => join(dataDir, 'service.lock');
const holderFile = (dataDir: string): string => join(dataDir, 'service.json');

/**
 * Claims the embedded database for this process: two at once would destroy it. Waits for a holder that is just ending.
 * @param options `waiting` is told who has the folder, when it is not to be had at once
 * @throws DataDirInUse naming the process that has it; ConfigError when the folder cannot be written or locked
 */
export async function lockDataDir(dataDir: string, options: LockOptions = {}): Promise<DataDirLock> {
  const lock = await waitForLock(dataDir, options);
  const tell = (url: string | null) => writeHolder(dataDir, { pid: process.pid, host: hostname(), url });
  try {
    tell(null);
  } catch (error) {
    lock.close();
    throw error;
  }
  let isHeld = true;
  return {
    announce: tell,
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      rmSync(holderFile(dataDir), { force: true });
      lock.close();
    },
  };
}

/** Address of the service that runs on this data folder, if one does. */
export function runningService(dataDir: string): string | null {
  const url = readHolder(dataDir)?.url;
  return url && isLocked(dataDir) ? url : null;
}

async function waitForLock(dataDir: string, { waiting, patienceMs = PATIENCE_MS }: LockOptions): Promise<DatabaseSync> {
  const began = performance.now();
  let isTold = false;
  for (;;) {
    const lock = tryLock(dataDir);
    if (lock) return lock;
    const waited = performance.now() - began;
    if (waited >= patienceMs) {
      checkLocks(dataDir);
      throw new DataDirInUse(`${dataDir} is in use by ${holderOf(dataDir)}`);
    }
    if (waited >= TOLD_AFTER_MS && !isTold) {
      isTold = true;
      waiting?.(holderOf(dataDir));
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** The open lock, or null while another one has it. */
function tryLock(dataDir: string, file = lockFile(dataDir)): DatabaseSync | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // Nothing is ever written, so no journal is needed on disk either.
    database.exec('pragma journal_mode = memory; begin exclusive');
    return database;
  } catch (error) {
    database?.close();
    if (isBusy(error)) return null;
    if (codeOf(error) === SQLITE_IOERR) throw unlockable(dataDir);
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be locked with ${file}: ${messageOf(error)}.`, { cause: error });
  }
}

/** SQLite says "busy" as well where there are no locks at all: then a file that nobody else knows is busy too. @throws ConfigError */
function checkLocks(dataDir: string): void {
  const file = `${lockFile(dataDir)}.${process.pid}`;
  const lock = tryLock(dataDir, file);
  lock?.close();
  rmSync(file, { force: true });
  if (!lock) throw unlockable(dataDir);
}

const unlockable = (dataDir: string): ConfigError =>
  new ConfigError(`DATA_DIR ${dataDir} lies on a file system that cannot lock files: name a folder on a local disk.`);

/** Looks without taking the lock, and without making its file. */
function isLocked(dataDir: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(lockFile(dataDir), { readOnly: true, timeout: 0 });
    database.exec('select 1 from sqlite_master');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    database?.close();
  }
}

/** The kind of failure, without its details: https://sqlite.org/rescode.html */
const codeOf = (error: unknown): number => Number((error as { errcode?: unknown } | null)?.errcode) & 0xff;
const isBusy = (error: unknown): boolean => codeOf(error) === SQLITE_BUSY;

/** In one step: whoever reads meanwhile finds the old text or the new one. */
function writeHolder(dataDir: string, holder: Holder): void {
  const unfinished = `${holderFile(dataDir)}.new`;
  try {
    writeFileSync(unfinished, JSON.stringify(holder), { mode: 0o600 });
    renameSync(unfinished, holderFile(dataDir));
  } catch (error) {
    throw unwritable(dataDir, error);
  }
}

function readHolder(dataDir: string): Holder | null {
  try {
    return JSON.parse(readFileSync(holderFile(dataDir), 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function holderOf(dataDir: string): string {
  const holder = readHolder(dataDir);
  if (!holder) return 'another process';
  // A number means nothing in another container.
  const place = holder.host && holder.host !== hostname() ? ` on ${holder.host}` : '';
  return `process ${holder.pid}${place}${holder.url ? ` at ${holder.url}` : ''}`;
}
