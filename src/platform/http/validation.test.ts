import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../lib/errors.ts';
import { check } from './validation.ts';
import { flag, idParam, paging, wholeNumber } from './vocabulary.ts';

function outcome(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.kind;
  }
}

const Body = z.object({
  text: z.string().min(1).max(5),
  id: z.uuid().nullish(),
  mode: z.enum(['a', 'b']).default('a'),
  list: z.array(z.uuid()).min(1).max(2).optional(),
  count: z.int().min(1).optional(),
  nested: z.object({ on: z.boolean() }).optional(),
});

describe('a body', () => {
  it.each([
    [{}, 'malformed'],
    [{ text: null }, 'malformed'],
    [{ text: 5 }, 'malformed'],
    [{ text: ['x'] }, 'malformed'],
    [[], 'malformed'],
    ['text', 'malformed'],
    [7, 'malformed'],
    [{ text: 'x', id: 5 }, 'malformed'],
    [{ text: 'x', mode: 5 }, 'malformed'],
    [{ text: 'x', mode: null }, 'malformed'],
    [{ text: 'x', list: 'x' }, 'malformed'],
    [{ text: 'x', list: [5] }, 'malformed'],
    [{ text: 'x', count: '1' }, 'malformed'],
    [{ text: 'x', nested: {} }, 'malformed'],
    [{ text: 'x', nested: { on: 'yes' } }, 'malformed'],
    [{ text: '' }, 'invalid'],
    [{ text: 'abcdef' }, 'invalid'],
    [{ text: 'x', id: 'x' }, 'invalid'],
    [{ text: 'x', mode: 'c' }, 'invalid'],
    [{ text: 'x', list: [] }, 'invalid'],
    [{ text: 'x', list: ['x'] }, 'invalid'],
    [{ text: 'x', count: 0 }, 'invalid'],
    [{ text: 'x', id: null, more: true }, 'accepted'],
    [{ text: 'x', mode: 'b', count: 3, nested: { on: false } }, 'accepted'],
  ])('%j is %s [R028 R037]', (body, kind) => {
    expect(outcome(() => check(Body, body, 'body'))).toBe(kind);
  });

  it('{"count":1.5} is invalid: a number, but not a whole one [R037]', () => {
    expect(outcome(() => check(Body, { text: 'x', count: 1.5 }, 'body'))).toBe('invalid');
  });

  it('names the field in its error', () => {
    expect(() => check(Body, {}, 'body')).toThrow(/^text: required$/);
    expect(() => check(Body, { text: 'x', nested: { on: 1 } }, 'body')).toThrow(/^nested\.on: /);
  });

  it('follows the statuses and texts of a declaration that has its own', () => {
    const Device = z.object({ device_id: z.string().min(1).max(5) });
    const declared = { bodyErrors: { status: 'invalid' as const, detail: 'device_id required' } };
    for (const body of [{}, { device_id: '' }]) {
      expect(outcome(() => check(Device, body, 'body', declared))).toBe('invalid');
      expect(() => check(Device, body, 'body', declared)).toThrow('device_id required');
    }
    expect(outcome(() => check(Device, { device_id: 'too long' }, 'body', declared))).toBe('invalid');
    expect(outcome(() => check(Device, {}, 'query', declared))).toBe('malformed');
  });
});

describe('a query', () => {
  const Query = paging({ standard: 5, max: 100 });

  it.each([
    [{}, 'accepted'],
    [{ limit: '1', offset: '0' }, 'accepted'],
    [{ limit: '100' }, 'accepted'],
    [{ limit: '0' }, 'invalid'],
    [{ limit: '101' }, 'invalid'],
    [{ limit: 'x' }, 'invalid'],
    [{ limit: '' }, 'invalid'],
    [{ limit: '1e1' }, 'invalid'],
    [{ limit: '0x5' }, 'invalid'],
    [{ limit: ' 5' }, 'invalid'],
    [{ limit: ['1', '2'] }, 'invalid'],
    [{ offset: '-1' }, 'invalid'],
    [{ offset: '99999999999999999999' }, 'invalid'],
  ])('%j is %s [R037]', (query, kind) => {
    expect(outcome(() => check(Query, query, 'query'))).toBe(kind);
  });

  it('has the standard values', () => {
    expect(check(Query, {}, 'query')).toEqual({ limit: 5, offset: 0 });
    expect(check(z.object({ cursor: wholeNumber({ standard: 0, min: 0 }), on: flag() }), { on: '1' }, 'query')).toEqual({ cursor: 0, on: true });
    expect(outcome(() => check(z.object({ on: flag() }), { on: 'yes' }, 'query'))).toBe('invalid');
    expect(outcome(() => check(z.object({ q: z.string() }), {}, 'query'))).toBe('malformed');
  });
});

describe('a path', () => {
  it('with something else than a UUID is invalid [R037]', () => {
    expect(outcome(() => check(idParam('id'), { id: 'x' }, 'path'))).toBe('invalid');
    expect(outcome(() => check(idParam('id'), { id: 'b0a1d2c3-0000-4000-8000-000000000000' }, 'path'))).toBe('accepted');
  });
});

describe('a text that cannot be stored', () => {
  const Texts = z.object({ text: z.string(), more: z.record(z.string(), z.unknown()).optional() });

  it('is refused for the character NUL, wherever it stands', () => {
    for (const body of [{ text: 'a\u0000b' }, { text: 'a', more: { b: ['\u0000'] } }, { text: 'a', more: { '\u0000': 1 } }]) {
      expect(outcome(() => check(Texts, body, 'body'))).toBe('invalid');
    }
  });

  it('has U+FFFD for half a character', () => {
    expect(check(Texts, { text: 'a\ud83d', more: { b: '\udc1d' } }, 'body')).toEqual({ text: 'a\ufffd', more: { b: '\ufffd' } });
  });
});
