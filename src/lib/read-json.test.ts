import { describe, expect, it } from 'vitest';
import { AppError } from './errors.ts';
import { DEEPEST_JSON, readJson } from './read-json.ts';

const nested = (depth: number, inside = '') => '['.repeat(depth) + inside + ']'.repeat(depth);

describe('JSON from outside', () => {
  it('is read as JSON', () => {
    for (const value of [null, 7, 'text', [], {}, { a: [1, { b: 'c' }] }]) expect(readJson(JSON.stringify(value))).toEqual(value);
    expect(() => readJson('{')).toThrow(SyntaxError);
  });

  it('may have 64 levels and no more, of arrays and of objects', () => {
    expect(() => readJson(nested(DEEPEST_JSON))).not.toThrow();
    expect(() => readJson('{"a":'.repeat(DEEPEST_JSON) + '1' + '}'.repeat(DEEPEST_JSON))).not.toThrow();
    for (const text of [nested(65), nested(100_000), '[{"a":'.repeat(33), '{"a":'.repeat(65), ' [\n'.repeat(65)]) {
      expect(() => readJson(text)).toThrow(new AppError('malformed', 'JSON nested deeper than 64 levels is not accepted'));
    }
  });

  it('counts open levels, not brackets', () => {
    expect(readJson(`[${'[],'.repeat(1000)}{}]`)).toHaveLength(1001);
  });

  it('does not count what stands in strings, whatever is escaped there', () => {
    const texts = ['['.repeat(100), `"${'{'.repeat(100)}`, `\\"${'['.repeat(100)}\\`, `\\\\${'['.repeat(100)}`, '\\'.repeat(99)];
    for (const text of texts) expect(readJson(JSON.stringify({ [text]: text }))).toEqual({ [text]: text });
    // A backslash before the closing quote is itself escaped, so what follows is no string any more.
    expect(() => readJson(`["\\\\",${nested(65)}]`)).toThrow(AppError);
  });

  it('survives text that is no JSON', () => {
    for (const text of ['"', '"\\', '"\\"', ']]]]', '}'.repeat(100), '"'.repeat(1001), '\\']) expect(() => readJson(text)).toThrow(SyntaxError);
  });
});
