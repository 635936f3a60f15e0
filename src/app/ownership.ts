import type { TransferOwnership } from '#features/auth';
import { removeBriefsOfProject, transferBriefs } from '#features/briefs';
import { removeGraphsOfProject, transferGraphs } from '#features/build-graphs';
import { deleteCardsOfProject, transferCards } from '#features/cards';
import { removeClipsOfProject, transferClips, transferVotes } from '#features/clips';
import { transferGrants } from '#features/credits';
import { removeFeatureResearchOfProject, transferFeatureResearch } from '#features/feature-research';
import { transferCredentials, transferMcpTokens, transferProfile } from '#features/profile';
import { deleteNotificationsOfProject, transferNotifications } from '#features/notifications';
import { deleteProductsOfProject, transferProducts } from '#features/products';
import { transferPushTokens } from '#features/push';
import { transferProjects, type RemoveContents } from '#features/projects';
import { removeResearchOfProject, transferQueued, transferResearch } from '#features/research';
import { transferCharges } from '#features/usage';
import { endToastSessions, transferDevices, transferToasts } from '#features/toasts';
import type { Tx } from '#platform/db/database.ts';
import { deleteEventsOfProject, transferEvents } from '#platform/domain-events/domain-event-store.ts';
import { transferModelCalls } from '#platform/llm/model-calls.ts';
import { transferLocalCredits } from '#platform/ports/billing-provider/local.ts';
import { transferSockets } from '#platform/realtime/message-store.ts';
import { transferSchedules } from '#platform/schedules/schedule-store.ts';

/**
 * What moves when a device's anonymous owner turns out to be a user: one entry per feature that owns rows. Research goes
 * first: whatever ends one locks it before its project.
 */
export const ownershipTransfers: readonly TransferOwnership[] = [
  transferResearch,
  transferProjects,
  transferQueued,
  transferFeatureResearch,
  transferGraphs,
  transferBriefs,
  transferClips,
  transferCards,
  transferProducts,
  transferProfile,
  transferCredentials,
  transferMcpTokens,
  transferToasts,
  transferDevices,
  transferPushTokens,
  ledgers,
];

/** What the service keeps of a user; these are no rows of theirs, so they do not count among those that moved. */
async function ledgers(tx: Tx, from: string, to: string): Promise<number> {
  await transferEvents(tx, from, to);
  await transferModelCalls(tx, from, to);
  await transferSchedules(tx, from, to);
  await transferSockets(tx, from, to);
  await transferVotes(tx, from, to);
  await transferCharges(tx, from, to);
  await transferGrants(tx, from, to);
  await transferLocalCredits(tx, from, to);
  await endToastSessions(tx, from);
  await transferNotifications(tx, from, to);
  return 0;
}

/** What goes with a project that is deleted. */
export const removeContents: readonly RemoveContents[] = [
  removeResearchOfProject,
  removeFeatureResearchOfProject,
  removeGraphsOfProject,
  removeBriefsOfProject,
  // After what pages are made of: whoever publishes one holds that first.
  removeClipsOfProject,
  (_ctx, tx, projectId) => deleteCardsOfProject(tx, projectId),
  (_ctx, tx, projectId) => deleteProductsOfProject(tx, projectId),
  (_ctx, tx, projectId) => deleteEventsOfProject(tx, projectId),
  (_ctx, tx, projectId) => deleteNotificationsOfProject(tx, projectId),
];
