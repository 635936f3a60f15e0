import { describe, expect, it } from 'vitest';
import { displayWidth, fitColumns, padColumns, wrapColumns } from './display-width.ts';

describe('columns', () => {
  it('counts what a terminal shows', () => {
    expect(displayWidth('abc')).toBe(3);
    expect(displayWidth('予約')).toBe(4);
    expect(displayWidth('e\u0301')).toBe(1);
    expect(displayWidth('👩‍🔬!')).toBe(3);
  });

  it('cuts and fills to a width', () => {
    expect(fitColumns('abcdef', 6)).toBe('abcdef');
    expect(fitColumns('abcdefg', 6)).toBe('abcde…');
    expect(fitColumns('予約予約', 6)).toBe('予約…');
    expect(padColumns('予', 4)).toBe('予  ');
  });

  it('breaks at spaces, and within a word only where it is longer than a line', () => {
    expect(wrapColumns('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapColumns('abcdefghij k', 4)).toEqual(['abcd', 'efgh', 'ij k']);
    expect(wrapColumns('予約と請求', 5)).toEqual(['予約', 'と請', '求']);
    expect(wrapColumns('', 5)).toEqual(['']);
    expect(wrapColumns('予', 1)).toEqual(['予']);
  });
});
