import { z } from 'zod';
import type { Fence } from '#platform/llm/material.ts';
import type { Analysis, Interpretation } from '../analyst.ts';
import type { Competitor, MarketFeature, Recommendation } from '../schema.ts';
import { sharedPrompt } from './analyze.ts';
import type { Material } from './material.ts';

/** More ids of one thing say no more. */
const CITED = 3;

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

export const SYNTHESIZE_TASK = `Task: tell the founder what this research means for the idea. The score and the verdict are computed already; you explain them and never change, soften or repeat them as your own opinion. Every sentence names this idea's words, a rival of the list, a feature of the list or a counted number.

What you say of companies and of the market rests on the material: their names, prices, numbers. In next_steps and assumptions, days, places, tools and channels are yours to name; products that compete are those of the list. No web addresses.

Fields of your answer:
- rationale: 2 to 4 sentences on why this score. Where nobody was found, say so, and what that does and does not mean.
- reasons_for, reasons_against: 2 to 4 each, one sentence each, each with the ids it rests on. If nothing speaks for the idea, leave reasons_for empty.
- gaps: 1 to 4 things that users of this idea want and few or no rivals have according to the list; title (3 to 8 words), description naming who comes nearest and what it lacks, feature_ids from the list, evidence. What is not recorded of a rival is not known to be lacking: say it that way.
- evidence_against: 2 to 4 sentences with the strongest facts that speak against building this: who does it already, how crowded it is, what is free.
- assumptions: 3 to 5 things the idea takes for granted and no finding shows, specific to what it promises; why_it_matters in one sentence.
- next_steps: 3 to 5 cheap tests in order of what would settle most. title, how (what to do with whom, where), success_signal (a number that would speak for going on and one for stopping), assumption (position of the one it tests, from 1), evidence (ids, may be empty). Numbers of a test you plan yourself are free.
- first_version: at most 7 features: those the idea is about, and those without which no one would leave a rival. later: the rest that is worth it. Each with feature_id from the list, label, reason (one sentence), evidence.`;

const list = (words: readonly string[]): string => (words.length > 0 ? words.join(', ') : 'none');

const idsIn = (material: Material, ids: readonly string[]): string => list(material.shortsOf(ids).slice(0, CITED));

const rivalLine = (material: Material) => (rival: Competitor) =>
  `- ${rival.name} (${rival.is_incumbent ? 'incumbent' : 'emerging'}, ${Math.round(rival.overlap * 100)}%): ${list(rival.features.map(material.shortOfFeature))} [${idsIn(material, rival.evidence_ids)}]`;

/** Features of the market stand in the material with their names. */
function featureLine(material: Material, rivals: number): (feature: MarketFeature) => string {
  return (feature) => {
    const code = material.shortOfFeature(feature.id);
    const name = code === feature.id ? `${feature.id}: ${feature.name}` : code;
    return `- ${name}, ${feature.asked_for ? 'asked for, ' : ''}held by ${feature.held_by.length} of ${rivals} [${idsIn(material, feature.evidence_ids)}]`;
  };
}

export type ScoredParts = Pick<Recommendation, 'score' | 'verdict' | 'parts'>;

/** What the analysis was shown, then the analysis in counted form, what was computed of it, and the task. */
export function synthesizePrompt(about: Interpretation, analysis: Analysis, scored: ScoredParts, material: Material, fence: Fence): string {
  const rivals = [...analysis.incumbents, ...analysis.emerging];
  const parts = scored.parts.map((part) => `- ${part.key}: ${part.score} of 100. ${part.explanation}`);
  const counts = `Rivals: ${rivals.length}, of them incumbents: ${analysis.incumbents.length}, emerging: ${analysis.emerging.length}; the share is how much of what is asked for each does.`;
  const found = fence.clean(analysis.noneBecause ?? '');
  const known = [
    counts,
    ...rivals.map((rival) => fence.clean(rivalLine(material)(rival))),
    ...(found ? [`Nobody was named, because: ${found}`] : []),
    `Features:`,
    ...analysis.features.map((feature) => fence.clean(featureLine(material, rivals.length)(feature))),
    `Computed score: ${scored.score} of 100, verdict: ${scored.verdict}.`,
    ...parts.map(fence.clean),
  ];
  return [sharedPrompt(about, material, fence), fence.around('The analysis so far', known.join('\n')), SYNTHESIZE_TASK].join('\n\n');
}
