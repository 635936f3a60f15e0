import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const scratch = mkdtempSync(join(tmpdir(), 'groundwork-folder-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('a folder', () => {
  it('is made with those above it, for its owner alone, and may be there already', () => {
    const dir = join(scratch, 'a', 'b', 'c');
    makeFolder(dir);
    makeFolder(dir);
    for (const made of [dir, join(scratch, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it('is not made in the place of a file', () => {
    const file = join(scratch, 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).toThrow('EEXIST');
    expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
  });

  it.runIf(existsSync('/proc/self'))('is refused, and not tried without end, where the file system takes none', () => {
    expect(() => makeFolder('/proc/groundwork/data')).toThrow('ENOENT');
  });
});
