import type { Findings } from '#features/feature-research';
import type { ResearchArtifact } from '#features/research';
import type { StageRun } from '#platform/runs/define-pipeline.ts';
import type { Days, Engine, Risk, SelectedFeature, Waiting } from './schema.ts';

/** What a plan is made from. Everything in it is data, whoever wrote it. */
export type Material = {
  idea: string;
  features: readonly SelectedFeature[];
  /** Completed research that is linked, the main one first. */
  research: readonly ResearchArtifact[];
  /** What a feature research found about building the features. */
  findings: Findings | null;
};

/** Where a node comes from, so that it can be taken apart later by whoever made it. */
export type Origin =
  /** `feature` gives the words it is told in; `own` when it is that feature's node and no foundation. */
  | { by: 'pattern'; pattern: string; part: string; feature: string | null; own: boolean }
  | { by: 'feature'; feature: string }
  | { by: 'node' }
  | { by: 'model' };

export type PlannedNode = {
  /** Unique in its graph; a child's begins with its parent's. */
  key: string;
  name: string;
  description: string;
  risk: Risk;
  riskReasons: string[];
  mitigations: string[];
  days: Days;
  /** What goes by before it is done and is no work: a review, a delivery, a season. */
  waiting: Waiting | null;
  acceptance: string[];
  /** Keys of nodes beside it that come first, with the reason. */
  dependsOn: { key: string; reason: string }[];
  featureIds: string[];
  evidenceIds: string[];
  /** Whether it is taken apart while the graph is made, only when asked, or not at all. */
  expands: 'now' | 'later' | 'never';
  origin: Origin;
};

/** Nodes beside each other, in an order in which each comes after what it depends on. */
export type Plan = {
  nodes: PlannedNode[];
  /** Parts of a proposal that could not stand and were dropped. */
  repairs: number;
  /** Nodes that a model should have planned and the rules did. */
  fallbacks: number;
};

/** A node as a planner sees it when it is to be taken apart or judged. */
export type NodeView = {
  key: string;
  name: string;
  description: string;
  depth: number;
  risk: Risk;
  riskReasons: string[];
  mitigations: string[];
  days: Days;
  acceptance: string[];
  featureIds: string[];
  evidenceIds: string[];
  origin: Origin;
  /** Names of the nodes above it, from the root. */
  path: string[];
  /** Names of nodes that wait for it, directly or not. */
  dependents: string[];
  /** Names of the nodes beside it: its parts repeat none of them. */
  beside: string[];
};

export type Assessment = { risk: Risk; rationale: string; reasons: string[]; mitigations: string[] };

export type PlanRun = Pick<StageRun, 'signal' | 'spend'>;

/**
 * Decides what has to be built. Two implementations: one by rules over a library of build patterns, one that asks a
 * model. What they give passes the same checks (`check-plan.ts`) before it is written.
 */
export type Planner = {
  engine: Engine;
  roots(material: Material, run: PlanRun): Promise<Plan>;
  /** The parts of each node, in the order of the nodes; nothing for one that is a piece of work. */
  children(material: Material, nodes: readonly NodeView[], run: PlanRun): Promise<Plan[]>;
  assess(material: Material, node: NodeView, run: PlanRun): Promise<Assessment>;
};
