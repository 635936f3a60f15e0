import type { RemoveContents } from '#features/projects';
import { researchStream } from './events.ts';
import { deleteOfProject } from './project-research-store.ts';

/** Deletes a project's research; a run that is under way stops at its next write, because its stream is gone. */
export const removeResearchOfProject: RemoveContents = async ({ streams }, tx, projectId) => {
  for (const jobId of await deleteOfProject(tx, projectId)) await streams.remove(tx, researchStream(jobId));
};
