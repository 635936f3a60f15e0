import { describe, expect, it } from 'vitest';
import { checkTiming, nextRun, type Timing } from './timing.ts';

const cron = (expression: string, timeZone = 'Europe/Berlin'): Timing => ({ kind: 'cron', expression, timeZone });
const interval = (every: string, from: string, timeZone = 'Europe/Berlin'): Timing => ({ kind: 'interval', every, from, timeZone });

/** The next runs after a moment, in UTC. */
function runs(timing: Timing, after: string, count: number): string[] {
  const found: string[] = [];
  let last: Date | null = new Date(after);
  while (found.length < count) {
    last = nextRun(timing, last);
    if (!last) break;
    found.push(last.toISOString().replace(':00.000Z', 'Z'));
  }
  return found;
}

describe('cron', () => {
  it('runs at the change when a clock change skips its time', () => {
    expect(runs(cron('30 2 * * *'), '2027-03-27T00:00:00Z', 3)).toEqual(['2027-03-27T01:30Z', '2027-03-28T01:00Z', '2027-03-29T00:30Z']);
  });

  it('runs once, the first time, when a clock change repeats its time', () => {
    expect(runs(cron('30 2 * * *'), '2027-10-30T12:00:00Z', 2)).toEqual(['2027-10-31T00:30Z', '2027-11-01T01:30Z']);
  });

  it.each([
    ['forwards', 'Europe/Berlin', '2027-03-28T00:00:00Z', ['2027-03-28T00:30Z', '2027-03-28T01:00Z', '2027-03-28T01:30Z', '2027-03-28T02:00Z']],
    ['backwards', 'Europe/Berlin', '2027-10-31T00:00:00Z', ['2027-10-31T00:30Z', '2027-10-31T01:00Z', '2027-10-31T01:30Z', '2027-10-31T02:00Z']],
    [
      'backwards by half an hour',
      'Australia/Lord_Howe',
      '2027-04-03T14:00:00Z',
      ['2027-04-03T14:30Z', '2027-04-03T15:00Z', '2027-04-03T15:30Z', '2027-04-03T16:00Z'],
    ],
  ])('loses no half hour when the clock goes %s', (_change, zone, after, expected) => {
    expect(runs(cron('*/30 * * * *', zone), after, 4)).toEqual(expected);
  });

  it('comes on the 29th of February in leap years alone', () => {
    expect(runs(cron('0 9 29 2 *', 'UTC'), '2027-01-01T00:00:00Z', 2)).toEqual(['2028-02-29T09:00Z', '2032-02-29T09:00Z']);
  });

  it('skips months without its day', () => {
    expect(runs(cron('0 9 31 * *', 'UTC'), '2027-01-01T00:00:00Z', 3)).toEqual(['2027-01-31T09:00Z', '2027-03-31T09:00Z', '2027-05-31T09:00Z']);
  });
});

describe('an interval', () => {
  it('keeps the day of the month after a short month', () => {
    const monthly = interval('P1M', '2027-01-31T08:00:00Z');
    expect(runs(monthly, '2027-01-31T08:00:00Z', 3)).toEqual(['2027-02-28T08:00Z', '2027-03-31T07:00Z', '2027-04-30T07:00Z']);
  });

  it('of years keeps the 29th of February', () => {
    const yearly = interval('P1Y', '2028-02-29T08:00:00Z', 'UTC');
    expect(runs(yearly, '2028-02-29T08:00:00Z', 4)).toEqual(['2029-02-28T08:00Z', '2030-02-28T08:00Z', '2031-02-28T08:00Z', '2032-02-29T08:00Z']);
  });

  it('of days whose time a clock change skips or repeats runs once on that day', () => {
    const skipped = interval('P1D', '2027-03-26T01:30:00Z');
    expect(runs(skipped, '2027-03-27T00:00:00Z', 3)).toEqual(['2027-03-27T01:30Z', '2027-03-28T01:30Z', '2027-03-29T00:30Z']);
    const repeated = interval('P1D', '2027-10-29T00:30:00Z');
    expect(runs(repeated, '2027-10-30T00:00:00Z', 3)).toEqual(['2027-10-30T00:30Z', '2027-10-31T00:30Z', '2027-11-01T01:30Z']);
  });

  it('of days follows the clock, of hours the time that passed', () => {
    expect(runs(interval('P1D', '2027-03-27T08:00:00Z'), '2027-03-27T08:00:00Z', 2)).toEqual(['2027-03-28T07:00Z', '2027-03-29T07:00Z']);
    expect(runs(interval('PT24H', '2027-03-27T08:00:00Z'), '2027-03-27T08:00:00Z', 2)).toEqual(['2027-03-28T08:00Z', '2027-03-29T08:00Z']);
  });

  it('begins with its first moment', () => {
    expect(runs(interval('P1W', '2030-01-01T00:00:00Z'), '2027-01-01T00:00:00Z', 2)).toEqual(['2030-01-01T00:00Z', '2030-01-08T00:00Z']);
  });

  it('is exact far from its first moment', () => {
    expect(runs(interval('PT1M', '1990-01-01T00:00:00Z'), '2027-06-01T12:34:56Z', 1)).toEqual(['2027-06-01T12:35Z']);
    expect(runs(interval('P1M', '1900-01-15T00:00:00Z', 'UTC'), '2027-06-15T00:00:00Z', 1)).toEqual(['2027-07-15T00:00Z']);
  });
});

describe('a moment', () => {
  it('comes once', () => {
    const timing: Timing = { kind: 'moment', at: '2027-01-01T10:00:00+01:00' };
    expect(runs(timing, '2026-01-01T00:00:00Z', 5)).toEqual(['2027-01-01T09:00Z']);
  });
});

describe('what cannot be scheduled', () => {
  it.each<[string, Timing, RegExp]>([
    ['six fields', cron('0 0 9 * * *'), /^cron: expected five fields/],
    ['a nickname', cron('@daily'), /^cron: expected five fields/],
    ['the last day, which only some know', cron('0 9 L * *'), /^cron: expected five fields/],
    ['a minute too many', cron('60 9 * * *'), /^cron: /],
    ['a day that never comes', cron('0 0 31 2 *'), /^cron: this never comes/],
    ['no time zone', cron('0 9 * * *', 'Berlin'), /^time_zone: /],
    ['no duration', interval('1 hour', '2027-01-01T00:00:00Z'), /^every: expected an ISO 8601 duration/],
    ['a negative duration', interval('-PT1H', '2027-01-01T00:00:00Z'), /^every: at least a minute/],
    ['half a minute', interval('PT30S', '2027-01-01T00:00:00Z'), /^every: at least a minute/],
    ['a moment without a zone', { kind: 'moment', at: '2027-01-01T10:00:00' }, /^at: expected an ISO 8601 moment/],
  ])('is refused with what is wrong: %s', (_name, timing, message) => {
    expect(() => checkTiming(timing)).toThrow(message);
  });

  it.each([cron('0 9 * * MON-FRI'), cron('*/5 8-18 1,15 JAN-MAR 7'), interval('PT1.5H', '2027-01-01T00:00:00Z')])('and what can: %j', (timing) => {
    expect(() => checkTiming(timing)).not.toThrow();
  });
});
