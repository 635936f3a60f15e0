// A process of its own whose jobs are watched. Arguments: the file to leave word in, and what happens in the process.
import { openLog } from '#platform/observability/log.ts';
import { watchJobs } from '#platform/jobs/watch-jobs.ts';

const [, , file = '', harm = ''] = process.argv;
const BLOCKED_MS = 1000;
const watch = watchJobs({ kind: 'file', file }, openLog('warn'), BLOCKED_MS);

/** What the jobs are called. The innocent one is at work all the time. */
const INNOCENT = '00000000-0000-4000-8000-000000000001';
const HARMFUL = '00000000-0000-4000-8000-000000000002';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const hoard: unknown[] = [];
const fill = (): void => void hoard.push(Array.from({ length: 200_000 }, (_, index) => ({ index })));
const block = (ms = Number.POSITIVE_INFINITY): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

const HARM: Readonly<Record<string, () => Promise<void> | void>> = {
  loops: () => block(),
  matches: () => void /^(a+)+$/.test(`${'a'.repeat(50)}b`),
  'goes round in promises': async () => {
    for (;;) await Promise.resolve();
  },
  'waits outside JavaScript': () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  'fills the memory at once': () => {
    for (;;) fill();
  },
  'fills the memory bit by bit': async () => {
    for (;;) {
      fill();
      await pause(20);
    }
  },
  throws: () =>
    void setTimeout(() => {
      throw new Error('planted');
    }, 20),
  rejects: () => void pause(20).then(() => Promise.reject(new Error('planted'))),
  'blocks for a while': () => block(3 * BLOCKED_MS),
};

void watch.run(INNOCENT, async () => {
  for (;;) await pause(5);
});
await pause(1500);
if (harm === 'no job loops') block();
void watch.run(HARMFUL, async () => {
  await pause(10);
  await HARM[harm]?.();
});
process.stdout.write('at work\n');
await pause(60_000);
