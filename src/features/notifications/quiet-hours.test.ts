import { describe, expect, it } from 'vitest';
import { isTimeZone, quietUntil } from './quiet-hours.ts';

const until = (from: string, to: string, timeZone: string, now: string): string | null =>
  quietUntil({ from, to, timeZone }, new Date(now))?.toISOString() ?? null;

describe('quiet hours', () => {
  it.each([
    ['before midnight', '2026-11-24T22:30:00Z', '2026-11-25T06:00:00.000Z'],
    ['after midnight', '2026-11-25T02:00:00Z', '2026-11-25T06:00:00.000Z'],
    ['at their first minute', '2026-11-24T21:00:00Z', '2026-11-25T06:00:00.000Z'],
    ['in the minute before they begin', '2026-11-24T20:59:59Z', null],
    ['in their last minute', '2026-11-25T05:59:59.999Z', '2026-11-25T06:00:00.000Z'],
    ['at their end', '2026-11-25T06:00:00Z', null],
    ['at noon', '2026-11-25T11:00:00Z', null],
  ])('over midnight hold %s on the clock of their time zone', (_when, now, end) => {
    expect(until('22:00', '07:00', 'Europe/Berlin', now)).toBe(end);
  });

  it('within a day end on that day', () => {
    expect(until('12:00', '13:30', 'Asia/Kathmandu', '2026-11-24T06:20:00Z')).toBe('2026-11-24T07:45:00.000Z');
    expect(until('12:00', '13:30', 'Asia/Kathmandu', '2026-11-24T06:14:59Z')).toBeNull();
  });

  it('end at a time that the clock skips, when it has jumped', () => {
    // On 28 March 2027 the clock of Berlin goes from 02:00 to 03:00.
    expect(until('22:00', '02:30', 'Europe/Berlin', '2027-03-28T00:10:00Z')).toBe('2027-03-28T01:00:00.000Z');
    expect(until('22:00', '03:00', 'Europe/Berlin', '2027-03-28T00:30:00Z')).toBe('2027-03-28T01:00:00.000Z');
  });

  it('that come a second time, as the clock goes back, end a second time and not a day later', () => {
    // On 31 October 2027 the clock of Berlin goes from 03:00 back to 02:00.
    expect(until('22:00', '02:30', 'Europe/Berlin', '2027-10-31T00:10:00Z')).toBe('2027-10-31T00:30:00.000Z');
    expect(until('22:00', '02:30', 'Europe/Berlin', '2027-10-31T01:10:00Z')).toBe('2027-10-31T01:30:00.000Z');
  });

  it('need a time zone that exists', () => {
    expect([isTimeZone('Europe/Berlin'), isTimeZone('UTC'), isTimeZone('Mars/Olympus')]).toEqual([true, true, false]);
  });
});
