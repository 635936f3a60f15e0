import type { Principal } from './principal.ts';

/**
 * Who did something, and for whom: `userId` is the one whose rows it may touch. Null for the installation itself.
 * Stored with what happened, so it holds no secret and no name.
 */
export type Actor =
  | { kind: 'user'; userId: string }
  | { kind: 'anonymous'; userId: string }
  | { kind: 'automation'; userId: string; automationId: string }
  | { kind: 'agent'; userId: string; agentId: string }
  | { kind: 'mcp'; userId: string; tokenId: string }
  | { kind: 'webhook'; userId: string | null; source: string }
  | { kind: 'system'; userId: string | null };

/** The person behind a request. */
export const actorOf = ({ userId, anonymous }: Principal): Actor => ({ kind: anonymous ? 'anonymous' : 'user', userId });

/** The service itself, working for a user. */
export const systemFor = (userId: string | null): Actor => ({ kind: 'system', userId });
