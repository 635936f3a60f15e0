import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineDocument, DocumentError } from './define-document.ts';

const Price = z.object({ amount: z.number(), currency: z.string(), note: z.string().nullable() });
const price = defineDocument('price', Price, {
  version: 3,
  upcasts: {
    1: ({ euros }) => ({ amount: euros, currency: 'EUR' }),
    2: (old) => ({ ...old, note: null }),
  },
});

describe('a document', () => {
  it('is read as it was written, without its version', () => {
    const value = { amount: 5, currency: 'CHF', note: 'a month' };
    expect(JSON.parse(price.write(value))).toEqual({ v: 3, ...value });
    expect(price.read(price.write(value))).toEqual(value);
    expect(price.read(JSON.parse(price.write(value)))).toEqual(value);
  });

  it.each([
    ['the first, which carried no version', { euros: 5 }],
    ['the first', { v: 1, euros: 5 }],
    ['the second', { v: 2, amount: 5, currency: 'EUR' }],
  ])('of an older version is lifted: %s', (_name, stored) => {
    expect(price.read(stored)).toEqual({ amount: 5, currency: 'EUR', note: null });
  });

  it.each([
    ['a newer program wrote it', { v: 4, amount: 5 }, /^price: version 4 was written by a newer program/],
    ['its version is none', { v: 'two' }, /^price: "two" is no version/],
    ['a part is of another shape', { v: 3, amount: '5', currency: 'EUR', note: null }, /^price, version 3: amount: /],
    ['it is no object', [1], /^price: expected an object/],
  ])('is refused when %s', (_name, stored, message) => {
    expect(() => price.read(stored)).toThrow(DocumentError);
    expect(() => price.read(stored)).toThrow(message);
  });

  it('may be a list, which was once stored bare', () => {
    const prices = defineDocument('prices', z.array(z.number()), {
      version: 2,
      upcasts: { 1: ({ list }) => ({ list: (list as number[]).toReversed() }) },
    });
    expect(JSON.parse(prices.write([1, 2]))).toEqual({ v: 2, list: [1, 2] });
    expect(prices.read(prices.write([1, 2]))).toEqual([1, 2]);
    expect(prices.read([2, 1])).toEqual([1, 2]);
    expect(() => prices.read({ v: 2 })).toThrow(/^prices, version 2/);
  });

  it('that is large is checked only when it was lifted', () => {
    const large = defineDocument('large', z.object({ a: z.number() }), { version: 2, upcasts: { 1: (old) => old }, checks: 'older' });
    expect(large.read({ v: 2, a: 'x' })).toEqual({ a: 'x' });
    expect(() => large.read({ a: 'x' })).toThrow(/^large, version 1: a: /);
    expect(() => large.check({ v: 2, a: 'x' })).toThrow(/^large, version 2: a: /);
  });

  it('cannot be declared with a version that nothing lifts', () => {
    expect(() => defineDocument('gap', Price, { version: 3, upcasts: { 1: (old) => old } })).toThrow('nothing lifts version 2');
  });
});
