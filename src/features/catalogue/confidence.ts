/** What tells a sure answer from a guess; every figure 0..1. */
export type Evidence = {
  /** Share of the text's weight in words that the catalogue knows, but for one or two among known ones. */
  known: number;
  /** How much the best market speaks of, whatever the length of the text. */
  matched: number;
  /** What share of the text's telling words that is. */
  cover: number;
  /** What share of the match rests on a single word; 0 where nearly the whole text is matched. */
  alone: number;
  /** How far the best market stands above the field. */
  lead: number;
};

const WEIGHTS: Readonly<Record<keyof Evidence, number>> = { known: 4, matched: 2.58, cover: 3.91, alone: -3.65, lead: 7.41 };
const BIAS = -9.6;

/** Below this the catalogue does not know what a text is about: even the nearest market is as good as none. */
export const UNKNOWN_BELOW = 0.01;

/** Below this the market named may well be another one: nothing should be said or built on it without saying so. */
export const DOUBTFUL_BELOW = 0.3;

/**
 * Logistic regression over the evidence, fitted to ideas whose market is in the catalogue against the same ideas with
 * their market taken out of it, and to short texts with and without a market. Words that no market has do not count: a
 * made-up product name changes nothing.
 */
export function confidenceOf(evidence: Evidence): number {
  const keys = Object.keys(WEIGHTS) as (keyof Evidence)[];
  const sum = keys.reduce((total, key) => total + WEIGHTS[key] * evidence[key], BIAS);
  return 1 / (1 + Math.exp(-sum));
}
