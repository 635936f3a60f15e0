import { z } from 'zod';
import { Timestamp } from '#platform/http/vocabulary.ts';
import { JOB_STATUSES, STAGES, TERMINAL_STAGE } from './states.ts';

const MOST_FEATURES = 50;

export const SelectedFeature = z.object({
  id: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(200),
  source: z.string().max(60).default('manual').describe('`research` for features from a research run'),
});
export type SelectedFeature = z.output<typeof SelectedFeature>;

export const StartFeatureResearch = z.object({
  features: z.array(SelectedFeature).min(1).max(MOST_FEATURES),
  idea: z.string().min(1).max(5000),
  project_id: z.uuid().nullish(),
  research_id: z.uuid().nullish(),
});
export type StartFeatureResearch = z.output<typeof StartFeatureResearch>;

export const Started = z.object({ job_id: z.uuid(), status: z.literal('queued') });

export const StageValue = z.enum(['queued', ...STAGES, TERMINAL_STAGE]);

export const JobState = z.object({ status: z.enum(JOB_STATUSES), last_event_seq: z.int(), pipeline_stage: StageValue });

export const RunError = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() });
export type RunError = z.output<typeof RunError>;

const SOURCE_KINDS = ['knowledge', 'open_source', 'canonical_company', 'canonical_feature', 'prior_research', 'web'] as const;

/** What a statement may rest on. `url` is a web address, or an address of ours such as `knowledge:accounts`. */
export const Source = z.object({
  id: z.uuid(),
  url: z.string(),
  title: z.string(),
  kind: z.enum(SOURCE_KINDS),
  snippet: z.string(),
  confidence: z.number().min(0).max(1),
});
export type Source = z.output<typeof Source>;

const SourceIds = z.array(z.uuid());
const Days = z.object({ low: z.number(), high: z.number() });
const Grade = z.int().min(1).max(5);

export const ScopedFeature = z.object({
  id: z.string(),
  name: z.string(),
  /** What the catalogue calls it, where it knows it; `own_market` when that is a market of the idea. */
  canonical: z.object({ id: z.string(), name: z.string(), description: z.string(), market: z.string(), own_market: z.boolean() }).nullable(),
  /** Engineering topics of the knowledge library it comes down to, the nearest first. */
  topics: z.array(z.object({ id: z.string(), name: z.string() })),
  competitors: z.array(z.object({ name: z.string(), url: z.string(), source_ids: SourceIds })),
  source_ids: SourceIds,
});
export type ScopedFeature = z.output<typeof ScopedFeature>;

const CitedText = z.object({ text: z.string(), source_ids: SourceIds });

export const Implementation = z.object({ name: z.string(), url: z.string(), how: z.string(), source_ids: SourceIds });
export type Implementation = z.output<typeof Implementation>;

export const Approach = z.object({
  name: z.string(),
  when: z.string(),
  trade_offs: z.string(),
  effort_days: Days,
  /** The one the blueprint counts with. */
  recommended: z.boolean(),
  source_ids: SourceIds,
});
export type Approach = z.output<typeof Approach>;

const OpenSource = z.object({ name: z.string(), url: z.string(), license: z.string(), use_for: z.string(), source_ids: SourceIds });

export const FeatureRisk = z.object({ risk: z.string(), likelihood: Grade, impact: Grade, mitigation: z.string(), source_ids: SourceIds });
export type FeatureRisk = z.output<typeof FeatureRisk>;

export const FeatureAnalysis = z.object({
  feature_id: z.string(),
  feature_name: z.string(),
  /** `thin` when nothing that is known says how to build it. */
  depth: z.enum(['full', 'thin']),
  summary: z.string(),
  implementations: z.array(Implementation),
  common_patterns: z.array(CitedText),
  technical_approaches: z.array(Approach),
  edge_cases: z.array(CitedText),
  oss_landscape: z.array(OpenSource),
  risks: z.array(FeatureRisk),
  /** Topics that have to be there first. */
  depends_on: z.array(z.object({ topic_id: z.string(), reason: z.string(), source_ids: SourceIds })),
  /** Which analyst wrote it: a model that does not answer is stood in for by the rules. */
  analyst: z.enum(['rule', 'model']),
});
export type FeatureAnalysis = z.output<typeof FeatureAnalysis>;

/** One thing to build: a selected feature, or what several of them stand on. */
export const BlueprintPart = z.object({
  id: z.string(),
  kind: z.enum(['foundation', 'feature']),
  name: z.string(),
  feature_id: z.string().nullable(),
  /** What the estimate assumes to be built. */
  approach: z.string(),
  days: z.number(),
  days_range: Days,
  source_ids: SourceIds,
});
export type BlueprintPart = z.output<typeof BlueprintPart>;

export const Recommendation = z.object({
  title: z.string(),
  rationale: z.string(),
  feature_ids: z.array(z.string()),
  source_ids: SourceIds,
});
export type Recommendation = z.output<typeof Recommendation>;

export const BuildStep = z.object({
  position: z.int(),
  part_id: z.string(),
  feature_id: z.string().nullable(),
  name: z.string(),
  days: z.number(),
  depends_on: z.array(z.string()),
  reason: z.string(),
  source_ids: SourceIds,
});
export type BuildStep = z.output<typeof BuildStep>;

export const RiskEntry = FeatureRisk.extend({
  feature_ids: z.array(z.string()),
  /** Likelihood times impact, 1 to 25. */
  score: z.int().min(1).max(25),
  level: z.enum(['low', 'medium', 'high']),
});
export type RiskEntry = z.output<typeof RiskEntry>;

export const Blueprint = z.object({
  recommendations: z.array(Recommendation),
  build_order: z.array(BuildStep),
  risk_matrix: z.array(RiskEntry),
  /** Working days of one experienced developer: the sum of `parts[].days`. */
  total_mvp_days: z.number(),
  mvp_days_range: Days,
  assumptions: z.array(z.string()),
  parts: z.array(BlueprintPart),
  strategic_summary: z.string(),
});
export type Blueprint = z.output<typeof Blueprint>;

const Dimension = z.object({ score: z.number().min(0).max(10), weight: z.number(), explanation: z.string() });

export const Quality = z.object({
  overall_score: z.number().min(0).max(10),
  dimensions: z.record(z.string(), Dimension),
  /** Statements dropped because what they cited is not among the sources. */
  unsupported_dropped: z.int(),
});
export type Quality = z.output<typeof Quality>;

export const FeatureResearchMeta = z.object({
  id: z.uuid(),
  status: z.enum(JOB_STATUSES),
  pipeline_stage: StageValue,
  selected_features: z.array(z.object({ id: z.string(), name: z.string(), source: z.string() })),
  project_id: z.uuid().nullable(),
  research_id: z.uuid().nullable(),
  quality: z.object({ overall_score: z.number().min(0).max(10) }),
  error_detail: z.string().optional(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** What a completed run found; stored once, and sent as the `result` event. */
export const Findings = z.object({
  idea: z.string(),
  scope: z.object({ features: z.array(ScopedFeature) }),
  analyses: z.array(FeatureAnalysis),
  blueprint: Blueprint,
  sources: z.array(Source),
  quality: Quality,
  warnings: z.array(z.string()),
});
export type Findings = z.output<typeof Findings>;

export const FeatureResearchResults = z.object({ ...FeatureResearchMeta.shape, ...Findings.shape });
export type FeatureResearchResults = z.input<typeof FeatureResearchResults>;
