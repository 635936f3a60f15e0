const EARLIEST = Date.UTC(1990, 0, 1);
const DAY_MS = 86_400_000;

const ISO = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,]\d+)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const MAIL = /^(?:[a-z]{3,9},?\s+)?\d{1,2}\s+[a-z]{3,9}\s+\d{4}(?:\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s+(GMT|UTC|Z|[+-]\d{4}))?)?$/i;
const AMERICAN = /^[a-z]{3,9}\.?\s+\d{1,2},?\s+\d{4}$/i;

/**
 * A date as the web writes it, as ISO 8601 in UTC, or null when it is none or cannot be a day of publication
 * (before 1990, in the future). Dates without a zone count as UTC.
 */
export function isoDate(value: unknown, now: number = Date.now()): string | null {
  if (typeof value !== 'string' || value.length > 60) return null;
  const time = timeOf(value.trim());
  return Number.isNaN(time) || time < EARLIEST || time > now + DAY_MS ? null : new Date(time).toISOString();
}

function timeOf(text: string): number {
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day, minutes = '00:00', seconds = ':00', zone = 'Z'] = iso;
    return Date.parse(`${year}-${month}-${day}T${minutes}${seconds}${zoneOf(zone)}`);
  }
  const mail = MAIL.exec(text);
  if (mail) return Date.parse(mail[1] ? text : `${text} UTC`);
  return AMERICAN.test(text) ? Date.parse(`${text} UTC`) : Number.NaN;
}

function zoneOf(zone: string): string {
  if (/^z$/i.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
