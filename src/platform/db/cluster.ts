import { execFile } from 'node:child_process';
import { constants, cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeFolder } from './make-folder.ts';
import { CACHE_FOLDER } from '../disk-cache/compiled-code.mjs';
import { isPrivate, makePrivate } from './private-files.ts';

const creating = new Map<string, Promise<void>>();

/** Whether an embedded database has its files. */
export const hasCluster = (dir: string): boolean => existsSync(join(dir, 'PG_VERSION'));

/**
 * The files of an embedded database, made where there are none yet: in a process of its own, which takes seconds, or as a
 * copy of those that were made first with this installation. A start asks for it first and loads the rest meanwhile;
 * whoever asks again waits for the same.
 * @throws when the folder cannot be written
 */
export function ensureCluster(dir: string, cacheFolder = CACHE_FOLDER): Promise<void> {
  const known = creating.get(dir);
  if (known) return known;
  const created = createCluster(dir, cacheFolder).finally(() => creating.delete(dir));
  // Whoever opens the database hears of a failure; until then nobody listens.
  created.catch(() => {});
  creating.set(dir, created);
  return created;
}

/** Makes the cluster beside its place and moves it there whole: a first start that is cut off leaves nothing half made. */
async function createCluster(dir: string, cacheFolder: string): Promise<void> {
  if (hasCluster(dir)) return;
  const unfinished = `${dir}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  makeFolder(dirname(dir));
  const template = join(cacheFolder, `cluster-${databaseVersion()}`);
  if (isTrusted(template)) copy(template, unfinished);
  else {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'create-cluster.ts'), unfinished]);
    // The embedded database sets the modes of its files itself, wide open.
    makePrivate(unfinished);
    keepTemplate(unfinished, template);
  }
  await syncAll(unfinished);
  rmSync(dir, { recursive: true, force: true });
  renameSync(unfinished, dir);
  // Its new name has to be on disk too.
  await syncFolders([dirname(dir)]);
}

/** Keeps a copy for the next new database; nobody waits until it is on disk, and where it cannot be kept it is made again. */
function keepTemplate(made: string, template: string): void {
  const unfinished = `${template}.${process.pid}`;
  try {
    // One that an earlier version left open to others.
    if (hasCluster(template) && !isTrusted(template)) rmSync(template, { recursive: true });
    copy(made, unfinished);
  } catch {
    return rmSync(unfinished, { recursive: true, force: true });
  }
  syncAll(unfinished)
    .then(() => renameSync(unfinished, template))
    // Another process was first.
    .catch(() => rmSync(unfinished, { recursive: true, force: true }));
}

/** A template that others could have changed would bring what they put in it into every new database. */
const isTrusted = (template: string): boolean => hasCluster(template) && isPrivate(template);

const copy = (from: string, to: string): void => cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });

/** The database acknowledges writes on the strength of these files: they must have reached the disk before it. */
async function syncAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const folders = [folder, ...entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name))];
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  await Promise.all(files.map(sync));
  await syncFolders(folders);
}

/** Some systems cannot sync a folder. */
const syncFolders = (folders: readonly string[]): Promise<unknown> => Promise.allSettled(folders.map(sync));

async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r');
  await file.sync();
}

function databaseVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  return (JSON.parse(readFileSync(fileURLToPath(manifest), 'utf8')) as { version: string }).version;
}
