import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from './retry.ts';

describe('parseRetryAfter', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30_000],
    ['Wed, 21 Oct 2026 07:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads %j as %j milliseconds', (header, milliseconds) => {
    expect(parseRetryAfter(header, now)).toBe(milliseconds);
  });
});
