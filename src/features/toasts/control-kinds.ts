import { z } from 'zod';
import { shorten } from '#lib/text.ts';

/** Longest text of an error that goes out with a control frame. */
const LONGEST_TEXT = 200;

const shortText = z.string().transform((text) => shorten(text, LONGEST_TEXT));

/** Every kind of control frame, with its parameters. None is stored or pushed: each says what a client is to fetch again. */
export const CONTROL_KINDS = {
  'usage.changed': z.object({}),
  'flags.changed': z.object({}),
  'research.completed': z.object({ research_id: z.uuid(), project_id: z.uuid().nullable(), pipeline_stage: z.string(), picked_count: z.int() }),
  'research.failed': z.object({ research_id: z.uuid(), code: z.string(), message: shortText, retryable: z.boolean() }),
  'build_graph.ready': z.object({ graph_id: z.uuid(), root_count: z.int(), duration_ms: z.number(), project_id: z.uuid().optional() }),
  'build_graph.failed': z.object({ graph_id: z.uuid(), code: z.string(), message: z.string(), retryable: z.boolean() }),
  'feature_research.completed': z.object({ feature_research_id: z.uuid(), duration_ms: z.number() }),
  'feature_research.failed': z.object({
    feature_research_id: z.uuid(),
    code: z.string(),
    message: z.string(),
    stage: z.string(),
    retryable: z.boolean(),
  }),
  'brief.ready': z.object({ brief_id: z.uuid(), research_id: z.uuid().nullable(), title: z.string(), quality_score: z.number() }),
  'brief.failed': z.object({ brief_id: z.uuid(), research_id: z.uuid().nullable(), message: z.string() }),
  'forge_run.status_changed': z.object({ run_id: z.uuid(), status: z.string(), error: shortText.optional() }),
  'intel_company.enriched': z.object({ company_id: z.uuid(), name: z.string(), domain: z.string().nullable(), sector: z.string().nullable() }),
  'signals.detected': z.object({
    company_id: z.uuid(),
    company_name: z.string(),
    monitor_id: z.uuid(),
    count: z.int(),
    first_title: z.string(),
  }),
  'products.changed': z.object({ product_card_id: z.uuid(), research_job_id: z.uuid(), state: z.string(), progress: z.number() }),
} as const;

export type ControlKind = keyof typeof CONTROL_KINDS;
export type ControlParams<K extends ControlKind> = z.input<(typeof CONTROL_KINDS)[K]>;
