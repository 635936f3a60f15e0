import { z } from 'zod';
import type { Analysis, Interpretation } from '../analyst.ts';
import type { Competitor, MarketFeature, Recommendation } from '../schema.ts';
import { ideaInBrief } from './idea-in-brief.ts';
import { MATERIAL_RULES } from '#platform/llm/material.ts';
import type { Material } from './material.ts';

const Ids = z.array(z.string()).default([]);
const Statements = z.array(z.object({ text: z.string(), evidence: Ids })).default([]);
const BuildItems = z
  .array(z.object({ feature_id: z.string(), label: z.string().default(''), reason: z.string().default(''), evidence: Ids }))
  .default([]);

export const SynthesizeAnswer = z.object({
  rationale: z.string().default(''),
  reasons_for: Statements,
  reasons_against: Statements,
  gaps: z
    .array(z.object({ title: z.string(), description: z.string().default(''), feature_ids: z.array(z.string()).default([]), evidence: Ids }))
    .default([]),
  evidence_against: Statements,
  assumptions: z.array(z.object({ text: z.string(), why_it_matters: z.string().default('') })).default([]),
  next_steps: z
    .array(
      z.object({
        title: z.string(),
        how: z.string().default(''),
        success_signal: z.string().default(''),
        assumption: z.number().nullable().default(null).describe('position of the assumption it tests, from 1'),
        evidence: Ids,
      }),
    )
    .default([]),
  first_version: BuildItems,
  later: BuildItems,
});
export type SynthesizeAnswer = z.output<typeof SynthesizeAnswer>;

export const SYNTHESIZE_SYSTEM = `You tell a founder what a market research means for the idea. The score and the verdict are computed already; you explain them and never change, soften or repeat them as your own opinion. You are honest before you are kind: no praise, no general business advice, no sentence that would also stand in a report on another idea. Every sentence names this idea's words, a rival of the list, a feature of the list or a counted number.

Numbers: use only numbers that stand in the material or in the counts below. Names: only products of the list of rivals. No web addresses.

Fields of your answer:
- rationale: 2 to 4 sentences on why this score.
- reasons_for, reasons_against: 2 to 4 each, one sentence each, each with the ids it rests on. If nothing speaks for the idea, leave reasons_for empty.
- gaps: 1 to 4 things that users of this idea want and few or no rivals have according to the list; title (3 to 8 words), description naming who comes nearest and what it lacks, feature_ids from the list, evidence.
- evidence_against: 2 to 4 sentences with the strongest facts that speak against building this: who does it already, how crowded it is, what is free.
- assumptions: 3 to 5 things the idea takes for granted and no finding shows, specific to what it promises; why_it_matters in one sentence.
- next_steps: 3 to 5 cheap tests in order of what would settle most. title, how (what to do with whom), success_signal (a number that would speak for going on and one for stopping), assumption (position of the one it tests, from 1), evidence (ids, may be empty). Numbers of a test you plan yourself are free.
- first_version: at most 7 features: those the idea is about, and those without which no one would leave a rival. later: the rest that is worth it. Each with feature_id from the list, label, reason (one sentence), evidence.

${MATERIAL_RULES}`;

const list = (words: readonly string[]): string => (words.length > 0 ? words.join(', ') : 'none');

const rivalLine = (shortOf: Material['shortOf']) => (rival: Competitor) =>
  `- ${rival.name} (${rival.is_incumbent ? 'incumbent' : 'emerging'}, does ${Math.round(rival.overlap * 100)}% of what is asked for): ${list(rival.features)} [${list(rival.evidence_ids.map(shortOf))}]`;

const featureLine = (shortOf: Material['shortOf'], rivals: number) => (feature: MarketFeature) =>
  `- ${feature.id}: ${feature.name}, ${feature.asked_for ? 'asked for, ' : ''}held by ${feature.held_by.length} of ${rivals} rivals [${list(feature.evidence_ids.map(shortOf))}]`;

export type ScoredParts = Pick<Recommendation, 'score' | 'verdict' | 'parts'>;

/** The idea, what was computed of it, the analysis in counted form and the findings. */
export function synthesizePrompt(about: Interpretation, analysis: Analysis, scored: ScoredParts, material: Material): string {
  const rivals = [...analysis.incumbents, ...analysis.emerging];
  const parts = scored.parts.map((part) => `- ${part.key}: ${part.score} of 100. ${part.explanation}`);
  const counts = `Rivals: ${rivals.length}, of them incumbents: ${analysis.incumbents.length}, emerging: ${analysis.emerging.length}.`;
  return [
    ideaInBrief(about),
    `Computed score: ${scored.score} of 100, verdict: ${scored.verdict}.\n${parts.join('\n')}`,
    `${counts}\nRivals:\n${rivals.map(rivalLine(material.shortOf)).join('\n')}`,
    `Features:\n${analysis.features.map(featureLine(material.shortOf, rivals.length)).join('\n')}`,
    material.text,
    'What does this mean for the idea?',
  ].join('\n\n');
}
