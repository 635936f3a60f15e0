import { startScriptedModel, type ScriptedModelServer } from '#testing/scripted-model-server.ts';
import { CHILDREN_SYSTEM, ROOTS_SYSTEM, type PlanAnswer, type ProposedNode } from '../../src/features/build-graphs/model-planner/prompts.ts';

/** How many nodes a model proposes: roots, parts of each, and parts of each of those; 0 ends the tree there. */
export type Shape = readonly [roots: number, parts: number, pieces: number];

/** Parts with more days than this are taken apart while the graph is made. */
const LARGE = 9;
const SMALL = 3;

export const nodesOf = ([roots, parts, pieces]: Shape): number => roots * (1 + parts * (1 + pieces));

/** Calls that have to wait for each other: for the roots, for their parts, and for the parts of those. */
export const depthOf = ([, parts, pieces]: Shape): number => 1 + Number(parts > 0) + Number(pieces > 0);

/** A model that plans a tree of a shape, whatever it is asked about. */
export const startGraphModel = (shape: Shape, latencyMs: number): Promise<ScriptedModelServer> =>
  startScriptedModel({
    latencyMs,
    answer: ({ system, prompt }) => {
      if (system.startsWith(ROOTS_SYSTEM)) return planOf(shape[0], shape[1] > 0 ? LARGE : SMALL, 'Part', true);
      if (!system.startsWith(CHILDREN_SYSTEM)) return undefined;
      const isPart = /\bPart \d+ piece \d+/.test(prompt);
      return isPart
        ? planOf(shape[2], SMALL, 'piece of a piece', false)
        : planOf(shape[1], shape[2] > 0 ? LARGE : SMALL, 'piece', false, nameIn(prompt));
    },
  });

const nameIn = (prompt: string): string => /\bPart \d+/.exec(prompt)?.[0] ?? '';

const planOf = (count: number, days: number, name: string, serves: boolean, above = ''): PlanAnswer => ({
  nodes: Array.from({ length: count }, (_, at): ProposedNode => ({
    key: `n${at}`,
    name: `${above} ${name} ${at}`.trim(),
    description: 'What it does, for whom, and what it leaves to the others.',
    risk: 'green',
    risk_reasons: [],
    mitigations: [],
    days_low: 1,
    days_high: days,
    acceptance_criteria: ['It works on a phone', 'It says what went wrong'],
    depends_on: at > 0 && at % 3 === 0 ? [{ key: `n${at - 1}`, reason: 'it comes before' }] : [],
    feature_ids: serves ? ['lists'] : [],
    evidence: [],
  })),
});
