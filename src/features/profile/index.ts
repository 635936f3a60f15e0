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
  type Tier,
} from './profile-store.ts';
export { profileRoutes } from './routes.ts';
export { AUTO_ACTIONS, type AgentConfig } from './schema.ts';
export { transferCredentials } from './transfer-credentials.ts';
export { planOf, TIER_CAPS } from './tiers.ts';
export { addUse, capsOf, creditsOf, findProfile, periodOf, setTier, takeBackUse, usedIn, type Counter, type Period } from './usage-counters.ts';
