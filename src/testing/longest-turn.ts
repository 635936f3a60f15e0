import { setTimeout as pause } from 'node:timers/promises';

const spentMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * The longest turn of this thread's event loop while something is under way, in milliseconds of processor time, so that
 * other processes on the machine do not count. It is measured in steps of some 4 ms.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  await pause(1);
  let longest = 0;
  let last = spentMs();
  let isOver = false;
  const turn = (): void => {
    const now = spentMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work().catch(() => undefined);
  await new Promise((done) => setImmediate(done));
  isOver = true;
  return longest;
}
