import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type DataDirLock = {
  /** Lets others on this machine find the running service. */
  announce(url: string): void;
  release(): void;
};

/** Another process has the data folder. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse';
}

type Holder = { pid: number; url: string | null };

const fileOf = (dataDir: string): string => join(dataDir, 'service.json');

/**
 * Claims the embedded database for this process: two at once would destroy it. A claim whose process is gone is taken over.
 * @throws DataDirInUse naming the process that has it
 */
export function lockDataDir(dataDir: string): DataDirLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = fileOf(dataDir);
  const mine = (url: string | null) => JSON.stringify({ pid: process.pid, url } satisfies Holder);
  if (!createOnly(file, mine(null))) {
    const holder = readHolder(file);
    if (holder && holder.pid !== process.pid && isAlive(holder.pid)) {
      throw new DataDirInUse(`${dataDir} is in use by process ${holder.pid}${holder.url ? ` at ${holder.url}` : ''}`);
    }
    writeFileSync(file, mine(null));
  }
  return {
    announce: (url) => writeFileSync(file, mine(url)),
    release: () => {
      if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
    },
  };
}

/** Address of the service that runs on this data folder, if one does. */
export function runningService(dataDir: string): string | null {
  const holder = readHolder(fileOf(dataDir));
  return holder?.url && isAlive(holder.pid) ? holder.url : null;
}

function createOnly(file: string, content: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    writeFileSync(descriptor, content);
    closeSync(descriptor);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(file: string): Holder | null {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
