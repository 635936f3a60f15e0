export { knownFeatures } from './canonical-feature.ts';
export { chainFeatureResearch } from './chain-research.ts';
export { FeatureResearchCompleted, FeatureResearchFailed, featureResearchStream } from './events.ts';
export {
  findLatestCompleted,
  findOwnedFeatureResearch,
  readFindings,
  transferFeatureResearch,
  type FeatureResearchRow,
} from './feature-research-store.ts';
export { UNKNOWN_DAYS } from './blueprint/groundwork.ts';
export { openLibrary, type LibraryMatch } from './library-match.ts';
export { removeFeatureResearchOfProject } from './remove-of-project.ts';
export { featureResearchRoutes } from './routes.ts';
export { researchingFeatures } from './run-feature-research.ts';
export type { Findings } from './schema.ts';
export { enqueueFeatureResearch, startFeatureResearch, type FeatureResearchInput } from './start-feature-research.ts';
