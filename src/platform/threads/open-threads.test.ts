import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { openThreads, ThreadFailed, type ThreadOptions, type Threads } from './open-threads.ts';

type Order = 'answer' | 'hang' | 'die' | 'fill' | 'end';

const code = `import { parentPort } from 'node:worker_threads';
const kept = [];
parentPort.on('message', (order) => {
  if (order === 'hang') for (;;) {}
  if (order === 'die') throw new Error('no more');
  if (order === 'end') process.exit(0);
  if (order === 'fill') for (;;) kept.push(Array.from({ length: 10_000 }, (_, n) => String(n)));
  parentPort.postMessage(order);
});`;
const script = new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const opened: Threads<Order, Order>[] = [];
afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.close();
});

function open(options: Partial<ThreadOptions> = {}): Threads<Order, Order> {
  const threads = openThreads<Order, Order>({ script, name: 'helper', threads: 1, limitMs: 20_000, maxWaiting: 3, memoryMb: 32, ...options });
  opened.push(threads);
  return threads;
}

describe('a task', () => {
  it.each<[Order, Partial<ThreadOptions>, RegExp]>([
    ['hang', { limitMs: 1500 }, /longer than 1500 ms/],
    ['fill', {}, /memory/i],
    ['die', {}, /no more/],
    ['end', {}, /the helper ended/],
  ])('that makes its thread %s fails, and the next one has another thread', async (order, options, why) => {
    const threads = open(options);
    const both = [threads.run(order), threads.run('answer')];
    await expect(both[0]).rejects.toThrow(why);
    await expect(both[0]).rejects.toBeInstanceOf(ThreadFailed);
    await expect(both[1]).resolves.toBe('answer');
  });

  it('whose caller leaves gives up its place', async () => {
    const threads = open({ limitMs: 1500, maxWaiting: 1 });
    const first = threads.run('hang');
    const leaving = new AbortController();
    const second = threads.run('answer', leaving.signal);
    await expect(threads.run('answer')).rejects.toThrow('1 tasks for the helper are waiting already');
    leaving.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    const third = threads.run('answer');
    await expect(first).rejects.toThrow(ThreadFailed);
    await expect(third).resolves.toBe('answer');
    await expect(threads.run('answer', AbortSignal.abort(new Error('never mind')))).rejects.toThrow('never mind');
  });
});

describe('threads', () => {
  it('start ahead of the first task when they are prepared, once', async () => {
    let started = 0;
    const count = (): void => void (started += 1);
    process.on('worker', count);
    try {
      const threads = open({ threads: 2 });
      threads.prepare();
      threads.prepare();
      expect(await threads.run('answer')).toBe('answer');
      threads.prepare();
      expect(started).toBe(1);
    } finally {
      process.off('worker', count);
    }
  });

  it('leave nobody waiting when they close, and take nothing afterwards', async () => {
    const threads = open();
    const both = Promise.allSettled([threads.run('hang'), threads.run('answer')]);
    await threads.close();
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(threads.run('answer')).rejects.toThrow('the helper is closed');
  });

  it('do not hold a process that has nothing else to do', async () => {
    const program = `import { openThreads } from ${JSON.stringify(new URL('./open-threads.ts', import.meta.url).href)};
      const threads = openThreads({ script: new URL(${JSON.stringify(script.href)}), name: 'helper', limitMs: 20_000, maxWaiting: 3, memoryMb: 32 });
      console.log(await threads.run('answer'));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { timeout: 50_000 });
    expect(stdout.trim()).toBe('answer');
  });
});
