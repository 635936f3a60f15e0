import { z } from 'zod';
import type { RemixInput } from '../analyst.ts';
import { MATERIAL_RULES, quoted, type Fence } from '#platform/llm/material.ts';

export const PIVOTS = 3;

export const RemixAnswer = z.object({
  pivots: z.array(z.object({ idea: z.string(), rationale: z.string(), differentiation: z.string() })).min(PIVOTS),
});
export type RemixAnswer = z.output<typeof RemixAnswer>;

export const REMIX_SYSTEM = `You turn a researched product idea into three other ideas worth a look. Each goes towards one gap that the research found, and the three go different ways: for example a narrower group of users, another leading feature, a neighbouring market, another buyer. None is the given idea in other words.

Fields of your answer:
- pivots: exactly three, each with
  - idea: one or two sentences somebody could type as an idea of their own: who it is for, what hurts, what it does.
  - rationale: one or two sentences on the gap it goes for and what in the research speaks for it.
  - differentiation: one sentence on what it does that named rivals of the research do not.

Name no product that does not stand in the research. Give no number that does not stand there.

${MATERIAL_RULES}`;

const RIVALS = 12;
const FEATURES = 30;

/** The research in brief: idea, rivals, features and gaps. */
export function remixPrompt(about: RemixInput, fence: Fence): string {
  const names = new Map(about.features.map((feature) => [feature.id, feature.name]));
  const rivals = about.competitors
    .slice(0, RIVALS)
    .map((rival) => `${rival.name}: ${rival.description} Has: ${rival.features.map((id) => names.get(id) ?? id).join(', ')}.`);
  const features = about.features
    .slice(0, FEATURES)
    .map((feature) => `${feature.name}: ${feature.tier.replaceAll('_', ' ')}, held by ${feature.held_by.length} rivals.`);
  const gaps = about.whitespaces.map((gap) => `${gap.title}: ${gap.description}`);
  return [
    quoted(
      'The idea',
      `${about.shortTitle}: ${about.idea} For: ${about.targetUser || 'not said'}. Users in the market: ${about.audience.join('; ')}.`,
      fence,
    ),
    quoted('Rivals', rivals.join(' / '), fence),
    quoted('Features', features.join(' / '), fence),
    quoted('Gaps', gaps.join(' / '), fence),
    'Which three other ideas are worth a look?',
  ].join('\n\n');
}
