import type { Pivot } from './analyst.ts';
import { groundsOfArtifact } from './grounding/artifact-grounds.ts';
import type { ResearchArtifact } from './schema.ts';

/**
 * Keeps pivots whose reasons the research bears out, and puts the rules' pivots in the place of the others. A pivot is a
 * proposal, so its own numbers are free; what it names was found, or stands in the idea.
 */
export function lockPivots(pivots: readonly Pivot[], artifact: ResearchArtifact, byRules: () => readonly Pivot[]): Pivot[] {
  const grounds = groundsOfArtifact(artifact);
  const isSound = ({ idea, rationale, differentiation }: Pivot): boolean =>
    [grounds.faultOf(idea, { numbersAreFree: true, ideaIsFree: true }), grounds.faultOf(rationale), grounds.faultOf(differentiation)].every(
      (fault) => fault === undefined,
    );
  const sound = new Set(pivots.filter(isSound));
  if (sound.size === pivots.length) return [...pivots];
  const taken = new Set(Array.from(sound, ({ idea }) => idea));
  const others = byRules().filter(({ idea }) => !taken.has(idea));
  return pivots.map((pivot) => (sound.has(pivot) ? pivot : (others.shift() ?? pivot)));
}
