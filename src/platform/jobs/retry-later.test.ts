import { describe, expect, it } from 'vitest';
import { RetryLater, waitUntil } from './retry-later.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const now = Date.now();

describe('a job that is to be tried again', () => {
  it.each([
    ['in a minute', new Date(now + MINUTE_MS), MINUTE_MS],
    ['long ago', new Date(0), 0],
    ['in a week', new Date(now + 7 * DAY_MS), DAY_MS],
    ['at a moment that no date holds', new Date(Number('9'.repeat(400))), DAY_MS],
  ])('%s waits until then, and at most a day', (_when, at, milliseconds) => {
    expect(waitUntil(new RetryLater(at).at, now)).toBe(milliseconds);
  });
});
