import { startScriptedModel, type ScriptedModelServer } from '#testing/scripted-model-server.ts';
import { partsFor } from '#testing/grown-graphs.ts';
import { CHILDREN_SYSTEM, ROOTS_SYSTEM, type ProposedNode } from '../../src/features/build-graphs/model-planner/prompts.ts';
import { FIRST_RELEASE, USUAL_PARTS } from '../../src/features/build-graphs/states.ts';

/** How many roots a model proposes, and how many parts of each that is taken apart. */
export type Shape = readonly [roots: number, parts: number];

const DAYS = 3;

const takenApart = ([roots, parts]: Shape): number =>
  parts > 0 ? Math.min(roots, Math.max(0, Math.round((FIRST_RELEASE - roots) / USUAL_PARTS))) : 0;

export const nodesOf = (shape: Shape): number => shape[0] + takenApart(shape) * shape[1];

/** Calls that have to wait for each other: for the roots, and for their parts. */
export const depthOf = (shape: Shape): number => 1 + Number(takenApart(shape) > 0);

/** A model that plans a tree of a shape, whatever it is asked about. */
export const startGraphModel = ([roots, parts]: Shape, latencyMs: number): Promise<ScriptedModelServer> =>
  startScriptedModel({
    latencyMs,
    answer: ({ system, prompt }) => {
      if (system.startsWith(ROOTS_SYSTEM)) return { nodes: nodes(roots, 'Part', true) };
      return system.startsWith(CHILDREN_SYSTEM) ? partsFor(prompt, nodes(parts, 'piece', false)) : undefined;
    },
  });

const nodes = (count: number, name: string, serves: boolean): ProposedNode[] =>
  Array.from({ length: count }, (_, at) => ({
    key: `n${at}`,
    name: `${name} ${at}`,
    description: 'What it does, for whom, and what it leaves to the others.',
    risk: 'green',
    risk_reasons: [],
    mitigations: [],
    days_low: 1,
    days_high: DAYS,
    waiting_low: 0,
    waiting_high: 0,
    waiting_for: '',
    acceptance_criteria: ['It works on a phone', 'It says what went wrong'],
    depends_on: at > 0 && at % 3 === 0 ? [{ key: `n${at - 1}`, reason: 'it comes before' }] : [],
    feature_ids: serves ? ['lists'] : [],
    evidence: [],
  }));
