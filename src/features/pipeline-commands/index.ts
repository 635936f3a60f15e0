export { retrySectionRun } from './events.ts';
export { recomputeSection } from './retry-section.ts';
export { pipelineRoutes } from './routes.ts';
