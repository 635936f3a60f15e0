import { notFound } from '#lib/errors.ts';
import { OWN_LIMITS } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { idParam } from '#platform/http/vocabulary.ts';
import { startPhone, unlinkPhone, verifyPhone } from './link-phone.ts';
import { listMcpTokens, revokeMcpToken } from './mcp-token-store.ts';
import { mintMcpToken } from './mint-mcp-token.ts';
import { presentAgentConfig, presentProfile } from './present-profile.ts';
import { ensureProfile } from './profile-store.ts';
import {
  AgentConfig,
  McpTokenRevoked,
  McpTokens,
  MintedMcpToken,
  MintMcpToken,
  PhoneCodeSent,
  PhoneLinked,
  PhoneUnlinked,
  Profile,
  StartPhone,
  UpdateAgentConfig,
  UpdateProfile,
  VerifyPhone,
} from './schema.ts';
import { updateAgentConfig, updateProfile } from './update-profile.ts';

export const profileRoutes = [
  route({
    method: 'PATCH',
    path: '/profile/agent-config',
    summary: 'Say how far agents may go by themselves',
    description: 'Listed actions run automatically whatever the level.',
    limit: OWN_LIMITS.light,
    body: UpdateAgentConfig,
    responses: { 200: AgentConfig },
    async handle({ ctx, principal, body }, reply) {
      return reply(200, presentAgentConfig(await updateAgentConfig(ctx, principal, body)));
    },
  }),
  route({
    method: 'GET',
    path: '/profile',
    summary: "The caller's profile",
    responses: { 200: Profile },
    async handle({ ctx, principal }, reply) {
      return reply(200, presentProfile(await ensureProfile(ctx.db, principal), ctx.clock.now()));
    },
  }),
  route({
    method: 'PATCH',
    path: '/profile',
    summary: "Change the caller's name, or the keys that are stored for them",
    description: 'Keys are stored encrypted and shown nowhere; `GET /auth/bootstrap` says which there are.',
    limit: OWN_LIMITS.light,
    body: UpdateProfile,
    responses: { 200: Profile },
    async handle({ ctx, principal, body }, reply) {
      return reply(200, presentProfile(await updateProfile(ctx, principal, body), ctx.clock.now()));
    },
  }),
  route({
    method: 'POST',
    path: '/profile/phone',
    summary: 'Send a code to a number that is to be linked',
    description: 'Codes hold for 10 minutes. One can be sent every 30 seconds, and 5 an hour; the latest one counts.',
    errors: [502],
    limit: OWN_LIMITS.work,
    body: StartPhone,
    responses: { 202: PhoneCodeSent },
    async handle({ ctx, principal, body }, reply) {
      await startPhone(ctx, principal, body.phone);
      return reply(202, { sent: true, to: body.phone });
    },
  }),
  route({
    method: 'POST',
    path: '/profile/phone/verify',
    summary: 'Link a number with the code that was sent to it',
    description: 'A code can be tried 5 times, and codes 20 times an hour. A number is linked to the last user who verified it.',
    limit: OWN_LIMITS.work,
    body: VerifyPhone,
    responses: { 200: PhoneLinked },
    async handle({ ctx, principal, body }, reply) {
      await verifyPhone(ctx, principal, body);
      return reply(200, { linked: true, phone: body.phone });
    },
  }),
  route({
    method: 'DELETE',
    path: '/profile/phone',
    summary: 'Unlink the number',
    limit: OWN_LIMITS.light,
    responses: { 200: PhoneUnlinked },
    async handle({ ctx, principal }, reply) {
      await unlinkPhone(ctx, principal);
      return reply(200, { success: true });
    },
  }),
  route({
    method: 'GET',
    path: '/profile/mcp-tokens',
    summary: "The caller's MCP tokens, newest first",
    responses: { 200: McpTokens },
    async handle({ ctx, principal }, reply) {
      return reply(200, { tokens: await listMcpTokens(ctx.db, principal.userId) });
    },
  }),
  route({
    method: 'POST',
    path: '/profile/mcp-tokens',
    summary: 'Mint an MCP token, which is shown this once',
    errors: [409],
    limit: OWN_LIMITS.light,
    body: MintMcpToken,
    emptyBody: 'allowed',
    responses: { 201: MintedMcpToken },
    async handle({ ctx, principal, body }, reply) {
      const { id, name, token, created_at } = await mintMcpToken(ctx, principal.userId, body.name);
      return reply(201, { id, name, token, created_at });
    },
  }),
  route({
    method: 'DELETE',
    path: '/profile/mcp-tokens/{id}',
    summary: 'Revoke an MCP token',
    limit: OWN_LIMITS.light,
    params: idParam('id'),
    responses: { 200: McpTokenRevoked },
    async handle({ ctx, principal, params }, reply) {
      if (!(await revokeMcpToken(ctx.db, principal.userId, params.id))) throw notFound('MCP token');
      return reply(200, { revoked: true });
    },
  }),
];
