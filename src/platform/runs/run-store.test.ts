import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { SupersededError } from '../streams/event-log.ts';
import { claimRun } from './run-store.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db, streams } = app.ctx;
afterAll(() => app.dispose());

const told = { event: 'progress', data: {} };

describe('a claim', () => {
  it('ends when another takes it, and with the run', async () => {
    const key = `test:${randomUUID()}`;
    await streams.open(db, key);
    const claim = async () => claimRun(db, { key, streamKey: key, kind: 'test', payload: null });
    const [first, second] = [await claim(), await claim()];
    if (!first || !second) throw new Error('not claimed');
    expect([first.writer, second.writer]).toEqual([1, 2]);
    await expect(streams.append(db, key, [told], { run: first })).rejects.toBeInstanceOf(SupersededError);
    expect(await streams.append(db, key, [told], { run: second })).toBe(1);
    expect(await streams.append(db, key, [], { run: second, close: true })).toBe(2);
    await expect(streams.append(db, key, [told], { run: second })).rejects.toBeInstanceOf(SupersededError);
    expect(await claim()).toBeNull();
  });
});
