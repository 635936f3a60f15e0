export { createProject, prepareProject, type PreparedProject } from './create-project.ts';
export type { RemoveContents } from './delete-project.ts';
export { ProjectCreated, projectChannel } from './events.ts';
export { normaliseProject, shortDescriptionOf, shortTitleOf } from './normalise-project.ts';
export { nearestProjects } from './nearest-projects.ts';
export { presentProject } from './present-project.ts';
export {
  countProjects,
  findOwnedProject,
  findProject,
  listProjects,
  moveProject,
  transferProjects,
  type ProjectResult,
  type ProjectRow,
} from './project-store.ts';
export { projectRoutes } from './routes.ts';
export { Project, ProjectState } from './schema.ts';
export { seedProject } from './seed-project.ts';
export { noteProject, takeBackProject, type MadeProject } from './take-back-project.ts';
export { findVector as findProjectVector } from './vector-store.ts';
