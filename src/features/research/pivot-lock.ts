import type { Pivot } from './analyst.ts';
import { groundsOfArtifact } from './grounding/artifact-grounds.ts';
import { keepSound } from './grounding/grounds.ts';
import type { ResearchArtifact } from './schema.ts';

/**
 * Keeps pivots whose reasons the research bears out, without the sentences that it does not, and puts the rules' pivots in the
 * place of those of which a part is lost. A pivot is a proposal, so its own numbers and places are free; products that it names
 * were found, or stand in the idea.
 */
export function lockPivots(pivots: readonly Pivot[], artifact: ResearchArtifact, byRules: () => readonly Pivot[]): Pivot[] {
  const grounds = groundsOfArtifact(artifact);
  const soundOf = ({ idea, rationale, differentiation }: Pivot): Pivot | undefined => {
    if (grounds.faultOf(idea, { numbersAreFree: true, ideaIsFree: true, placesAreFree: true })) return undefined;
    const [why, how] = [rationale, differentiation].map((text) => keepSound(text, grounds).text);
    return why && how ? { idea, rationale: why, differentiation: how } : undefined;
  };
  const sound = pivots.map(soundOf);
  const taken = new Set(sound.flatMap((pivot) => pivot?.idea ?? []));
  const others = sound.includes(undefined) ? byRules().filter(({ idea }) => !taken.has(idea)) : [];
  return pivots.map((pivot, at) => sound[at] ?? others.shift() ?? pivot);
}
