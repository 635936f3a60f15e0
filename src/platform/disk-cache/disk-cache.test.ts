import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diskCache } from './disk-cache.ts';

const scratch = mkdtempSync(join(tmpdir(), 'groundwork-kept-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let made = 0;
/** A folder with one file in it, to work something out from. */
function newSource(): string {
  made += 1;
  const folder = mkdtempSync(join(scratch, `source-${made}-`));
  writeFileSync(join(folder, 'data.json'), '{}');
  return folder;
}

describe('a kept result', () => {
  it('is read back as it was, maps and columns too', () => {
    const kept = diskCache<unknown>('shapes', [newSource()], join(scratch, 'cache'));
    expect(kept.read()).toBeUndefined();
    const value = { map: new Map([['a', new Set([1])]]), column: Float64Array.from([1.5, 2]) };
    expect(kept.write(value)).toBe(value);
    expect(kept.read()).toEqual(value);
  });

  it('holds no more bytes than its columns have', () => {
    const kept = diskCache<{ deep: { column: Int16Array }; bytes: Uint8Array; rest: string }>('sizes', [newSource()], join(scratch, 'cache'));
    kept.write({ deep: { column: Int16Array.from([1, -2, 3]) }, bytes: Buffer.from('abcd'), rest: 'x'.repeat(10_000) });
    const back = kept.read();
    expect([...(back?.deep.column ?? [])]).toEqual([1, -2, 3]);
    expect(Buffer.from(back?.bytes ?? []).toString()).toBe('abcd');
    expect([back?.deep.column.buffer.byteLength, back?.bytes.buffer.byteLength]).toEqual([6, 4]);
  });

  it('no longer holds when a file that it follows from is another', () => {
    const [source, other] = [newSource(), newSource()];
    const cache = join(scratch, 'cache');
    diskCache<string>('changing', [source], cache).write('old');
    utimesSync(join(other, 'data.json'), 1, 1);
    expect(diskCache<string>('changing', [other], cache).read()).toBeUndefined();
    expect(diskCache<string>('changing', [source], cache).read()).toBe('old');
    expect(diskCache<string>('changing', [source, other], cache).read()).toBeUndefined();
  });

  it('is worked out again where it is damaged, and left out where nothing can be written', () => {
    const source = newSource();
    const cache = join(scratch, 'damaged');
    const kept = diskCache<number>('number', [source], cache);
    kept.write(1);
    for (const name of readdirSync(cache)) writeFileSync(join(cache, name), 'no longer what it was');
    expect(kept.read()).toBeUndefined();
    expect(diskCache<number>('number', [source], join(source, 'data.json')).write(2)).toBe(2);
  });
});
