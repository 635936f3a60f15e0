import type { EvidenceSource, ScopeOutput } from '../analyst.ts';
import type { FeatureResearchRun } from '../feature-research-run.ts';

export type Found = { featureId: string; sources: EvidenceSource[] };

/** One place to look for evidence on all features. `off` says that it is not asked at all. */
export type Source = {
  name: 'knowledge' | 'catalogue' | 'research' | 'web';
  /** Seconds it may take; what it found by then is lost, and a warning says so. */
  seconds: number;
  off?(run: FeatureResearchRun): boolean;
  search(run: FeatureResearchRun, scope: ScopeOutput, signal: AbortSignal): Promise<{ found: Found[]; warning: string | null }>;
};
