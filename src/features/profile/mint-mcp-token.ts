import { conflict } from '#lib/errors.ts';
import { newId, newToken, sha256 } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import { insertMcpToken, MOST_MCP_TOKENS, type McpTokenRow } from './mcp-token-store.ts';

/** 48 characters of base64url. */
const TOKEN_BYTES = 36;

/**
 * Makes a bearer for the caller's MCP clients. It is stored as a hash and given out here alone.
 * @throws AppError 409 when the caller has as many as one may have
 */
export async function mintMcpToken({ db }: Needs<'db'>, userId: string, name: string): Promise<McpTokenRow & { token: string }> {
  const token = `mcp_${newToken(TOKEN_BYTES)}`;
  const row = await db.transaction().execute((tx) => insertMcpToken(tx, { id: newId(), userId, name, hash: sha256(token) }));
  if (!row) throw conflict(`There are ${MOST_MCP_TOKENS} active tokens already; revoke one first`);
  return { ...row, token };
}
