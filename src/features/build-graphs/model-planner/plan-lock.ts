import { artifactTexts, saidIn } from '#features/research';
import { textsIn } from '#lib/text.ts';
import type { Material } from '../planner.ts';

/** Names of tools and counts are a planner's own. */
const PLANNED = { namesAreFree: true, countsAreFree: true };
/** What is to be reached may be a price or a share that nobody has yet. */
const AIMED = { namesAreFree: true, numbersAreFree: true };

export type PlanLock = {
  /** The sentences whose addresses, prices and shares stand in the material. */
  sound(text: string): string;
  /** The same for what is only aimed at: addresses alone have to be known. */
  aim(text: string): string;
  /** Sentences dropped so far. */
  dropped(): number;
};

/** Holds what a model plans against the idea, its features and what research found of them. */
export function planLock({ idea, features, research, findings }: Material): PlanLock {
  const said = saidIn([idea, ...features.map(({ label }) => label), ...research.flatMap(artifactTexts), ...textsIn(findings)]);
  let dropped = 0;
  const keep = (text: string, freedom: typeof PLANNED | typeof AIMED): string => {
    const kept = said.keepSound(text, freedom);
    dropped += kept.faults.length;
    return kept.text;
  };
  return { sound: (text) => keep(text, PLANNED), aim: (text) => keep(text, AIMED), dropped: () => dropped };
}
