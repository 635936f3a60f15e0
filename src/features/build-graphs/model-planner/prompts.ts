import { z } from 'zod';
import { MATERIAL_RULES, quoted, shortIds } from '#platform/llm/material.ts';
import { shorten } from '#lib/text.ts';
import type { Material, NodeView } from '../planner.ts';

const Level = z.enum(['green', 'yellow', 'red']);

const ProposedNode = z.object({
  key: z.string().describe('short kebab-case name, unique in this answer'),
  name: z.string().describe('at most 12 words, in the words of the idea'),
  description: z.string().default(''),
  risk: Level.default('green'),
  risk_reasons: z.array(z.string()).default([]),
  mitigations: z.array(z.string()).default([]),
  days_low: z.number(),
  days_high: z.number(),
  acceptance_criteria: z.array(z.string()).default([]),
  depends_on: z.array(z.object({ key: z.string(), reason: z.string().default('') })).default([]),
  feature_ids: z.array(z.string()).default([]),
  evidence: z.array(z.string()).default([]),
});
export type ProposedNode = z.output<typeof ProposedNode>;

export const PlanAnswer = z.object({ nodes: z.array(ProposedNode) });
export type PlanAnswer = z.output<typeof PlanAnswer>;

export const RiskAnswer = z.object({
  risk: Level,
  rationale: z.string(),
  reasons: z.array(z.string()).default([]),
  mitigations: z.array(z.string()).default([]),
});

const NODE_RULES = `Fields of a node:
- key: kebab-case, unique. name: what is built, in the idea's own words (its things and its people), never "Backend" or "Frontend".
- description: one or two sentences on what it does and why it is needed here.
- days_low, days_high: working days of one experienced person in an easy and in a hard course; honest, not kind.
- risk: green (well understood), yellow (something may go wrong), red (may fail or do harm); risk_reasons name what exactly, mitigations what to do about each.
- acceptance_criteria: 1 to 4 sentences that somebody can check with yes or no, with numbers where they matter.
- depends_on: keys of nodes of this same answer that must be finished first, each with the reason; no cycles.
- feature_ids: ids of the list of features it serves. evidence: ids (E1, E2, …) of the material that shows it is needed; empty when none does.`;

export const ROOTS_SYSTEM = `You plan how a product is built. You are given an idea, the features that were chosen for it, and what research found about them. You answer with the root parts of the plan: one for each chosen feature, and the few foundations several of them stand on (such as the data model, accounts, sync, payments, deployment), each only once and only if something needs it. 5 to 14 parts. Every chosen feature is served by at least one part.

${NODE_RULES}

${MATERIAL_RULES}`;

export const CHILDREN_SYSTEM = `You take one part of a build plan apart into 3 to 6 smaller parts that together make it up completely, none larger than what one person can finish and check within a week. Say nothing that is true of any product: name this part's things and people. depends_on refers to keys within your answer only. feature_ids and evidence may stay empty.

${NODE_RULES}

${MATERIAL_RULES}`;

export const RISK_SYSTEM = `You judge the risk of one part of a build plan before anybody builds it: green (well understood), yellow (something may well go wrong), red (may fail, do harm or break a law). rationale: 1 or 2 sentences. reasons: 1 to 4, specific to this part. mitigations: what to do about each reason, cheap things first.

${MATERIAL_RULES}`;

/** Research shown to a model: one line per feature, under short ids of its evidence. */
export type Shown = { text: string; idOf(short: string): string | undefined };

const SHOWN_FEATURES = 30;

export function showResearch({ research }: Material): Shown {
  const ids = [...new Set(research.flatMap(({ features }) => features.flatMap(({ evidence_ids: evidence }) => evidence.slice(0, 3))))].slice(0, 120);
  const { shortOf, idOf } = shortIds(ids);
  const lines = research.flatMap(({ features, market }) =>
    features
      .slice(0, SHOWN_FEATURES)
      .map(
        (feature) =>
          `${feature.name} (${feature.tier.replaceAll('_', ' ')}, ${feature.held_by.length} of ${market.competitors.length} rivals have it): ${shorten(feature.description, 160)} [${feature.evidence_ids.flatMap((id) => shortOf(id) ?? []).join(', ')}]`,
      ),
  );
  return { text: lines.join('\n'), idOf };
}

const about = (material: Material, shown: Shown): string[] => [
  quoted('The idea', material.idea),
  quoted('Chosen features, as id and label', material.features.map(({ id, label }) => `${id} = ${label}`).join('; ')),
  shown.text ? quoted('What research found about features of this market', shown.text) : 'There is no research on it.',
];

export const rootsPrompt = (material: Material, shown: Shown): string =>
  [...about(material, shown), 'Which root parts does the plan have?'].join('\n\n');

export const childrenPrompt = (material: Material, shown: Shown, node: NodeView): string =>
  [...about(material, shown), partOf(node), 'Of which smaller parts does this part consist?'].join('\n\n');

export const riskPrompt = (material: Material, shown: Shown, node: NodeView): string =>
  [...about(material, shown), partOf(node), `Parts that wait for it: ${node.dependents.length}.`, 'How risky is this part, and why?'].join('\n\n');

const partOf = (node: NodeView): string =>
  quoted(
    'The part of the plan, with the parts above it',
    [
      ...node.path,
      `${node.name} (${node.days.low} to ${node.days.high} days, ${node.risk}): ${node.description}`,
      `Accepted when: ${node.acceptance.join('; ')}`,
    ].join(' > '),
  );
