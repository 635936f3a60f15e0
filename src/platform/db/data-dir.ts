import { accessSync, chmodSync, constants, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '#lib/errors.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { makeFolder } from './make-folder.ts';
import { isPrivate, makePrivate } from './private-files.ts';

/** What an installation keeps in its data folder. */
const OWN = new Set([
  'postgres',
  'postgres.new',
  'service.lock',
  'service.json',
  'service.json.new',
  'struck-jobs.json',
  'identity-key.json',
  'secrets-key',
  'secrets-key.new',
  'device-id',
  'blobs',
]);
const OF_FILE_SYSTEM = 'lost+found';

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOENT: 'its file system takes no folders',
  ENOTDIR: 'a file is in its place',
  EEXIST: 'a file is in its place',
  ENOSPC: 'the disk is full',
};

/** Whether anything is kept in the data folder: the embedded database, or a key that no setting gives. */
export const keepsFiles = ({ database, secrets, identity }: Pick<Config, 'database' | 'secrets' | 'identity'>): boolean =>
  database.kind === 'pglite' || secrets === undefined || (identity.kind === 'embedded' && database.kind !== 'memory');

/**
 * Makes the data folder where there is none and takes it from the reach of other users: it holds keys and what users wrote.
 * A folder with nothing else in it is made private, as `mkdir` and container volumes leave it open; one that holds other
 * things is somebody's for more than this, and only they may close it. True when something was open.
 * @throws ConfigError one sentence, when it cannot be written or is open and must not or cannot be closed here
 */
export function openDataDir(dir: string): boolean {
  try {
    makeFolder(dir);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(dir, error);
  }
  const isFolderOpen = !isPrivate(dir);
  if (isFolderOpen) closeFolder(dir);
  const own = readdirSync(dir)
    .filter((name) => OWN.has(name))
    .map((name) => join(dir, name));
  // What a link leads to is not ours to change.
  const open = own.filter((path) => !lstatSync(path).isSymbolicLink() && !isPrivate(path));
  open.forEach(closeOwn);
  return isFolderOpen || open.length > 0;
}

/** @throws ConfigError, always */
export function unwritable(dir: string, error: unknown): ConfigError {
  const { code = '' } = error as NodeJS.ErrnoException;
  return new ConfigError(`DATA_DIR ${dir} cannot be written: ${WHY[code] ?? messageOf(error)}.`, { cause: error });
}

function closeFolder(dir: string): void {
  const foreign = readdirSync(dir).find((name) => !OWN.has(name) && name !== OF_FILE_SYSTEM);
  if (foreign !== undefined) {
    throw new ConfigError(
      `DATA_DIR ${dir} is open to other users, and "${foreign}" in it is not Groundwork's: run "chmod 700 ${dir}", or name a folder of its own.`,
    );
  }
  try {
    chmodSync(dir, 0o700);
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR ${dir} is open to other users and belongs to another one: let its owner run "chmod 700 ${dir}", or name a new folder in it.`,
      { cause: error },
    );
  }
  if (!isPrivate(dir))
    throw new ConfigError(`DATA_DIR ${dir} is open to other users, and its file system does not change that: name another folder.`);
}

/** Files of another user stay as they are: the folder around them is closed. */
function closeOwn(path: string): void {
  try {
    makePrivate(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
