import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;

/** Whether nobody but its owner (and root) can use what a path leads to. Windows keeps no such modes. */
export const isPrivate = (path: string): boolean => process.platform === 'win32' || (statSync(path).mode & OTHERS) === 0;

/**
 * Takes every right of group and others from a file, or from a folder and all in it; symbolic links are not followed.
 * What is in a folder comes first, so a folder that is private was done wholly.
 * @throws EPERM where something belongs to another user
 */
export function makePrivate(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  if (found.isDirectory()) for (const name of readdirSync(path)) makePrivate(join(path, name));
  if ((found.mode & OTHERS) !== 0) chmodSync(path, found.mode & 0o700);
}
