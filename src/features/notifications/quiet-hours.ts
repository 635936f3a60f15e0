/** Quiet hours on the clock of a time zone: from `from` on, before `to`, both `HH:MM`; over midnight where `to` is earlier. */
export type QuietHours = { from: string; to: string; timeZone: string };

/** The moment when the quiet hours end that a moment falls into; null when it falls into none. */
export function quietUntil({ from, to, timeZone }: QuietHours, now: Date): Date | null {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const time = local.toPlainTime().toString().slice(0, 5);
  const isQuiet = from < to ? time >= from && time < to : time >= from || time < to;
  if (!isQuiet) return null;
  const today = local.toPlainDate();
  // Where the clock goes back, its time may come a second time.
  const ends = [
    endOn(today, to, timeZone, 'earlier'),
    endOn(today, to, timeZone, 'later'),
    endOn(today.add({ days: 1 }), to, timeZone, 'earlier'),
  ];
  return new Date(ends.find((end) => end > now.getTime()) ?? now.getTime());
}

const endOn = (day: Temporal.PlainDate, time: string, timeZone: string, disambiguation: 'earlier' | 'later'): number =>
  day.toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds;

export function isTimeZone(name: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
