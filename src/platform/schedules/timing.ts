import { Cron } from 'croner';
import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import { defineDocument } from '../documents/define-document.ts';

/** When something comes back: by cron in a time zone, every so often from a first moment, or once. */
const Timing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cron'), expression: z.string(), timeZone: z.string() }),
  /** `every` is an ISO 8601 duration, counted from `from`, an ISO 8601 moment; days and months follow the time zone's clock. */
  z.object({ kind: z.literal('interval'), every: z.string(), from: z.string(), timeZone: z.string() }),
  z.object({ kind: z.literal('moment'), at: z.string() }),
]);
export type Timing = z.output<typeof Timing>;

/** How a timing is stored. */
export const storedTiming = defineDocument('schedule timing', Timing, { version: 1 });

const SHORTEST_SECONDS = 60;
/** Minute, hour, day, month, weekday; the further words that the library knows (`@daily`, `L`) are not part of ours. */
const FIVE_FIELDS = /^(?:[\d*,/\-A-Za-z]+ ){4}[\d*,/\-A-Za-z]+$/;
const OTHER_WORDS = /[LW#@?]|^@/;
const NAMES = /JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT/gi;

/**
 * Says what is wrong with a timing before it is stored.
 * @throws AppError 422 naming the field
 */
export function checkTiming(timing: Timing): void {
  if (timing.kind !== 'moment') checkTimeZone(timing.timeZone);
  if (timing.kind === 'cron') return checkCron(timing.expression, timing.timeZone);
  if (timing.kind === 'moment') return void readMoment(timing.at, 'at');
  readMoment(timing.from, 'from');
  checkInterval(timing.every);
}

/**
 * The first run after a moment; null when none is left.
 * A cron time that a clock change skips runs at the change, one that happens twice runs the first time.
 * Source of the cron rules: POSIX crontab(5), as croner 11 reads it.
 */
export function nextRun(timing: Timing, after: Date): Date | null {
  switch (timing.kind) {
    case 'cron':
      return cronOf(timing.expression, timing.timeZone).nextRun(after);
    case 'interval':
      return nextOfInterval(timing, after);
    case 'moment': {
      const at = new Date(readMoment(timing.at, 'at').epochMilliseconds);
      return at > after ? at : null;
    }
  }
}

const cronOf = (expression: string, timezone: string): Cron => new Cron(expression, { timezone, mode: '5-part', paused: true });

function checkCron(expression: string, timeZone: string): void {
  if (!FIVE_FIELDS.test(expression) || OTHER_WORDS.test(expression.replaceAll(NAMES, ''))) {
    throw invalid('cron: expected five fields (minute, hour, day of month, month, day of week)');
  }
  let next: Date | null;
  try {
    next = cronOf(expression, timeZone).nextRun();
  } catch (error) {
    throw invalid(`cron: ${error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'not understood'}`);
  }
  if (!next) throw invalid('cron: this never comes');
}

function checkTimeZone(timeZone: string): void {
  try {
    Temporal.Now.zonedDateTimeISO(timeZone);
  } catch {
    throw invalid('time_zone: not a time zone of the IANA database, such as Europe/Berlin');
  }
}

function checkInterval(every: string): void {
  const duration = readDuration(every);
  if (duration.sign <= 0 || secondsOf(duration) < SHORTEST_SECONDS) throw invalid('every: at least a minute');
}

function readDuration(every: string): Temporal.Duration {
  try {
    return Temporal.Duration.from(every);
  } catch {
    throw invalid('every: expected an ISO 8601 duration such as PT1H or P1W');
  }
}

function readMoment(moment: string, field: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(moment);
  } catch {
    throw invalid(`${field}: expected an ISO 8601 moment with a zone, such as 2026-11-23T09:00:00Z`);
  }
}

const DAY = 86_400;
/** Mean lengths of the Gregorian calendar, in seconds; ISO 8601 leaves months and years to the calendar. */
const SECONDS = {
  years: 365.2425 * DAY,
  months: 30.436875 * DAY,
  weeks: 7 * DAY,
  days: DAY,
  hours: 3600,
  minutes: 60,
  seconds: 1,
  milliseconds: 0.001,
};
const FIELDS = Object.keys(SECONDS) as (keyof typeof SECONDS)[];
const secondsOf = (duration: Temporal.Duration): number => FIELDS.reduce((sum, field) => sum + duration[field] * SECONDS[field], 0);

/** The n-th run is counted from the first one, never from the one before: the 31st comes back after a short month. */
function nextOfInterval({ every, from, timeZone }: Extract<Timing, { kind: 'interval' }>, after: Date): Date {
  const first = readMoment(from, 'from').toZonedDateTimeISO(timeZone);
  if (first.epochMilliseconds > after.getTime()) return new Date(first.epochMilliseconds);
  const duration = readDuration(every);
  const elapsed = (after.getTime() - first.epochMilliseconds) / 1000;
  // Months and days differ from their mean length by less than two of them.
  let count = Math.max(1, Math.floor(elapsed / secondsOf(duration)) - 2);
  for (;;) {
    const run = first.add(times(duration, count)).epochMilliseconds;
    if (run > after.getTime()) return new Date(run);
    count += 1;
  }
}

const times = (duration: Temporal.Duration, count: number): Temporal.DurationLike =>
  Object.fromEntries(FIELDS.map((field) => [field, duration[field] * count]));
