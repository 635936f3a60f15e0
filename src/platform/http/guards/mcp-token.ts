import { forbidden, unavailable } from '../../../lib/errors.ts';
import { sha256 } from '../../../lib/ids.ts';
import type { Actor } from '../../actor.ts';
import { bearerOf, bearerScheme } from './bearer.ts';
import { type Guard, NoCredential } from './guard.ts';
import { isSameSecret } from './same-secret.ts';

/** Whose token has this SHA-256 (hex), while it is active. */
export type FindMcpToken = (hash: string) => Promise<{ userId: string; tokenId: string } | null>;

const MCP_TOKEN = /^mcp_[\w-]{48}$/;

/**
 * The bearer of an MCP client: a token of a user, or the operator's secret for the service itself. Session tokens and
 * identity JWTs are refused. 503 where neither is set up, 401 without a bearer, 403 otherwise.
 */
export function mcpToken({ find, adminSecret }: { find: FindMcpToken | undefined; adminSecret: string | undefined }): Guard<Actor> {
  return {
    auth: 'mcp',
    security: [bearerScheme('mcp', "A user's MCP token (`mcp_` and 48 characters), or the operator's shared secret.")],
    refusals: [401, 403, 503],
    admit: async ({ headers }) => {
      if (!find && !adminSecret) throw unavailable('mcp_unconfigured');
      const token = bearerOf(headers.authorization);
      if (token === null) throw new NoCredential('Missing Bearer token');
      if (adminSecret && isSameSecret(token, adminSecret)) return { kind: 'system', userId: null };
      const found = MCP_TOKEN.test(token) ? await find?.(sha256(token)) : null;
      if (!found) throw forbidden('Invalid token');
      return { kind: 'mcp', ...found };
    },
  };
}
