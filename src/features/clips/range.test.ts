import { describe, expect, it } from 'vitest';
import { rangeOf } from './range.ts';

describe('the part of a file', () => {
  it.each([
    ['bytes=0-3', { from: 0, to: 3 }],
    ['bytes=4-', { from: 4, to: 9 }],
    ['bytes=-3', { from: 7, to: 9 }],
    ['bytes=-99', { from: 0, to: 9 }],
    ['bytes=8-99', { from: 8, to: 9 }],
    [undefined, null],
    ['bytes=-', null],
    ['bytes=10-', null],
    ['bytes=5-4', null],
    ['bytes=-0', null],
    ['bytes=0-1,4-5', null],
    ['lines=0-3', null],
  ])('that %s asks for, of ten bytes', (header, expected) => {
    expect(rangeOf(header, 10)).toEqual(expected);
  });
});
