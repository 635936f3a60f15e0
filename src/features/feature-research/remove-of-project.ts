import type { RemoveContents } from '#features/projects';
import { featureResearchStream } from './events.ts';
import { deleteOfProject } from './feature-research-store.ts';

/** Deletes a project's feature research; a run that is under way stops at its next write, because its stream is gone. */
export const removeFeatureResearchOfProject: RemoveContents = async ({ streams }, tx, projectId) => {
  for (const id of await deleteOfProject(tx, projectId)) await streams.remove(tx, featureResearchStream(id));
};
