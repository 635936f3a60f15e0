import { describe, expect, it } from 'vitest';
import { foldEvents, type Line, type StateEvent } from './fold-events.ts';
import { STATUS, type StatusType } from './provider-event.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00Z');

type Given = { at?: number; product?: string; transaction?: string; original?: string; expires?: number | null };
let count = 0;
const event = (type: StatusType, { at = (count += 1), product, transaction, original, expires }: Given = {}): StateEvent => ({
  kind: 'reported',
  id: `e${String((count += 1)).padStart(6, '0')}`,
  at: START + at * DAY,
  type,
  productId: product,
  transactionId: transaction,
  originalTransactionId: original,
  expiresAt: expires === undefined || expires === null ? expires : START + expires * DAY,
});
const only = (events: readonly StateEvent[]): Line => {
  const lines = foldEvents(events);
  expect(lines).toHaveLength(1);
  return lines[0] as Line;
};

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function shuffled<T>(list: readonly T[], next: (below: number) => number): T[] {
  const mixed = [...list];
  for (let place = mixed.length - 1; place > 0; place -= 1) {
    const other = next(place + 1);
    [mixed[place], mixed[other]] = [mixed[other] as T, mixed[place] as T];
  }
  return mixed;
}

describe('the state of a subscription', () => {
  it.each(Object.entries(STATUS) as [StatusType, string][])(
    'is after %s %s [R1053 R1054 R1055 R1056 R1057 R1058 R1061 R1062 R1063]',
    (type, status) => {
      const bought = event('INITIAL_PURCHASE', { at: 0, product: 'pro', expires: 30 });
      expect(only([bought, event(type, { at: 1, product: 'pro' })])).toMatchObject({
        status,
        entitled: status === 'active' || status === 'in_billing_retry',
      });
      expect(only([event(type, { at: 1, product: 'pro' })]).status).toBe(status);
    },
  );

  it('entitles after a cancellation until it expires, without renewal [R1059 R1060]', () => {
    const bought = event('INITIAL_PURCHASE', { at: 0, product: 'pro', expires: 30 });
    const cancelled = event('CANCELLATION', { at: 5, product: 'pro' });
    expect(only([bought])).toMatchObject({ willRenew: true, expiresAt: START + 30 * DAY });
    expect(only([bought, cancelled])).toMatchObject({ willRenew: false, entitled: true, expiresAt: START + 30 * DAY });
    expect(only([bought, cancelled, event('UNCANCELLATION', { at: 6, product: 'pro' })])).toMatchObject({ willRenew: true });
    expect(only([bought, cancelled, event('EXPIRATION', { at: 30, product: 'pro' })])).toMatchObject({ entitled: false, status: 'expired' });
  });

  it('is kept for each subscription: the end of one does not end another', () => {
    const events = [
      event('INITIAL_PURCHASE', { at: 0, product: 'plus', original: 't1', transaction: 't1' }),
      event('INITIAL_PURCHASE', { at: 1, product: 'pro', original: 't2', transaction: 't2' }),
      event('EXPIRATION', { at: 2, product: 'plus', original: 't1', transaction: 't9' }),
    ];
    expect(foldEvents(events).map(({ productId, entitled }) => [productId, entitled])).toEqual([
      ['plus', false],
      ['pro', true],
    ]);
  });

  it('follows a subscription to another product', () => {
    const events = [
      event('INITIAL_PURCHASE', { at: 0, product: 'plus', original: 't1' }),
      event('PRODUCT_CHANGE', { at: 1, product: 'plus', original: 't1' }),
      event('RENEWAL', { at: 2, product: 'pro', original: 't1' }),
    ];
    expect(only(events)).toMatchObject({ productId: 'pro', status: 'active' });
  });

  it('takes an event that names nothing for the latest subscription', () => {
    expect(foldEvents([event('EXPIRATION')])).toHaveLength(1);
    const events = [
      event('INITIAL_PURCHASE', { at: 0, product: 'a' }),
      event('INITIAL_PURCHASE', { at: 1, product: 'b' }),
      event('EXPIRATION', { at: 2 }),
    ];
    expect(foldEvents(events).map(({ status }) => status)).toEqual(['active', 'expired']);
  });

  it('is what the provider says, until it reports something later', () => {
    const bought = event('INITIAL_PURCHASE', { at: 0, product: 'pro', original: 'GPA.1', transaction: 'GPA.1..2', expires: 30 });
    const correction = {
      productId: 'pro',
      transactionId: 'GPA.1..7',
      status: 'expired',
      entitled: false,
      expiresAt: START,
      willRenew: false,
    } as const;
    const reconciled: StateEvent = { kind: 'reconciled', id: 'r', at: START + 10 * DAY, corrections: [correction] };
    expect(only([bought, reconciled])).toMatchObject({ status: 'expired', entitled: false, expiresAt: START });
    const late = event('CANCELLATION', { at: 5, product: 'pro', original: 'GPA.1' });
    expect(only([bought, reconciled, late])).toMatchObject({ status: 'expired' });
    const renewed = event('RENEWAL', { at: 11, product: 'pro', original: 'GPA.1', expires: 60 });
    expect(only([renewed, reconciled, bought])).toMatchObject({ status: 'active', entitled: true, expiresAt: START + 60 * DAY });
  });

  it('lapses only when nothing longer was heard of', () => {
    const bought = event('INITIAL_PURCHASE', { at: 0, product: 'pro', expires: 30 });
    const lapsed: StateEvent = { kind: 'lapsed', id: 'l', at: START + 32 * DAY, transactionId: null, productId: 'pro', expiresAt: START + 30 * DAY };
    expect(only([bought, lapsed])).toMatchObject({ status: 'expired', entitled: false });
    const renewed = event('RENEWAL', { at: 29, product: 'pro', expires: 60 });
    expect(only([lapsed, renewed, bought])).toMatchObject({ status: 'active', entitled: true });
  });

  it('does not depend on the order of arrival, nor on repeats', () => {
    const next = numbers(20_261_124);
    const types = Object.keys(STATUS) as StatusType[];
    for (let round = 0; round < 300; round += 1) {
      const events = Array.from({ length: 2 + next(9) }, (): StateEvent => {
        const kind = next(10);
        // Several at one moment: then their ids decide.
        const at = next(5);
        if (kind === 0)
          return { kind: 'lapsed', id: `l${next(1e6)}`, at: START + at * DAY, transactionId: null, productId: `p${next(2)}`, expiresAt: START };
        if (kind === 1) {
          const state = { status: 'paused', entitled: false, expiresAt: START, willRenew: false } as const;
          const corrections = [{ ...state, productId: `p${next(2)}`, transactionId: next(2) ? 't0' : null }];
          return { kind: 'reconciled', id: `r${next(1e6)}`, at: START + at * DAY, corrections };
        }
        const type = types[next(types.length)] ?? 'RENEWAL';
        return event(type, {
          at,
          ...(next(5) ? { product: `p${next(3)}` } : {}),
          ...(next(2) ? { original: `t${next(3)}` } : {}),
          ...(next(3) ? { expires: next(40) } : {}),
        });
      });
      const expected = foldEvents(events);
      for (let turn = 0; turn < 5; turn += 1) expect(foldEvents(shuffled([...events, ...events.slice(next(events.length))], next))).toEqual(expected);
    }
  });
});
