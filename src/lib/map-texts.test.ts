import { describe, expect, it } from 'vitest';
import { mapTexts } from './map-texts.ts';

const louder = (text: string): string => text.toUpperCase();

describe('changing every text of a value', () => {
  it('reaches names and nested lists, and leaves everything else', () => {
    const at = new Date(0);
    expect(mapTexts({ a: ['b', { c: 'd' }], n: 1, none: null, at }, louder)).toEqual({ A: ['B', { C: 'D' }], N: 1, NONE: null, AT: at });
  });

  it('gives the same value where nothing changes', () => {
    const value = { A: ['B', { C: 1 }] };
    expect(mapTexts(value, louder)).toBe(value);
  });

  it('keeps a property that is named like the prototype as a property', () => {
    const value = JSON.parse('{"__proto__":{"a":"b"}}') as object;
    const changed = mapTexts(value, louder);
    expect(JSON.stringify(changed)).toBe('{"__PROTO__":{"A":"B"}}');
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
  });
});
