import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ensureCluster, hasCluster } from './cluster.ts';
import { openPglite } from './pglite.ts';

const scratch = mkdtempSync(join(tmpdir(), 'groundwork-cluster-'));
const kept = join(scratch, 'kept');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const folder = (name: string): string => join(scratch, name, 'postgres');
const templates = (): string[] => (existsSync(kept) ? readdirSync(kept).filter((name) => /^cluster-[\d.]+$/.test(name)) : []);

/** What other users could read in it. */
const openIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => (statSync(join(dir, name)).mode & 0o077) !== 0);

describe('a new cluster', () => {
  it('is made once for whoever asks meanwhile, and copied for the next one', async () => {
    const made = [ensureCluster(folder('first'), kept), ensureCluster(folder('first'), kept)];
    expect(made[0]).toBe(made[1]);
    await Promise.all(made);
    expect(hasCluster(folder('first'))).toBe(true);
    await vi.waitFor(() => expect(templates()).toHaveLength(1), { timeout: 20_000 });

    await ensureCluster(folder('second'), kept);
    for (const made of [kept, join(scratch, 'first'), join(scratch, 'second')]) expect(openIn(made)).toEqual([]);
    const database = await openPglite({ dir: folder('second') });
    try {
      expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await database.close();
    }
    expect(readdirSync(kept)).toEqual(templates());
  }, 60_000);

  it('leaves a database alone that is there', async () => {
    const before = readdirSync(folder('second'));
    await ensureCluster(folder('second'), kept);
    expect(readdirSync(folder('second'))).toEqual(before);
  });

  it('is not made from a template that others could have changed', async () => {
    const [template = ''] = templates();
    chmodSync(join(kept, template), 0o755);
    writeFileSync(join(kept, template, 'planted'), '');
    await ensureCluster(folder('unspoilt'), kept);
    expect(existsSync(join(folder('unspoilt'), 'planted'))).toBe(false);
    await vi.waitFor(() => expect(existsSync(join(kept, template, 'planted'))).toBe(false), { timeout: 20_000 });
    await vi.waitFor(() => expect(templates()).toHaveLength(1), { timeout: 20_000 });
    expect(openIn(kept)).toEqual([]);
  }, 60_000);

  it('begins anew after a start that was cut off, and is made where nothing can be kept', async () => {
    await ensureCluster(folder('third'), kept);
    rmSync(folder('third'), { recursive: true });
    writeFileSync(`${folder('third')}.new`, 'half made');
    const noFolder = join(scratch, 'a-file');
    writeFileSync(noFolder, '');
    await ensureCluster(folder('third'), noFolder);
    expect(hasCluster(folder('third'))).toBe(true);
    expect(existsSync(`${folder('third')}.new`)).toBe(false);
  }, 60_000);

  it('says so when the folder cannot be written', async () => {
    const file = join(scratch, 'in-the-way');
    writeFileSync(file, '');
    await expect(ensureCluster(join(file, 'postgres'), kept)).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});
