import { describe, expect, it } from 'vitest';
import { openSlots } from './slots.ts';

const never = new AbortController().signal;

/** Whether a promise has settled after everything that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('slots', () => {
  it('lets so many per host run, and others pass them', async () => {
    const slots = openSlots({ perHost: 2, overall: 24 });
    const first = await slots.take('a', never);
    await slots.take('a', never);
    const third = slots.take('a', never);
    expect(await isSettled(third)).toBe(false);
    await slots.take('b', never);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    const fourth = slots.take('a', never);
    expect(await isSettled(third)).toBe(true);
    expect(await isSettled(fourth)).toBe(false);
  });

  it('lets so many run overall', async () => {
    const slots = openSlots({ perHost: 2, overall: 3 });
    const held = [await slots.take('a', never), await slots.take('b', never), await slots.take('c', never)];
    const waiting = slots.take('d', never);
    expect(await isSettled(waiting)).toBe(false);
    held[1]?.[Symbol.dispose]();
    expect(await isSettled(waiting)).toBe(true);
  });

  it('forgets who gave up waiting', async () => {
    const slots = openSlots({ perHost: 1, overall: 1 });
    const held = await slots.take('a', never);
    const control = new AbortController();
    const impatient = slots.take('a', control.signal);
    const patient = slots.take('a', never);
    control.abort(new Error('enough'));
    await expect(impatient).rejects.toThrow('enough');
    await expect(slots.take('a', control.signal)).rejects.toThrow('enough');
    held[Symbol.dispose]();
    expect(await isSettled(patient)).toBe(true);
  });
});
