import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { defineDocument } from '../documents/define-document.ts';

const userId = z.string();
const Shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['user', 'anonymous']), userId }),
  z.object({ kind: z.literal('automation'), userId, automationId: z.string() }),
  z.object({ kind: z.literal('agent'), userId, agentId: z.string() }),
  z.object({ kind: z.literal('mcp'), userId, tokenId: z.string() }),
  z.object({ kind: z.literal('webhook'), userId: userId.nullable(), source: z.string() }),
  z.object({ kind: z.literal('system'), userId: userId.nullable() }),
]);

/** Who did what happened, as the event keeps it. */
export const storedActor = defineDocument<Actor>('actor', Shape, { version: 1, checks: 'older' });
