export { createProject, prepareProject, type PreparedProject } from './create-project.ts';
export type { RemoveContents } from './delete-project.ts';
export { ProjectCreated, projectChannel } from './events.ts';
export { normaliseProject, shortDescriptionOf, shortTitleOf } from './normalise-project.ts';
export { presentProject } from './present-project.ts';
export {
  countProjects,
  embeddingOf,
  findOwnedProject,
  findProject,
  listProjects,
  moveProject,
  nearestProjects,
  reownProjects,
  type ProjectRow,
} from './project-store.ts';
export { projectRoutes } from './routes.ts';
export { Project, ProjectState } from './schema.ts';
export { seedProject } from './seed-project.ts';
