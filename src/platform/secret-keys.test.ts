import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { secretBox } from './secret-box.ts';
import { keyFile } from './secret-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundwork-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => join(folder, `keys-${(files += 1)}`);
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n');

describe('a key file', () => {
  it('is made once, readable by its owner alone', () => {
    const file = newFile();
    const [key] = keyFile(file).all();
    expect(linesOf(file)).toEqual([key.bytes.toString('hex')]);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(keyFile(file).all()).toEqual([key]);
  });

  it.skipIf(process.platform === 'win32')('is whole or not there, whatever stops the writing of it', () => {
    const file = newFile();
    const making = `const { keyFile } = await import(${JSON.stringify(new URL('secret-keys.ts', import.meta.url))}); keyFile(${JSON.stringify(file)})`;
    // No file may take a byte, as on a full disk.
    const { status } = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath, making]);
    expect(status).not.toBe(0);
    expect(keyFile(file).all()).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => join(folder, name).startsWith(`${file}.`))).toEqual([]);
  });

  it('is read as it was written before it could hold several keys', () => {
    const file = newFile();
    writeFileSync(file, 'ab'.repeat(32));
    expect(
      keyFile(file)
        .all()
        .map(({ bytes }) => bytes.toString('hex')),
    ).toEqual(['ab'.repeat(32)]);
  });

  it('gets a new first key, and keeps the two before', () => {
    const file = newFile();
    const keys = keyFile(file);
    const made = [keys.all()[0]];
    for (let n = 0; n < 3; n += 1) {
      const [first] = keys.all();
      expect(keys.renew?.(first.id)).toBe(true);
      expect(keys.renew?.(first.id)).toBe(false);
      made.unshift(keys.all()[0]);
      expect(keys.all()).toEqual(made.slice(0, 3));
    }
    expect(new Set(made.map(({ id }) => id)).size).toBe(4);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is read again by whoever else uses it, at once', () => {
    const file = newFile();
    const [keys, others] = [keyFile(file), keyFile(file)];
    const [box, elsewhere] = [secretBox(keys), secretBox(others)];
    expect(elsewhere.open(box.seal('a key', 'here'), 'here')).toBe('a key');
    box.renew?.(box.keys().first);
    const sealed = elsewhere.seal('another', 'here');
    expect(sealed.startsWith(box.keys().prefix)).toBe(true);
    expect(box.open(sealed, 'here')).toBe('another');
  });

  it('that is gone is not missed by whoever has read it', () => {
    const file = newFile();
    const box = secretBox(keyFile(file));
    const sealed = box.seal('a key', 'here');
    rmSync(file);
    expect(box.open(sealed, 'here')).toBe('a key');
    writeFileSync(file, 'no key');
    expect(box.open(sealed, 'here')).toBe('a key');
  });

  it.each(['', 'no key', `${'ab'.repeat(32)}\nshort`])('is refused when it holds %j', (text) => {
    const file = newFile();
    writeFileSync(file, text);
    expect(() => keyFile(file).all()).toThrow(`${file} does not hold keys`);
  });
});
