import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { SupersededError } from './event-log.ts';
import { follow, followOn } from './follow.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { streams, wakeups, db } = app.ctx;
afterAll(() => app.dispose());

const from = { log: streams, wakeups, db };
const never = new AbortController().signal;

async function newStream(): Promise<string> {
  const key = `test:${randomUUID()}`;
  await streams.open(db, key);
  return key;
}

const numbered = (value: number) => ({ event: 'number', data: { value } });

async function all(key: string, cursor = 0, signal = never): Promise<{ seq: number; event: string; data: string }[]> {
  const list = [];
  for await (const event of follow(from, { key, cursor }, signal)) list.push(event);
  return list;
}

describe('following a stream', () => {
  it('gives 200 followers the same order while writers race, from any cursor [R242 R276]', async () => {
    const key = await newStream();
    const followers = Array.from({ length: 200 }, (_each, index) => all(key, index % 40));
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let count = 0; count < 25; count += 1) await streams.append(db, key, [numbered(writer * 100 + count)]);
    });
    await Promise.all(writers);
    await streams.append(db, key, [{ event: 'done', data: {} }], { close: true });
    const stored = await streams.read(key, 0, 1000);
    expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: 101 }, (_each, index) => index + 1));
    for (const [index, events] of (await Promise.all(followers)).entries()) expect(events).toEqual(stored.slice(index % 40));
  });

  it('gives what is due to a cursor beyond any number', async () => {
    const key = await newStream();
    await streams.append(db, key, [numbered(1), { event: 'done', data: {} }], { close: true });
    for (const cursor of [2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      expect((await all(key, cursor)).map(({ event }) => event)).toEqual(['done']);
    }
  });

  it('keeps each writer’s own order', async () => {
    const key = await newStream();
    const writers = [0, 1, 2].map(async (writer) => {
      for (let count = 0; count < 10; count += 1)
        await streams.append(db, key, [numbered(writer * 100 + count), numbered(writer * 100 + count + 50)]);
    });
    await Promise.all(writers);
    const values = (await streams.read(key, 0, 1000)).map(({ data }) => (JSON.parse(data) as { value: number }).value);
    for (const writer of [0, 1, 2]) {
      const own = values.filter((value) => Math.floor(value / 100) === writer);
      expect(own).toEqual(Array.from({ length: 10 }, (_each, count) => [writer * 100 + count, writer * 100 + count + 50]).flat());
    }
  });

  it('replays the same from every cursor once it is closed, and done beyond the end', async () => {
    const key = await newStream();
    for (let count = 1; count <= 7; count += 1) await streams.append(db, key, [numbered(count)]);
    await streams.append(db, key, [{ event: 'done', data: {} }], { close: true });
    const whole = await all(key);
    for (let cursor = 0; cursor < 8; cursor += 1) expect(await all(key, cursor)).toEqual(whole.slice(cursor));
    for (const cursor of [8, 9, 2_000_000_000]) expect(await all(key, cursor)).toEqual([{ seq: 8, event: 'done', data: '{}' }]);
  });

  it('reads more than a page at once', async () => {
    const key = await newStream();
    await streams.append(
      db,
      key,
      Array.from({ length: 1203 }, (_each, index) => numbered(index)),
    );
    await streams.append(db, key, [{ event: 'done', data: {} }], { close: true });
    expect((await all(key)).map(({ seq }) => seq)).toEqual(Array.from({ length: 1204 }, (_each, index) => index + 1));
  });

  it('ends without done when the stream is removed or never was', async () => {
    const key = await newStream();
    await streams.append(db, key, [numbered(1)]);
    const follower = all(key);
    await streams.remove(db, key);
    expect((await follower).map(({ event }) => event).filter((event) => event !== 'number')).toEqual([]);
    expect(await all('test:never-was')).toEqual([]);
  });

  it('ends when its reader goes away', async () => {
    const key = await newStream();
    const gone = new AbortController();
    const follower = all(key, 0, gone.signal);
    gone.abort();
    expect(await follower).toEqual([]);
  });

  it('misses nothing that is written between its looks', async () => {
    const key = await newStream();
    const events = follow(from, { key, cursor: 0 }, never);
    for (let count = 1; count <= 30; count += 1) {
      const [next] = await Promise.all([events.next(), streams.append(db, key, [numbered(count)])]);
      expect(next.value).toMatchObject({ seq: count });
    }
    await events.return(undefined);
  });
});

describe('following on', () => {
  it('passes done over, and goes on with what stands under its number when the stream is opened again', async () => {
    const key = await newStream();
    await streams.append(db, key, [numbered(1), { event: 'done', data: {} }], { close: true });
    const events = followOn(from, { key, cursor: 0 }, never);
    expect((await events.next()).value).toMatchObject({ seq: 1 });
    const next = events.next();
    await db.transaction().execute(async (tx) => {
      await streams.reopen(tx, key, numbered(2));
      await streams.append(tx, key, [numbered(3)]);
    });
    expect((await next).value).toMatchObject({ seq: 2, event: 'number' });
    expect((await events.next()).value).toMatchObject({ seq: 3 });
    await streams.remove(db, key);
    expect((await events.next()).done).toBe(true);
  });

  it('reads more than a page at once, and ends when its reader goes away', async () => {
    const key = await newStream();
    await streams.append(
      db,
      key,
      Array.from({ length: 1203 }, (_each, index) => numbered(index)),
    );
    const gone = new AbortController();
    const seen: number[] = [];
    for await (const { seq } of followOn(from, { key, cursor: 3 }, gone.signal)) {
      seen.push(seq);
      if (seq === 1203) gone.abort();
    }
    expect(seen).toEqual(Array.from({ length: 1200 }, (_each, index) => index + 4));
  });
});

describe('appending', () => {
  it('is refused once the stream is closed, and where none is', async () => {
    const key = await newStream();
    expect(await streams.append(db, key, [numbered(1)])).toBe(1);
    await streams.append(db, key, [], { close: true });
    await expect(streams.append(db, key, [numbered(2)])).rejects.toBeInstanceOf(SupersededError);
    await expect(streams.append(db, 'test:never-was', [numbered(1)])).rejects.toBeInstanceOf(SupersededError);
  });

  it('leaves no gap in the numbers when a transaction is rolled back', async () => {
    const key = await newStream();
    const undone = db.transaction().execute(async (tx) => {
      await streams.append(tx, key, [numbered(1)]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await streams.append(db, key, [numbered(2)])).toBe(1);
    expect(await streams.head(db, key)).toEqual({ lastSeq: 1, closed: false });
  });

  it('keeps the text of the data as it is', async () => {
    const key = await newStream();
    const data = { quote: '"', newline: '\n', unicode: 'ü 寿司 👩‍🚀', nested: [{ a: null }], number: 0.1 };
    await streams.append(db, key, [{ event: 'e', data }]);
    const [event] = await streams.read(key, 0, 1);
    expect(JSON.parse(event?.data ?? '')).toEqual(data);
    expect(event?.data).not.toContain('\n');
  });
});
