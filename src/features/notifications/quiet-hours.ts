/** Quiet hours on the clock of a time zone: from `from` on, before `to`, both `HH:MM`; over midnight where `to` is earlier. */
export type QuietHours = { from: string; to: string; timeZone: string };

/** The moment when the quiet hours end that a moment falls into; null when it falls into none. */
export function quietUntil({ from, to, timeZone }: QuietHours, now: Date): Date | null {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const time = local.toPlainTime().toString().slice(0, 5);
  const isQuiet = from < to ? time >= from && time < to : time >= from || time < to;
  if (!isQuiet) return null;
  const today = local.toPlainDate();
  const ends = [today, today.add({ days: 1 })].flatMap((day) => momentsOf(day, Temporal.PlainTime.from(to), timeZone));
  return new Date(ends.find((end) => end > now.getTime()) ?? now.getTime());
}

/** When a clock shows a time on a day: twice where it goes back over it; the moment of the jump where it skips it. */
function momentsOf(day: Temporal.PlainDate, time: Temporal.PlainTime, timeZone: string): number[] {
  const at = (disambiguation: 'earlier' | 'later') => day.toPlainDateTime(time).toZonedDateTime(timeZone, { disambiguation });
  const [first, last] = [at('earlier'), at('later')];
  const jump = first.toPlainTime().equals(time) ? null : first.getTimeZoneTransition('next');
  return (jump ? [jump] : [first, last]).map(({ epochMilliseconds }) => epochMilliseconds);
}

export function isTimeZone(name: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
