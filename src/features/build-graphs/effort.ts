import type { Days, Effort } from './schema.ts';

/** Working days that each size stands for; the middle of an estimate decides. */
const BANDS: readonly { effort: Effort; below: number; days: Days }[] = [
  { effort: 'small', below: 2.5, days: { low: 0.5, high: 2 } },
  { effort: 'medium', below: 6, days: { low: 2, high: 5 } },
  { effort: 'large', below: 14, days: { low: 5, high: 12 } },
  { effort: 'very_large', below: Number.POSITIVE_INFINITY, days: { low: 12, high: 30 } },
];

export const middleOf = ({ low, high }: Days): number => (low + high) / 2;

export const effortOf = (days: Days): Effort => BANDS.find(({ below }) => middleOf(days) < below)?.effort ?? 'very_large';

/** The days a size set by hand stands for: the present estimate where it agrees, else the size's own. */
export function daysOfEffort(effort: Effort, present: Days): Days {
  if (effortOf(present) === effort) return present;
  return BANDS.find((band) => band.effort === effort)?.days ?? present;
}

export const sumDays = (all: readonly Days[]): Days => ({
  low: round(all.reduce((sum, { low }) => sum + low, 0)),
  high: round(all.reduce((sum, { high }) => sum + high, 0)),
});

/** To a tenth of a day. */
export const round = (days: number): number => Math.round(days * 10) / 10;
