import { z } from 'zod';
import { Timestamp } from '#platform/http/vocabulary.ts';

export const Mode = z.enum(['market', 'feature']);
const JobStatusValue = z.enum(['queued', 'running', 'completed', 'failed']);
export const ReuseScope = z.enum(['user', 'public']);
export const SourceKind = z.enum(['web', 'canonical_company', 'canonical_feature', 'prior_research']);
export type SourceKind = z.output<typeof SourceKind>;

/** Ours: ids of the markets of the catalogue that an idea is in, best first, where its author says so. */
export const ToldMarkets = z.array(z.string().min(1).max(100)).min(1).max(3);

export const StartResearch = z.object({
  idea: z.string().min(1).max(5000),
  project_id: z.uuid().nullish(),
  mode: Mode.default('market'),
});
export type StartResearch = z.output<typeof StartResearch>;

export const Started = z.object({ job_id: z.uuid(), status: z.literal('queued'), position: z.int() });
export const Replayed = z.object({ job_id: z.uuid(), status: z.literal('in_progress') });
export const Cloned = z.object({ job_id: z.uuid(), cache_action: z.literal('clone'), status: z.literal('completed') });

export const RunError = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  evidence_count: z.int().optional(),
});
export type RunError = z.output<typeof RunError>;

export const ResearchStatus = z.object({
  job_id: z.uuid(),
  status: JobStatusValue,
  pipeline_stage: z.string(),
  last_event_seq: z.int(),
  error: RunError.nullable(),
});

export const Evidence = z.object({
  id: z.uuid(),
  source_kind: SourceKind,
  source_url: z.string().nullable(),
  title: z.string(),
  snippet: z.string(),
  confidence: z.number().min(0).max(1).nullable(),
  freshness_score: z.number().min(0).max(1),
  fetched_at: Timestamp,
});
export type Evidence = z.input<typeof Evidence>;

const EvidenceIds = z.array(z.uuid());

/** A sentence and what it rests on. */
export const Cited = z.object({ text: z.string(), evidence_ids: EvidenceIds });
export type Cited = z.output<typeof Cited>;

export const Competitor = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  url: z.string().nullable(),
  funding: z.string().nullable(),
  is_incumbent: z.boolean(),
  founded: z.int().nullable(),
  pricing: z.string().nullable(),
  /** Ids of `features` that it has, as far as the evidence tells. */
  features: z.array(z.string()),
  /** 0 to 1: how much of what the idea asks for it already does. */
  overlap: z.number().min(0).max(1),
  evidence_ids: EvidenceIds,
});
export type Competitor = z.output<typeof Competitor>;

export const FeatureTier = z.enum(['table_stakes', 'common', 'rare', 'only_this_idea']);

export const MarketFeature = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tier: FeatureTier,
  /** Share of the known rivals that have it, 0 to 1, and who they are; of the others nothing is recorded, save those that are known to lack it. */
  frequency: z.number().min(0).max(1),
  held_by: z.array(z.string()),
  lacked_by: z.array(z.string()).optional(),
  asked_for: z.boolean(),
  evidence_ids: EvidenceIds,
});
export type MarketFeature = z.output<typeof MarketFeature>;

export const Whitespace = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  feature_ids: z.array(z.string()),
  evidence_ids: EvidenceIds,
});
export type Whitespace = z.output<typeof Whitespace>;

export const ScorePart = z.object({
  key: z.enum(['demand', 'crowding', 'differentiation', 'evidence', 'clarity']),
  score: z.number().min(0).max(100),
  weight: z.number().min(0).max(1),
  explanation: z.string(),
  /** The counted things the score was computed from, by name. */
  inputs: z.record(z.string(), z.number()),
  evidence_ids: EvidenceIds,
});
export type ScorePart = z.output<typeof ScorePart>;

const Verdict = z.enum(['pursue', 'test_first', 'refine', 'drop', 'insufficient_data']);
type Verdict = z.output<typeof Verdict>;

export const Recommendation = z.object({
  /** Null where nothing was seen that could be scored. */
  score: z.number().min(0).max(100).nullable(),
  verdict: Verdict,
  rationale: z.string(),
  reasons_for: z.array(Cited),
  reasons_against: z.array(Cited),
  parts: z.array(ScorePart),
});
export type Recommendation = z.output<typeof Recommendation>;

/** What the idea takes for granted and nothing gathered supports. */
export const Assumption = z.object({ id: z.string(), text: z.string(), why_it_matters: z.string() });
export type Assumption = z.output<typeof Assumption>;

export const NextStep = z.object({
  title: z.string(),
  how: z.string(),
  /** What would speak for going on, and what for stopping. */
  success_signal: z.string(),
  assumption_id: z.string().nullable(),
  evidence_ids: EvidenceIds,
});
export type NextStep = z.output<typeof NextStep>;

export const BuildItem = z.object({ id: z.string(), label: z.string(), reason: z.string(), evidence_ids: EvidenceIds });
export type BuildItem = z.output<typeof BuildItem>;

export const SourceReport = z.object({
  source: z.enum(['catalogue', 'prior_research', 'web']),
  status: z.enum(['ok', 'empty', 'failed', 'off']),
  found: z.int(),
  kept: z.int(),
  ms: z.int(),
  warning: z.string().nullable(),
});
export type SourceReport = z.output<typeof SourceReport>;

export const Quality = z.object({
  /** Equals `recommendation.score`: 0 to 100, or null. */
  overall_score: z.number().min(0).max(100).nullable(),
  evidence_count: z.int(),
  evidence_by_kind: z.record(SourceKind, z.int()),
  /** Distinct registrable domains among the sources. */
  independent_domains: z.int(),
  /** Citations of anything outside the evidence that were caught and dropped. */
  fabricated_citations: z.int(),
  /** Statements dropped because nothing was left that they rested on. */
  unsupported_dropped: z.int(),
  sources: z.array(SourceReport),
});
export type Quality = z.output<typeof Quality>;

export const Engine = z.object({
  analyst: z.enum(['rule', 'model']),
  provider: z.enum(['llm_a', 'llm_b']).nullable(),
  model: z.string().nullable(),
});
export type Engine = z.output<typeof Engine>;

/** A product that a model named from memory and no page confirmed: no evidence, in no count, cited nowhere. */
const FromMemory = z.object({ name: z.string(), url: z.string(), why: z.string(), /** Where to look it up. */ search_url: z.string() });
export type FromMemory = z.output<typeof FromMemory>;

const Idea = z.object({
  raw_input: z.string(),
  normalized_idea: z.string(),
  language: z.string(),
  target_user: z.string(),
  problem_statement: z.string(),
  proposed_solution: z.string(),
});

/** A market that may be meant, with the words of the idea that speak for it and the firms that would be nearest there. */
const CandidateMarket = z.object({
  id: z.string(),
  name: z.string(),
  confidence: z.number().min(0).max(1),
  words: z.array(z.string()),
  firms: z.array(z.object({ name: z.string(), url: z.string().nullable(), line: z.string() })),
});
export type CandidateMarket = z.output<typeof CandidateMarket>;

const Classification = z.object({
  category: z.string(),
  subcategory: z.string(),
  market_type: z.string(),
  confidence: z.number().min(0).max(1),
  /** Catalogue ids of the markets the idea touches, best first; none where it is not sure. */
  category_ids: z.array(z.string()),
  certainty: z.enum(['sure', 'unsure', 'unknown']),
  /** Where it is not sure: at most three markets that may be meant, and what would decide. */
  candidates: z.array(CandidateMarket),
  questions: z.array(z.string()),
});

export const ResearchArtifact = z.object({
  id: z.uuid(),
  job_id: z.uuid(),
  product_idea: z.string(),
  product_category: z.string(),
  product_name: z.string(),
  short_title: z.string(),
  one_line_summary: z.string(),
  engine: Engine,
  idea: Idea,
  classification: Classification,
  market: z.object({
    audience: z.array(z.string()),
    use_cases: z.array(z.string()),
    competitors: z.array(Competitor),
    opportunities: z.array(z.string()),
    /** What `audience` and `use_cases` rest on. */
    evidence_ids: EvidenceIds,
  }),
  incumbents: z.array(Competitor),
  emerging: z.array(Competitor),
  features: z.array(MarketFeature),
  whitespaces: z.array(Whitespace),
  recommendation: Recommendation,
  evidence_against: z.array(Cited),
  assumptions: z.array(Assumption),
  next_steps: z.array(NextStep),
  build_readiness: z.object({ phase_1: z.array(BuildItem), phase_2: z.array(BuildItem) }),
  ui_sections: z.array(z.object({ key: z.string(), title: z.string(), count: z.int() })),
  evidence: z.array(Evidence),
  from_memory: z.array(FromMemory).optional(),
  quality: Quality,
  warnings: z.array(z.string()),
  usage: z.record(z.string(), z.object({ calls: z.int(), inputTokens: z.int(), outputTokens: z.int() })),
  created_at: Timestamp,
});
export type ResearchArtifact = z.input<typeof ResearchArtifact>;
