import { z } from 'zod';
import { AppError, malformed, notFound } from '#lib/errors.ts';
import { newToken } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { readableByOthers } from './earlier-research.ts';
import { findShared, shareJob, unshareJob } from './research-access-store.ts';
import { findOwnedJob } from './research-store.ts';
import type { ResearchArtifact } from './schema.ts';

/** Body of the route: nothing publishes a page, a target sends to a tool. */
export const ShareRequest = z.looseObject({
  target: z.string().optional(),
  channel: z.string().optional(),
  parent_id: z.string().optional(),
  to: z.string().optional(),
  format: z.enum(['summary', 'detailed']).optional(),
});
export type ShareRequest = z.output<typeof ShareRequest>;

const TARGETS = ['chat', 'docs', 'email'];

/**
 * Publishes the page of a completed research; the token stays the same while the share lives.
 * @throws AppError 404, 400 while the research is not completed
 */
export async function publishResearch(
  { db, config }: Needs<'db' | 'config'>,
  principal: Principal,
  jobId: string,
): Promise<{ share_token: string; share_url: string }> {
  const job = await findOwnedJob(db, principal.userId, jobId);
  if (!job) throw notFound('Research job');
  const token = await shareJob(db, principal.userId, jobId, newToken(24));
  if (!token) throw malformed(`Only completed research can be shared; this one is ${job.status}`);
  return { share_token: token, share_url: `${config.http.baseUrl}/share/${token}` };
}

/**
 * Sends a completed research to a connected tool.
 * @throws AppError 400 for a wrong request or a target that is not connected, 404 when the job is missing or incomplete
 */
export async function sendResearch({ db }: Needs<'db'>, principal: Principal, jobId: string, request: ShareRequest): Promise<never> {
  if (!request.target) throw malformed('target: required');
  if (!TARGETS.includes(request.target)) throw malformed(`target: must be one of ${TARGETS.join(', ')}`);
  if (request.target === 'email' && !request.to) throw malformed('to: required for target email');
  const job = await findOwnedJob(db, principal.userId, jobId);
  if (job?.status !== 'completed') throw notFound('Research job');
  throw new AppError('malformed', `${request.target} is not connected`);
}

/** Ends a share; ending what was never shared is no error. */
export async function revokeShare({ db }: Needs<'db'>, principal: Principal, jobId: string): Promise<void> {
  if (!(await unshareJob(db, principal.userId, jobId))) throw notFound('Research job');
}

/** What a share token shows: the artifact as it may leave its owner. */
export async function findSharedResearch({ db }: Needs<'db'>, token: string): Promise<ResearchArtifact | null> {
  // Anything else was never given out, and may hold characters that the database refuses.
  const artifact = /^[\w-]+$/.test(token) ? await findShared(db, token) : null;
  return artifact && readableByOthers(db, artifact);
}
