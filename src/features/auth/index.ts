export { authenticator } from './authenticator.ts';
export { openIdentity, signIdentityToken, type Identity } from './identity.ts';
export { analyticsAlias, deliverAlias, requeueAliases } from './deliver-alias.ts';
export type { TransferOwnership } from './rebind-device.ts';
export { authRoutes } from './routes.ts';
export { deleteOldSessions } from './session-store.ts';
export { openSessions, type Sessions } from './sessions.ts';
