import { z } from 'zod';
import { MATERIAL_RULES, quoted } from '#platform/llm/material.ts';
import type { FeatureCase } from '../analyst.ts';
import type { Material } from './material.ts';

const Ids = z.array(z.string()).default([]);
const Grade = z.number().min(1).max(5);

export const AnalyzeFeatureAnswer = z.object({
  summary: z.string(),
  implementations: z.array(z.object({ name: z.string(), how: z.string(), evidence: Ids })).default([]),
  common_patterns: z.array(z.object({ text: z.string(), evidence: Ids })).default([]),
  technical_approaches: z
    .array(
      z.object({
        name: z.string(),
        when: z.string(),
        trade_offs: z.string(),
        days_low: z.number(),
        days_high: z.number(),
        recommended: z.boolean().default(false),
        evidence: Ids,
      }),
    )
    .default([]),
  edge_cases: z.array(z.object({ text: z.string(), evidence: Ids })).default([]),
  oss_landscape: z.array(z.object({ name: z.string(), use_for: z.string(), evidence: Ids })).default([]),
  risks: z.array(z.object({ risk: z.string(), likelihood: Grade, impact: Grade, mitigation: z.string(), evidence: Ids })).default([]),
});
export type AnalyzeFeatureAnswer = z.output<typeof AnalyzeFeatureAnswer>;

export const ANALYZE_FEATURE_SYSTEM = `You tell a founder and one experienced developer how a single feature of their product is built: who has it, how it is usually done, what bites, and what to take ready-made. Everything you say rests on the material. Your own part is to choose, to connect, and to say it for this idea and these users instead of in general.

Fields of your answer:
- summary: two sentences. What the feature technically comes down to for this idea, and how common it is in the market.
- implementations: products in the material that have it. name exactly as the material writes it; how in one sentence, only as far as the material tells (say so when it does not); evidence, at least one id.
- common_patterns: 2 to 5 ways in which it is usually built or met by users, in words of this idea.
- technical_approaches: 2 to 4 that truly differ. name, when it fits, trade_offs, days_low and days_high for one experienced developer (start from the days in the material and change them only for a reason that lies in this idea), recommended true for exactly one: the right one for a first release of this idea.
- edge_cases: 3 to 7 cases that this product will really meet, concrete enough to write a test from.
- oss_landscape: only projects that stand in the material as open-source projects. name as written; use_for: what it would do here.
- risks: 1 to 4 with likelihood and impact from 1 to 5 and a mitigation that somebody can begin tomorrow.

If the material tells nothing on how to build it, leave technical_approaches, edge_cases and oss_landscape empty and say so in the summary.

${MATERIAL_RULES}`;

export function analyzeFeaturePrompt({ idea, feature }: FeatureCase, material: Material): string {
  const known = [
    feature.name,
    feature.description && `What it does: ${feature.description}`,
    feature.canonical && `The market (${feature.canonical.market}) calls it: ${feature.canonical.name}`,
    feature.competitors.length > 0 &&
      `Known to have it: ${feature.competitors.map(({ name }) => name).join(', ')}; ${feature.holders} of ${feature.rivalsKnown} known products of the market`,
  ];
  return [
    quoted('The idea', idea),
    quoted('The feature', known.filter(Boolean).join('. ')),
    material.text,
    'How is this feature built for this idea?',
  ].join('\n\n');
}
