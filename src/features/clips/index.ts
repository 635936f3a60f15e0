export { listClips, reserveClip, transferClips } from './clip-store.ts';
export { clipDiscard, RoastReceived, VotesReceived } from './events.ts';
export { publishClip } from './publish-clip.ts';
export { clipExtensionRoutes, clipOperatorRoutes, clipRoutes } from './routes.ts';
export { transferVotes } from './vote-store.ts';
export { deleteOldRoasts, discardClips, removeClipsOfProject, withdrawClip } from './withdraw-clips.ts';
