import { z } from 'zod';
import { MATERIAL_RULES, type Fence } from '#platform/llm/material.ts';
import type { BlueprintCase } from '../analyst.ts';
import { eachOnce, materialOf, type Material } from './material.ts';

const MOST_CITED = 60;

const Ids = z.array(z.string()).default([]);
const Grade = z.number().min(1).max(5);

export const CounselAnswer = z.object({
  recommendations: z.array(z.object({ title: z.string(), rationale: z.string(), features: Ids, evidence: Ids })).default([]),
  strategic_summary: z.string(),
  assumptions: z.array(z.string()).default([]),
  dependencies: z.array(z.object({ before: z.string(), after: z.string(), reason: z.string(), evidence: Ids })).default([]),
  risks: z.array(z.object({ risk: z.string(), likelihood: Grade, impact: Grade, mitigation: z.string(), features: Ids, evidence: Ids })).default([]),
  priorities: Ids,
});
export type CounselAnswer = z.output<typeof CounselAnswer>;

export const COUNSEL_SYSTEM = `You turn the analyses of several features into counsel for one plan: what to build in which order, what to take ready-made, what to leave out, what to prove first. The days are already counted; do not give any of your own.

Fields of your answer:
- recommendations: 3 to 7, the most important first. title says what to do in at most ten words; rationale says why, from the material, in one or two sentences; features: ids of the features concerned; evidence: at least one id.
- strategic_summary: three or four sentences that a founder would repeat to an investor: where the difference lies, what it stands on, what can go wrong, where to begin.
- assumptions: what this plan takes for granted and what would change it, at most four.
- dependencies: only those that are missing in the list of parts: before and after are part ids, reason says what the later part takes from the earlier one.
- risks: at most three that concern the plan as a whole and stand in no feature's list, with likelihood and impact from 1 to 5.
- priorities: all feature ids, in the order in which you would begin them where nothing holds them back.

${MATERIAL_RULES}`;

export function counselPrompt({ idea, features, analyses, groundwork }: BlueprintCase, material: Material, fence: Fence): string {
  const named = analyses.map((analysis) => {
    const feature = features.find(({ id }) => id === analysis.feature_id);
    const risks = analysis.risks.map(({ risk, likelihood, impact }) => `${risk} (${likelihood}×${impact})`).join(' ');
    const cited = [...new Set(analysis.technical_approaches.flatMap(({ source_ids: ids }) => ids))].flatMap((id) => material.shortOf(id) ?? []);
    const marks = cited.length > 0 ? ` [${cited.join(', ')}]` : '';
    return `${analysis.feature_id} = ${analysis.feature_name} (${feature?.holders ?? 0}/${feature?.rivalsKnown ?? 0}). ${analysis.summary}${risks ? ` Risks: ${risks}` : ''}${marks}`;
  });
  const parts = groundwork.parts.map(({ id, kind, name, days, approach, source_ids: ids }) =>
    [`${id} =${kind === 'foundation' ? ` ${name},` : ''} ${days} days`, ids.length > 0 ? approach : ''].filter(Boolean).join(', '),
  );
  const edges = groundwork.edges.map(({ from, to, reason }) => `${from} before ${to}: ${reason}`);
  const part = (heading: string, lines: readonly string[]): string[] => (lines.length > 0 ? [`${heading}:`, ...lines.map(fence.clean)] : []);
  const lines = [
    ...part('The idea', [idea]),
    ...part('The features, each with its id and how many of the known products are recorded with it', named),
    ...part('The parts, each with its id', parts),
    ...part('What stands on what', edges),
    ...part('What can be cited', material.lines),
  ];
  return [fence.around('What was found', lines.join('\n')), 'What is your counsel?'].join('\n\n');
}

/** What analyses rest on, by its name alone: what it says stands in the analyses. */
export function counselMaterial({ features, analyses, sources }: BlueprintCase, fence: Fence): Material {
  const cited = new Set([
    ...features.flatMap(({ source_ids: ids }) => ids),
    ...analyses.flatMap(({ implementations, technical_approaches: ways, risks, edge_cases: cases, oss_landscape: projects }) =>
      [implementations, ways, risks, cases, projects].flatMap((list) => list.flatMap(({ source_ids: ids }) => ids)),
    ),
  ]);
  return materialOf(eachOnce(sources.filter(({ id }) => cited.has(id))).slice(0, MOST_CITED), fence, () => 0);
}
