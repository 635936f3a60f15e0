import { describe, expect, it } from 'vitest';
import { isStatusType, readProviderEvent } from './provider-event.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const read = (event: unknown) => readProviderEvent(Buffer.from(JSON.stringify({ api_version: '1.0', event })), NOW);

describe('an event of the provider', () => {
  it('is read with all the names of its customer, best first', () => {
    const event = read({
      id: 'e1',
      type: 'RENEWAL',
      event_timestamp_ms: 1000,
      app_user_id: 'a',
      original_app_user_id: '$RCAnonymousID:1',
      aliases: ['a', 'b', 7, ''],
      product_id: 'pro',
      original_transaction_id: 't1',
      transaction_id: 't2',
      expiration_at_ms: 2000,
    });
    expect(event).toEqual({
      id: 'e1',
      type: 'RENEWAL',
      at: 1000,
      customers: ['a', '$RCAnonymousID:1', 'b'],
      transferred: [],
      productId: 'pro',
      originalTransactionId: 't1',
      transactionId: 't2',
      expiresAt: 2000,
    });
  });

  it('ends with its grace period where a payment failed', () => {
    const given = { id: 'e', expiration_at_ms: 1000, grace_period_expiration_at_ms: 5000 };
    expect(read({ ...given, type: 'BILLING_ISSUE' }).expiresAt).toBe(5000);
    expect(read({ ...given, type: 'RENEWAL' }).expiresAt).toBe(1000);
    expect(read({ ...given, type: 'BILLING_ISSUE', grace_period_expiration_at_ms: null }).expiresAt).toBe(1000);
  });

  it('tells whose a transfer was and is', () => {
    expect(read({ id: 'e', type: 'TRANSFER', transferred_from: ['a'], transferred_to: ['b', 'c'] })).toMatchObject({
      customers: [],
      transferred: ['a', 'b', 'c'],
    });
  });

  it.each([
    ['no event', undefined],
    ['no object', 'x'],
    ['a list', []],
    ['nothing in it', {}],
    ['wrong types', { id: 5, type: null, event_timestamp_ms: 'x', app_user_id: {}, aliases: 'a', expiration_at_ms: -1, product_id: 9 }],
    ['moments that no calendar has', { event_timestamp_ms: 9e15, expiration_at_ms: 1e300 }],
  ])('is kept whatever it holds: %s', (_name, event) => {
    const seen = read(event);
    expect(seen).toMatchObject({ type: 'UNKNOWN', at: NOW, customers: [], productId: undefined, expiresAt: undefined });
    expect(seen.id).toMatch(/^bytes:[0-9a-f]{64}$/);
    expect(read(event).id).toBe(seen.id);
  });

  it('is known by a name that an index takes', () => {
    expect(read({ id: 'x'.repeat(100_000) }).id).toMatch(/^id:[0-9a-f]{64}$/);
    expect(read({ id: 'e', app_user_id: 'x'.repeat(256) }).customers).toEqual([]);
  });

  it.each(['', '{', '{"event":', 'event', '\u0000', '['.repeat(10_000)])('is refused when it is no JSON: %j', (text) => {
    expect(() => readProviderEvent(Buffer.from(text), NOW)).toThrow(expect.objectContaining({ kind: 'malformed' }) as Error);
  });

  it.each(['toString', 'constructor', '__proto__', 'SUBSCRIPTION_EXTENDED', ''])('of the type %j changes nothing', (type) => {
    expect(isStatusType(type)).toBe(false);
  });
});
