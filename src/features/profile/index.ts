export { findMcpToken, touchMcpToken, transferMcpTokens } from './mcp-token-store.ts';
export { deleteOldPhoneCodes } from './phone-code-store.ts';
export { presentAgentConfig } from './present-profile.ts';
export {
  ensureProfile,
  findAgentConfig,
  findPhone,
  readCodehostToken,
  readModelKeys,
  sealedProfileColumns,
  transferProfile,
  type ProfileRow,
} from './profile-store.ts';
export { profileRoutes } from './routes.ts';
export { AUTO_ACTIONS, type AgentConfig } from './schema.ts';
export { transferCredentials } from './transfer-credentials.ts';
export { creditsOf, planOf, TIER_CREDITS } from './tiers.ts';
