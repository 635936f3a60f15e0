import { z } from 'zod';
import { MATERIAL_RULES, shortIds, type Fence } from '#platform/llm/material.ts';
import { shorten } from '#lib/text.ts';
import { knowsMarket } from '#features/research';
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
  waiting_low: z.number().default(0),
  waiting_high: z.number().default(0),
  waiting_for: z.string().default(''),
  acceptance_criteria: z.array(z.string()).default([]),
  depends_on: z.array(z.object({ key: z.string(), reason: z.string().default('') })).default([]),
  feature_ids: z.array(z.string()).default([]),
  evidence: z.array(z.string()).default([]),
});
export type ProposedNode = z.output<typeof ProposedNode>;

export const PlanAnswer = z.object({ nodes: z.array(ProposedNode) });
export type PlanAnswer = z.output<typeof PlanAnswer>;

export const ChildrenAnswer = z.object({ parts: z.array(z.object({ of: z.string(), nodes: z.array(ProposedNode) })) });
export type ChildrenAnswer = z.output<typeof ChildrenAnswer>;

export const RiskAnswer = z.object({
  risk: Level,
  rationale: z.string(),
  reasons: z.array(z.string()).default([]),
  mitigations: z.array(z.string()).default([]),
});

const NODE_RULES = `Fields of a node:
- key: kebab-case, unique. name: what is built, in the idea's own words (its things and its people), never "Backend" or "Frontend".
- description: one or two sentences on what it does and why it is needed here.
- days_low, days_high: working days of one experienced person in an easy and in a hard course; honest, not kind. Effort only.
- waiting_low, waiting_high, waiting_for: working days that go by without work before it is done (a delivery, a season, a review, the approval of a store or provider), and what for; 0 and empty where nothing is waited for. Never counted as effort.
- risk: green (well understood), yellow (something may go wrong), red (may fail or do harm); risk_reasons name what exactly, mitigations what to do about each.
- acceptance_criteria: 1 to 4 sentences that somebody can check with yes or no, with numbers where they matter.
- depends_on: keys of nodes of the same list that must be finished first, each with the reason; no cycles.
- feature_ids: ids of the list of features it serves. evidence: ids (E1, E2, …) of the material that shows it is needed; empty when none does.`;

export const ROOTS_SYSTEM = `You plan the first release of a product. You are given an idea, the features that were chosen for it, and what research found: what the market has, where it leaves gaps, what is only assumed, and how such features are built. You answer with the root parts of the plan: one for each chosen feature, and what several of them stand on, each only once and only if something needs it. 5 to 12 parts. Every chosen feature is served by at least one part, and no two parts do the same work. It need not be software: hardware, content and paperwork are parts like any other. What would settle a doubtful assumption cheaply comes early.

${NODE_RULES}

${MATERIAL_RULES}`;

export const CHILDREN_SYSTEM = `You take parts of a build plan apart, each into 3 to 5 smaller parts that together make it up completely, none larger than what one person can finish and check within a week. What another part of the plan does is repeated nowhere. Say nothing that is true of any product: name this part's things and people. A part that is one piece of work gets an empty list. You answer with one entry for each part you were asked about: \`of\` is its key, \`nodes\` are its parts. depends_on refers to keys within the same list only. feature_ids and evidence may stay empty.

${NODE_RULES}

${MATERIAL_RULES}`;

export const RISK_SYSTEM = `You judge the risk of one part of a build plan before anybody builds it: green (well understood), yellow (something may well go wrong), red (may fail, do harm or break a law). rationale: 1 or 2 sentences. reasons: 1 to 4, specific to this part. mitigations: what to do about each reason, cheap things first.

${MATERIAL_RULES}`;

/** What a plan is made from as a model is shown it, the same for every question of one run: evidence stands under short ids. */
export type Shown = { text: string; idOf(short: string): string | undefined };

const SHOWN = { features: 24, gaps: 6, assumptions: 5, risks: 2, evidence: 2 };

export function showMaterial({ idea, features, research, findings }: Material, fence: Fence): Shown {
  const known = research.filter(knowsMarket);
  const cited = known.flatMap((artifact) => [...artifact.features.slice(0, SHOWN.features), ...artifact.whitespaces.slice(0, SHOWN.gaps)]);
  const { shortOf, idOf } = shortIds([...new Set(cited.flatMap(({ evidence_ids: ids }) => ids.slice(0, SHOWN.evidence)))]);
  const marks = (ids: readonly string[]): string => {
    const shorts = ids.slice(0, SHOWN.evidence).flatMap((id) => shortOf(id) ?? []);
    return shorts.length > 0 ? ` [${shorts.join(', ')}]` : '';
  };
  const chosen = new Set(features.map(({ id }) => id));
  const part = (heading: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? [`${heading}:`, ...lines.map((line) => fence.clean(line))] : [];
  const lines = [
    ...part('The idea', [idea]),
    ...part(
      'Chosen features, each with its id',
      features.map(({ id, label }) => `${id} = ${label}`),
    ),
    ...known.flatMap((artifact) => [
      ...part(
        'Features of this market, and how many of the known rivals are recorded with each',
        artifact.features
          .slice(0, SHOWN.features)
          .map(
            ({ id, name, description, held_by: holders, evidence_ids: ids }) =>
              `${name}: ${holders.length}/${artifact.market.competitors.length}.${chosen.has(id) ? ` ${shorten(description, 160)}` : ''}${marks(ids)}`,
          ),
      ),
      ...part(
        'Gaps in this market',
        artifact.whitespaces.slice(0, SHOWN.gaps).map(({ title, evidence_ids: ids }) => `${title}${marks(ids)}`),
      ),
      ...part(
        'What is only assumed',
        artifact.assumptions.slice(0, SHOWN.assumptions).map(({ text }) => text),
      ),
    ]),
    ...part(
      'How such features are built',
      (findings?.analyses ?? []).map(({ feature_name: name, summary, technical_approaches: ways, risks }) => {
        const way = ways.find(({ recommended }) => recommended);
        const days = way ? ` Recommended: ${way.name}, ${way.effort_days.low} to ${way.effort_days.high} days.` : '';
        const warned = risks.slice(0, SHOWN.risks).map(({ risk }) => ` Risk: ${risk}`);
        return `${name}: ${shorten(summary, 240)}${days}${warned.join('')}`;
      }),
    ),
  ];
  return { text: fence.around('What the plan is made from', lines.join('\n')), idOf };
}

export const rootsPrompt = (shown: Shown): string => `${shown.text}\n\nWhich root parts does the plan have?`;

export const childrenPrompt = (shown: Shown, nodes: readonly NodeView[], fence: Fence): string =>
  [
    shown.text,
    fence.around(
      'The parts to take apart, and what stands beside them',
      [...nodes.map((node) => partOf(node, fence)), ...besideOf(nodes, fence)].join('\n'),
    ),
    `Of which smaller parts does each of these consist: ${nodes.map(({ key }) => key).join(', ')}?`,
  ].join('\n\n');

export const riskPrompt = (shown: Shown, node: NodeView, fence: Fence): string =>
  [
    shown.text,
    fence.around('The part of the plan', partOf(node, fence)),
    `Parts that wait for it: ${node.dependents.length}. How risky is it, and why?`,
  ].join('\n\n');

const partOf = ({ key, path, name, days, risk, description, acceptance }: NodeView, fence: Fence): string =>
  fence.clean(
    `${key} = ${[...path, name].join(' > ')} (${days.low} to ${days.high} days, ${risk}): ${description} Accepted when: ${acceptance.join('; ')}`,
  );

/** Each part of the plan that is not taken apart here, once. */
function besideOf(nodes: readonly NodeView[], fence: Fence): string[] {
  const own = new Set(nodes.map(({ name }) => name));
  const beside = [...new Set(nodes.flatMap((node) => node.beside))].filter((name) => !own.has(name));
  return beside.length > 0 ? [fence.clean(`Beside them stand: ${beside.join('; ')}`)] : [];
}
