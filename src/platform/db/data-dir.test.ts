import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../config/config.ts';
import { openDataDir } from './data-dir.ts';

const scratch = mkdtempSync(join(tmpdir(), 'groundwork-data-dir-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** A folder as `mkdir` and container volumes leave it: open to others. */
function openFolder(name: string): string {
  const dir = join(scratch, name);
  mkdirSync(dir);
  chmodSync(dir, 0o755);
  return dir;
}

function refusal(dir: string): string {
  try {
    openDataDir(dir);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return 'not refused';
}

describe('the data folder', () => {
  it('is made private where there is none', () => {
    const dir = join(scratch, 'a', 'b');
    expect(openDataDir(dir)).toBe(false);
    expect(modeOf(dir)).toBe('700');
    expect(openDataDir(dir)).toBe(false);
  });

  it('is made private when it was made by hand, with all that an earlier version left open in it', () => {
    const dir = openFolder('by-hand');
    mkdirSync(join(dir, 'postgres', 'base'), { recursive: true, mode: 0o755 });
    writeFileSync(join(dir, 'postgres', 'base', '1'), '');
    chmodSync(join(dir, 'postgres', 'base', '1'), 0o666);
    writeFileSync(join(dir, 'secrets-key'), '');
    chmodSync(join(dir, 'secrets-key'), 0o644);
    expect(openDataDir(dir)).toBe(true);
    expect([dir, ...['postgres', 'postgres/base', 'postgres/base/1', 'secrets-key'].map((name) => join(dir, name))].map(modeOf)).toEqual([
      '700',
      '700',
      '700',
      '600',
      '600',
    ]);
    expect(openDataDir(dir)).toBe(false);
  });

  it('is refused, and left as it is, when other things lie in it', () => {
    const dir = openFolder('shared');
    writeFileSync(join(dir, 'letter.txt'), '');
    expect(refusal(dir)).toBe(
      `DATA_DIR ${dir} is open to other users, and "letter.txt" in it is not Groundwork's: run "chmod 700 ${dir}", or name a folder of its own.`,
    );
    expect(modeOf(dir)).toBe('755');
    chmodSync(dir, 0o700);
    expect(openDataDir(dir)).toBe(false);
  });

  it('may be a volume with what its file system keeps in it', () => {
    const dir = openFolder('volume');
    mkdirSync(join(dir, 'lost+found'));
    expect(openDataDir(dir)).toBe(true);
    expect(modeOf(dir)).toBe('700');
  });

  it('does not lead elsewhere', () => {
    const dir = openFolder('linked');
    const elsewhere = openFolder('elsewhere');
    symlinkSync(elsewhere, join(dir, 'postgres'));
    symlinkSync(join(scratch, 'nowhere'), join(dir, 'device-id'));
    openDataDir(dir);
    expect(modeOf(elsewhere)).toBe('755');
  });

  it('that lies in a file is refused with a sentence', () => {
    const file = join(scratch, 'file');
    writeFileSync(file, '');
    for (const dir of [file, join(file, 'deeper')]) expect(refusal(dir)).toBe(`DATA_DIR ${dir} cannot be written: a file is in its place.`);
    expect(existsSync(file)).toBe(true);
  });
});
