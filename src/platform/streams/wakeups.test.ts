import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openLog } from '../observability/log.ts';
import { openWakeups, type Carrier, type Subscription } from './wakeups.ts';

const never = new AbortController().signal;

/** A carrier whose messages the test sends itself. */
async function openByHand() {
  let hear: (topic: string) => void = () => {};
  let connect: (live: boolean) => void = () => {};
  const sent: string[] = [];
  const carrier: Carrier = {
    start: async (heard, connection) => {
      hear = heard;
      connect = connection;
      connection(true);
    },
    send: async (topic) => void sent.push(topic),
    close: async () => {},
  };
  const wakeups = await openWakeups(carrier, openLog('silent'));
  return { wakeups, sent, hear: (topic: string) => hear(topic), connect: (live: boolean) => connect(live) };
}

/** Whether a wait ends without anything further happening. */
async function returns(subscription: Subscription): Promise<boolean> {
  const signal = new AbortController();
  const waited = subscription.next(signal.signal).then(() => !signal.signal.aborted);
  await Promise.resolve();
  await Promise.resolve();
  signal.abort();
  return waited;
}

afterEach(() => vi.useRealTimers());

describe('a subscription', () => {
  it('remembers a wake-up that comes while nobody waits, and many as one', async () => {
    const { wakeups, hear } = await openByHand();
    const subscription = wakeups.subscribe('a');
    expect(await returns(subscription)).toBe(false);
    hear('a');
    hear('a');
    expect(await returns(subscription)).toBe(true);
    expect(await returns(subscription)).toBe(false);
    await wakeups.close();
  });

  it('is woken while it waits, by its own topic only', async () => {
    const { wakeups, hear } = await openByHand();
    const subscription = wakeups.subscribe('a');
    hear('b');
    expect(await returns(subscription)).toBe(false);
    const waiting = subscription.next(never);
    hear('a');
    await waiting;
    await wakeups.close();
  });

  it('does not take a wake-up that came while it waited for a second one', async () => {
    const { wakeups, hear } = await openByHand();
    const subscription = wakeups.subscribe('a');
    const waiting = subscription.next(never);
    hear('a');
    await waiting;
    expect(await returns(subscription)).toBe(false);
    await wakeups.close();
  });

  it('is woken when the connection was lost and when it came back', async () => {
    const { wakeups, connect } = await openByHand();
    const subscription = wakeups.subscribe('a');
    expect(wakeups.live()).toBe(true);
    connect(false);
    expect(wakeups.live()).toBe(false);
    expect(await returns(subscription)).toBe(true);
    connect(true);
    expect(await returns(subscription)).toBe(true);
    await wakeups.close();
  });

  it('looks by itself every few seconds', async () => {
    vi.useFakeTimers();
    const { wakeups } = await openByHand();
    const waiting = wakeups.subscribe('a').next(never);
    await vi.advanceTimersByTimeAsync(5000);
    await waiting;
    await wakeups.close();
  });

  it('hears nothing once it is closed', async () => {
    const { wakeups, hear } = await openByHand();
    const [closed, open] = [wakeups.subscribe('a'), wakeups.subscribe('a')];
    closed.close();
    hear('a');
    expect(await returns(open)).toBe(true);
    expect(await returns(closed)).toBe(false);
    await wakeups.close();
  });

  it('leaves no listener on the signal behind, however often it waits', async () => {
    const { wakeups, hear } = await openByHand();
    const subscription = wakeups.subscribe('a');
    const { signal } = new AbortController();
    for (let count = 0; count < 20; count += 1) {
      const waiting = subscription.next(signal);
      hear('a');
      await waiting;
    }
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
    await wakeups.close();
  });
});

describe('a callback', () => {
  it('is called on every wake-up until it is detached', async () => {
    const { wakeups, hear, connect, sent } = await openByHand();
    const called = vi.fn();
    const detach = wakeups.on('a', called);
    hear('a');
    hear('b');
    connect(false);
    expect(called).toHaveBeenCalledTimes(2);
    detach();
    hear('a');
    expect(called).toHaveBeenCalledTimes(2);
    await wakeups.notify('a');
    expect(sent).toEqual(['a']);
    await wakeups.close();
  });
});
