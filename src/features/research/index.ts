export type { Analysis, Analyst, Finding, Interpretation, Synthesis } from './analyst.ts';
export { chooseEngine, modelOf, type KeyReader } from './engine.ts';
export { replayQueued, ResearchCompleted, ResearchFailed, researchRun, researchStream } from './events.ts';
export { MATERIAL_RULES, quoted } from './prompts/material.ts';
export { moveResearch } from './move-research.ts';
export { readFast } from './read-fast.ts';
export { removeResearchOfProject } from './remove-of-project.ts';
export {
  findActiveJob,
  findJob,
  findOwnedJob,
  findOwnedJobs,
  listOfProject,
  readArtifact,
  reownResearch,
  summariseByProject,
  type JobRow,
  type ProjectResearch,
} from './research-store.ts';
export { deleteExpired, listWaitingUsers, reownQueued } from './retry-queue-store.ts';
export { replayRequests } from './retry-queue.ts';
export { projectResearchRoute, researchRoutes } from './routes.ts';
export { abandonResearch, runResearch } from './run-research.ts';
export { addCounts, groundsOf, keepSound, type Grounds } from './grounding/grounds.ts';
export { isFree, isPaid, pricingWords } from './pricing.ts';
export { namesOf } from './scoring.ts';
export { Evidence, FeatureTier, ResearchArtifact, SourceKind, type Competitor, type Engine, type MarketFeature } from './schema.ts';
export { prioritiesOf, SECTIONS, sectionCards, type Section } from './section-cards.ts';
export { stageHistory, type Checkpoint } from './stage-history.ts';
export { ideaKeyOf, startResearch, type Started } from './start-research.ts';
export { STAGES, TERMINAL_STAGE } from './states.ts';
export { findSharedResearch } from './share-research.ts';
