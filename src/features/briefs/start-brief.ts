import { invalid, notFound } from '#lib/errors.ts';
import { newId, newToken } from '#lib/ids.ts';
import { findOwnedProject } from '#features/projects';
import { findOwnedJob, listOfProject, readArtifact, type JobRow } from '#features/research';
import { charge } from '#features/usage';
import type { Needs } from '#platform/context.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Principal } from '#platform/principal.ts';
import { insertBrief } from './brief-store.ts';
import { briefChannel, briefStream } from './events.ts';
import { writingBrief } from './run-brief.ts';
import { addRevision } from './section-store.ts';

export type BriefRequest = { projectId: string; researchId: string | null; template: string | null };

const LOOKED_AT = 200;
const TOKEN_BYTES = 24;

/**
 * Starts a brief; gives its id.
 * @throws AppError 402 above the caller's credits, 404 for a project that is not the caller's or a research that is not, or is not completed; 422 without one
 */
export async function startBrief(
  ctx: Needs<'db' | 'streams' | 'queue' | 'config' | 'clock'>,
  principal: Principal,
  request: BriefRequest,
): Promise<string> {
  const { userId } = principal;
  if (!(await findOwnedProject(ctx.db, userId, request.projectId))) throw notFound('Project');
  const research = request.researchId
    ? await findOwnedJob(ctx.db, userId, request.researchId)
    : await latestCompleted(ctx.db, userId, request.projectId);
  if (request.researchId && research?.status !== 'completed') throw notFound('Completed research');
  if (!research) throw noResearch();
  const title = (await readArtifact(ctx.db, research.id))?.short_title ?? research.idea;
  const id = newId();
  const { projectId, template } = request;
  await ctx.db.transaction().execute(async (tx) => {
    await charge(ctx, tx, { userId, work: 'brief', ref: id });
    await enqueueBrief(ctx, tx, { id, userId, projectId, researchId: research.id, title, template, audience: null });
  });
  return id;
}

export const noResearch = () => invalid('project_id: the project has no completed research');

/** The caller's research of a project that completed last. */
export async function latestCompleted(db: Db | Tx, userId: string, projectId: string): Promise<JobRow | null> {
  const jobs = await listOfProject(db, projectId, { limit: LOOKED_AT, offset: 0 });
  const completed = jobs.filter((job) => job.status === 'completed' && job.user_id === userId);
  return completed.sort((left, right) => (right.completed_at?.getTime() ?? 0) - (left.completed_at?.getTime() ?? 0))[0] ?? null;
}

export type QueuedBrief = {
  id: string;
  userId: string;
  projectId: string;
  researchId: string;
  title: string;
  template: string | null;
  audience: string | null;
};

/** Writes brief, stream, channel, first revision and background job in the caller's transaction. */
export async function enqueueBrief({ streams, queue }: Needs<'streams' | 'queue'>, tx: Tx, brief: QueuedBrief): Promise<void> {
  await insertBrief(tx, { ...brief, status: 'generating', shareToken: newToken(TOKEN_BYTES) });
  await addRevision(tx, brief.id, 1, { cause: 'created' });
  await streams.open(tx, briefStream(brief.id));
  await streams.open(tx, briefChannel(brief.id));
  await writingBrief.begin({ queue }, tx, { briefId: brief.id });
}
