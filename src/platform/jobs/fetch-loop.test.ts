import { afterEach, describe, expect, it } from 'vitest';
import { openLog } from '../observability/log.ts';
import { openWakeups } from '../streams/wakeups.ts';
import { startFetching } from './fetch-loop.ts';
import type { Outlook } from './outlook.ts';
import { jobTopic } from './queue.ts';

const NOTHING: Outlook = { due: [], lost: [], nextInMs: Number.POSITIVE_INFINITY };
const log = openLog('silent');
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A loop over kinds whose jobs are only counted; `outlooks` are given one after the other, then nothing is to be done. */
async function fetching(outlooks: (Outlook | Error)[], waiting: Record<string, number> = {}) {
  const [asked, begun, tookBack, heard]: string[][] = [[], [], [], []];
  let looks = 0;
  let call: (topic: string) => void = () => {};
  const wakeups = await openWakeups(
    {
      start: async (given, connection) => {
        call = given;
        connection(true);
      },
      send: async (topic) => void heard?.push(topic),
      close: async () => {},
    },
    log,
  );
  const fetch = async (kind: string) => {
    asked?.push(kind);
    const count = waiting[kind] ?? 0;
    waiting[kind] = 0;
    return Array.from({ length: count }, (_, index) => ({ id: `${kind}${index}`, retryCount: 0, data: {} }));
  };
  const loop = startFetching(
    {
      queue: {
        boss: { fetch } as never,
        look: async () => {
          looks += 1;
          const next = outlooks.shift() ?? NOTHING;
          if (next instanceof Error) throw next;
          return next;
        },
        takeBack: async (names) => void tookBack?.push(...names),
        tidy: async () => {},
      },
      wakeups,
      log,
      share: (kinds) => new Map([...kinds].map((kind) => [kind, 10])),
      begin: (kind) => void begun?.push(kind),
    },
    ['a', 'b', 'c'],
  );
  closing.push(loop.stop, wakeups.close);
  return { asked, begun, tookBack, heard, looks: () => looks, call: (kind: string) => call(jobTopic(kind)) };
}

describe('the fetch loop', () => {
  it('fetches a kind when it is called, and no other', async () => {
    const { call, begun, asked } = await fetching([], { b: 2 });
    call('b');
    await expect.poll(() => begun).toEqual(['b', 'b']);
    expect(asked).toEqual(['b']);
  });

  it('looks once for all kinds, and fetches those alone that have something', async () => {
    const { asked, looks } = await fetching([{ ...NOTHING, due: ['c', 'of another program'] }], { c: 1 });
    await expect.poll(() => asked).toEqual(['c']);
    expect(looks()).toBe(1);
  });

  it('looks again when the next job may begin', async () => {
    const { begun, looks } = await fetching(
      [
        { ...NOTHING, nextInMs: 30 },
        { ...NOTHING, due: ['a'] },
      ],
      { a: 1 },
    );
    await expect.poll(() => begun).toEqual(['a']);
    expect(looks()).toBe(2);
  });

  it('looks soon after a call for nothing: the job may begin later only', async () => {
    const { call, looks } = await fetching([]);
    await expect.poll(looks).toBe(1);
    call('a');
    await expect.poll(looks).toBe(2);
  });

  it('takes back what lost workers had and calls everybody for it', async () => {
    const { tookBack, heard } = await fetching([{ ...NOTHING, lost: ['b'] }]);
    await expect.poll(() => heard).toEqual([jobTopic('b')]);
    expect(tookBack).toEqual(['b']);
  });

  it('goes on after a look that failed', async () => {
    const { begun } = await fetching([new Error('the database is away'), { ...NOTHING, due: ['a'] }], { a: 1 });
    await expect.poll(() => begun, { timeout: 5000 }).toEqual(['a']);
  });
});
