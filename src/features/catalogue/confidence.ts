/** What tells a sure answer from a guess; every figure 0..1. */
export type Evidence = {
  /** Share of the text's weight in words that the catalogue knows, but for one or two among known ones. */
  known: number;
  /** How much of the text the best market speaks of, saturating. */
  substance: number;
  /** How far the best market stands above the field. */
  lead: number;
  /** How far the text is nothing but a name or keyword of the market. */
  label: number;
};

const WEIGHTS: Readonly<Record<keyof Evidence, number>> = { known: 4, substance: 6.9, lead: 3, label: 4.2 };
const BIAS = -11.7;

/** Below this the catalogue does not know what a text is about: even the nearest market is as good as none. */
export const UNKNOWN_BELOW = 0.03;

/** Below this the market named may well be another one: nothing should be said or built on it without saying so. */
export const DOUBTFUL_BELOW = 0.33;

/**
 * Logistic regression over the evidence, fitted to ideas whose market is in the catalogue against the same ideas with
 * their market taken out of it. Words that no market has do not count: a made-up product name changes nothing.
 */
export function confidenceOf(evidence: Evidence): number {
  const sum =
    BIAS + WEIGHTS.known * evidence.known + WEIGHTS.substance * evidence.substance + WEIGHTS.lead * evidence.lead + WEIGHTS.label * evidence.label;
  return 1 / (1 + Math.exp(-sum));
}
