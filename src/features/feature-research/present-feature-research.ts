import type { z } from 'zod';
import type { FeatureResearchRow } from './feature-research-store.ts';
import { StageValue, type FeatureResearchMeta, type FeatureResearchResults, type Findings } from './schema.ts';

export const presentMeta = (row: FeatureResearchRow): z.input<typeof FeatureResearchMeta> => ({
  id: row.id,
  status: row.status,
  pipeline_stage: StageValue.parse(row.pipeline_stage),
  selected_features: row.selected_features,
  project_id: row.project_id,
  research_id: row.research_id,
  // The column is single precision.
  quality: { overall_score: Math.round((row.score ?? 0) * 10) / 10 },
  ...(row.error ? { error_detail: row.error.message } : {}),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const presentResults = (row: FeatureResearchRow, findings: Findings): FeatureResearchResults => ({ ...presentMeta(row), ...findings });
