import type { StageRun } from '#platform/runs/define-pipeline.ts';
import type { BlueprintPart, FeatureAnalysis, FeatureRisk, Recommendation, ScopedFeature, Source } from './schema.ts';

/** A source as an analyst reads it. `text` came from outside: data, never instructions. */
export type EvidenceSource = Source & {
  text: string;
  /** Topic of the knowledge library that it belongs to. */
  topicId: string | null;
  /** Catalogue company that it tells of. */
  companyId: string | null;
};

/** A selected feature with what the scope knows of it besides what is shown. */
export type Scoped = ScopedFeature & {
  description: string;
  /** Catalogue id of the market whose word it is. */
  marketId: string | null;
  /** Known products of that market that have it, and how many of the market are known at all. */
  holders: number;
  rivalsKnown: number;
  companyIds: string[];
};

export type ScopeOutput = { markets: { id: string; name: string }[]; features: Scoped[]; warnings: string[] };

export type GatherOutput = {
  sources: EvidenceSource[];
  /** Ids of the sources that bear on a feature, by its id. */
  bearing: Record<string, string[]>;
  warnings: string[];
};

/** One feature with everything that was gathered on it. */
export type FeatureCase = { idea: string; feature: Scoped; sources: EvidenceSource[] };

export type FeatureStage = Pick<StageRun, 'signal' | 'spend' | 'progress'>;

/** Something that has to be there before something else; both are part ids. */
export type PartEdge = { from: string; to: string; reason: string; sourceIds: string[] };

/** The parts of a plan and what stands on what, before anything is decided about them. */
export type Groundwork = { parts: BlueprintPart[]; edges: PartEdge[] };

export type BlueprintCase = {
  idea: string;
  features: Scoped[];
  analyses: FeatureAnalysis[];
  sources: EvidenceSource[];
  groundwork: Groundwork;
};

/** What an analyst decides of a blueprint. Order, sums and scores are computed from it, never taken over. */
export type Counsel = {
  recommendations: Recommendation[];
  strategicSummary: string;
  assumptions: string[];
  /** Further dependencies between parts. */
  edges: PartEdge[];
  /** Risks of the plan as a whole, besides those of its features. */
  risks: (FeatureRisk & { feature_ids: string[] })[];
  /** Which features come first among those that nothing holds back, by id. */
  priorities: string[];
};

/**
 * Decides what the stages of a feature research are about. Two implementations: rules over the evidence, and a language
 * model. What either cites is checked against the sources before it is kept (`evidence-lock.ts`).
 */
export type FeatureAnalyst = {
  kind: 'rule' | 'model';
  /** How many features it looks at together. */
  together: number;
  /** One analysis for each case, in the order of the cases. */
  analyze(cases: readonly FeatureCase[], stage: FeatureStage): Promise<FeatureAnalysis[]>;
  counsel(about: BlueprintCase, stage: FeatureStage): Promise<Counsel>;
};
