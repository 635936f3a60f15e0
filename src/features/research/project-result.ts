import type { ProjectResult } from '#features/projects';
import type { ResearchArtifact } from './schema.ts';

/** What a completed research says of the project that it is in. */
export const resultFor = (idea: string, { recommendation, short_title: shortTitle }: ResearchArtifact): ProjectResult => ({
  qualityScore: recommendation.score ?? 0,
  idea,
  shortTitle,
});
