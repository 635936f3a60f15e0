import type { Reown } from '#features/auth';
import { removeBriefsOfProject, reownBriefs } from '#features/briefs';
import { removeGraphsOfProject, reownGraphs } from '#features/build-graphs';
import { deleteCardsOfProject, reownCards } from '#features/cards';
import { removeFeatureResearchOfProject, reownFeatureResearch } from '#features/feature-research';
import { reownProfile } from '#features/profile';
import { deleteProductsOfProject, reownProducts } from '#features/products';
import { reownProjects, type RemoveContents } from '#features/projects';
import { removeResearchOfProject, reownQueued, reownResearch } from '#features/research';

/** What moves when a device's anonymous owner turns out to be a user: one entry per feature that owns rows. */
export const reownAll: readonly Reown[] = [
  reownProjects,
  reownResearch,
  reownQueued,
  reownFeatureResearch,
  reownGraphs,
  reownBriefs,
  reownCards,
  reownProducts,
  reownProfile,
];

/** What goes with a project that is deleted. */
export const removeContents: readonly RemoveContents[] = [
  removeResearchOfProject,
  removeFeatureResearchOfProject,
  removeGraphsOfProject,
  removeBriefsOfProject,
  (_ctx, tx, projectId) => deleteCardsOfProject(tx, projectId),
  (_ctx, tx, projectId) => deleteProductsOfProject(tx, projectId),
];
