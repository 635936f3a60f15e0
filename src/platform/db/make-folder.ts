import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, with those above it, for its owner alone; one that is there stays as it is.
 * @NOTE `mkdirSync` with `recursive` never returns where a file system takes no folders, as below /proc.
 * @throws the system's error
 */
export function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(dir).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(dir))) throw error;
    makeFolder(dirname(dir));
    makeFolder(dir);
  }
}
