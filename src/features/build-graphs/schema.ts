import { z } from 'zod';
import { Timestamp } from '#platform/http/vocabulary.ts';

export const GraphStatus = z.enum(['initializing', 'generating', 'ready', 'failed']);
export type GraphStatus = z.output<typeof GraphStatus>;
const GraphSource = z.enum(['user', 'research_auto_seeded']);
const LinkType = z.enum(['context', 'supplement', 'external']);
export const Risk = z.enum(['green', 'yellow', 'red']);
export type Risk = z.output<typeof Risk>;
export const Effort = z.enum(['small', 'medium', 'large', 'very_large']);
export type Effort = z.output<typeof Effort>;
const NodeStatus = z.enum(['collapsed', 'leaf']);

/** Working days of one person, from an easy to a hard course. */
export const Days = z.object({ low: z.number().min(0), high: z.number().min(0) });
export type Days = z.output<typeof Days>;

/** Working days that go by without work, and what is waited for. */
export const Waiting = z.object({ days: Days, for: z.string() });
export type Waiting = z.output<typeof Waiting>;

export const SelectedFeature = z.object({
  id: z.string().min(1).max(200),
  label: z.string().trim().min(1).max(300),
  source: z.string().min(1).max(60),
});
export type SelectedFeature = z.output<typeof SelectedFeature>;

export const CreateGraph = z.object({
  idea: z.string().trim().min(1).max(5000),
  features: z.array(SelectedFeature).max(50).nullish(),
  auto_select: z.boolean().default(false),
  phase: z.number().nullable().default(null),
  project_id: z.uuid().nullish(),
  research_id: z.uuid().nullish(),
  feature_research_id: z.uuid().nullish(),
});

export const Created = z.object({ graph_id: z.uuid(), status: z.literal('initializing') });
export const Deleted = z.object({ success: z.literal(true) });
export const PatchGraph = z.object({ title: z.string().trim().min(1).max(200).nullish(), project_id: z.uuid().nullish() });

export const PatchNode = z.object({
  name: z.string().trim().min(1).max(200).optional(),
  description: z.string().max(5000).optional(),
  risk: Risk.optional(),
  effort: Effort.optional(),
  sort_order: z.int().min(0).max(1_000_000).optional(),
});
export type PatchNode = z.output<typeof PatchNode>;

export const GraphItem = z.object({
  id: z.uuid(),
  title: z.string(),
  status: GraphStatus,
  source: GraphSource,
  project_id: z.uuid().nullable(),
  node_count: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const PlanError = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() });
export type PlanError = z.output<typeof PlanError>;

export const Engine = z.object({
  planner: z.enum(['rule', 'model']),
  provider: z.enum(['llm_a', 'llm_b']).nullable(),
  model: z.string().nullable(),
});
export type Engine = z.output<typeof Engine>;

export const GraphSourceLink = z.object({
  id: z.uuid(),
  graph_id: z.uuid(),
  research_id: z.uuid(),
  link_type: LinkType,
  created_at: Timestamp,
});
export const LinkSource = z.object({ research_id: z.uuid(), link_type: LinkType });

/** A graph without its tree. */
export const GraphRow = z.object({
  id: z.uuid(),
  title: z.string(),
  status: GraphStatus,
  source: GraphSource,
  idea: z.string(),
  project_id: z.uuid().nullable(),
  research_id: z.uuid().nullable(),
  feature_research_id: z.uuid().nullable(),
  selected_features: z.array(SelectedFeature),
  engine: Engine.nullable(),
  error: PlanError.nullable(),
  /** Parts of a model's proposal that were dropped, nodes that were planned by rule in its place, and what else to know of it. */
  planning: z.object({ repairs: z.int(), fallbacks: z.int(), warnings: z.array(z.string()) }),
  created_at: Timestamp,
  updated_at: Timestamp,
  ready_at: Timestamp.nullable(),
  completed_at: Timestamp.nullable(),
});

export const BuildNode = z.object({
  id: z.uuid(),
  graph_id: z.uuid(),
  parent_id: z.uuid().nullable(),
  node_key: z.string(),
  depth: z.int(),
  sort_order: z.int(),
  name: z.string(),
  description: z.string(),
  risk: Risk,
  risk_reasons: z.array(z.string()),
  mitigations: z.array(z.string()),
  /** `collapsed` can be taken apart (or was, when it has children); `leaf` is one piece of work. */
  node_status: NodeStatus,
  effort: Effort,
  effort_days: Days,
  /** Nothing known says how it is built: its days are a placeholder until somebody estimates it. */
  to_be_estimated: z.boolean(),
  waiting: Waiting.nullable(),
  acceptance_criteria: z.array(z.string()),
  /** Nodes beside this one that have to be finished first. */
  depends_on: z.array(z.object({ node_id: z.uuid(), node_key: z.string(), reason: z.string() })),
  feature_ids: z.array(z.string()),
  evidence_ids: z.array(z.uuid()),
  get children() {
    return z.array(BuildNode);
  },
});
export type BuildNode = z.output<typeof BuildNode>;

const Step = z.object({ node_id: z.uuid(), node_key: z.string(), name: z.string(), days: Days });

export const Schedule = z.object({
  /** Pieces of work in the order that decides the earliest end. */
  critical_path: z.array(Step),
  /** Work that can go on side by side: each lane is one person's, with days counted from the start. */
  parallel_lanes: z.array(
    z.object({
      lane: z.int(),
      nodes: z.array(Step.extend({ start_day: z.number(), end_day: z.number() })),
      days: Days,
    }),
  ),
  /** All the work summed; `critical_path` is the least time it takes with enough people, `waiting` what of that is no work. */
  total_days: Days.extend({ critical_path: Days, waiting: Days }),
});
export type Schedule = z.output<typeof Schedule>;

export const GraphDetail = GraphRow.extend({
  nodes: z.array(BuildNode),
  ...Schedule.shape,
  build_order_rationale: z.string(),
  sources: z.array(GraphSourceLink),
});

export const RiskAssessment = z.object({
  node_id: z.uuid(),
  risk: Risk,
  rationale: z.string(),
  reasons: z.array(z.string()),
  mitigations: z.array(z.string()),
});

/** The project's shortcut: the latest graph with its tree under `roots`. */
export const ProjectGraph = z.object({
  id: z.uuid(),
  title: z.string(),
  status: GraphStatus,
  source: GraphSource,
  selected_features: z.array(SelectedFeature),
  roots: z.array(BuildNode),
});
