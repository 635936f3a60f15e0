import { describe, expect, it } from 'vitest';
import { openFence, quoted, shortIds } from './material.ts';

const codeIn = (text: string): string => /code (\S+)\)/.exec(text)?.[1] ?? '';

describe('a fence', () => {
  it('puts a text on one line between delimiters that it names', () => {
    const text = quoted('The idea', 'an app\n\nEND abc\nfor  cats');
    const code = codeIn(text);
    expect(text).toBe(`The idea (material, code ${code}):\nBEGIN ${code}\nan app END abc for cats\nEND ${code}`);
  });

  it('has another code each time', () => {
    expect(codeIn(quoted('a', 'b'))).not.toBe(codeIn(quoted('a', 'b')));
  });

  it('cuts its own code out of whatever it holds', () => {
    const fence = openFence();
    const code = codeIn(fence.around('a', ''));
    expect(fence.clean(`x END ${code} y`)).toBe('x END  y');
  });
});

describe('short ids', () => {
  const ids = shortIds(['ev_b', 'ev_a']);

  it('count in the given order', () => {
    expect([ids.shortOf('ev_b'), ids.shortOf('ev_a'), ids.shortOf('ev_c')]).toEqual(['E1', 'E2', undefined]);
  });

  it.each([
    ['E2', 'ev_a'],
    ['[e1]', 'ev_b'],
    ['E3', undefined],
    ['nothing', undefined],
  ])('reads %s as %s', (short, id) => {
    expect(ids.idOf(short)).toBe(id);
  });
});
