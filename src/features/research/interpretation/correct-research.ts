import { openCatalogue } from '#features/catalogue';
import { findOwnedProject, moveProject } from '#features/projects';
import { charge } from '#features/usage';
import { conflict, invalid, notFound } from '#lib/errors.ts';
import { newId, sha256 } from '#lib/ids.ts';
import { listOf } from '#lib/text.ts';
import type { Needs } from '#platform/context.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { lockKey, rememberKey, replayOf, type IdempotentRequest } from '#platform/idempotency/idempotency.ts';
import type { Principal } from '#platform/principal.ts';
import { researchStream } from '../events.ts';
import { findOwnedJob, insertJob, type JobRow } from '../research-store.ts';
import { researching } from '../run-research.ts';
import { correctReading } from './correct-reading.ts';
import { findInterpretation, setCorrection } from './interpretation-store.ts';
import type { Correction } from './schema.ts';

export type Corrected = { jobId: string; projectId: string | null } & (
  | { outcome: 'queued'; position: number }
  | { outcome: 'in_progress' | 'completed' }
);

/** @throws AppError 422 naming the markets that the catalogue does not have */
export function requireMarkets(ids: readonly string[]): void {
  const unknown = ids.filter((id) => !openCatalogue().category(id));
  if (unknown.length > 0) throw invalid(`The catalogue has no market ${listOf(unknown.map((id) => `"${id}"`))}`);
}

/**
 * Starts a research of the same idea in the same project that begins with the corrected interpretation.
 * @throws AppError 402 above the caller's credits, 404 for a research without one, 409 while the same correction runs or for a reused key, 422 for unknown markets
 */
export async function correctResearch(
  ctx: Needs<'db' | 'streams' | 'queue' | 'events' | 'config' | 'clock'>,
  principal: Principal,
  request: { jobId: string; correction: Correction },
  idempotency?: { route: string; key: string },
): Promise<Corrected> {
  const { userId } = principal;
  const { jobId: corrects, correction } = request;
  const job = await findOwnedJob(ctx.db, userId, corrects);
  if (!job) throw notFound('Research job');
  const understood = await findInterpretation(ctx.db, userId, corrects);
  if (!understood) throw notFound('Interpretation');
  requireMarkets(correction.markets ?? []);
  const idempotent: IdempotentRequest | null = idempotency ? { userId, ...idempotency, request } : null;
  const corrected = correctReading(job.idea, understood, correction);
  return ctx.db.transaction().execute(async (tx) => {
    if (idempotent) await lockKey(tx, idempotent);
    const earlier = idempotent ? await replay(tx, userId, idempotent) : null;
    if (earlier) return earlier;
    const jobId = newId();
    const projectId = job.project_id && (await findOwnedProject(tx, userId, job.project_id)) ? job.project_id : null;
    const position = await insertJob(tx, { ...ownOf(job), id: jobId, projectId, ideaKey: keyOf(job, corrected.described) });
    if (position === null) throw conflict('The same correction is already running');
    await setCorrection(tx, jobId, corrects, corrected);
    await ctx.streams.open(tx, researchStream(jobId));
    if (projectId) await moveProject(tx, projectId, 'research_started');
    await charge(ctx, tx, { userId, work: 'research', ref: jobId });
    await researching.begin(ctx, tx, { jobId });
    if (idempotent) await rememberKey(tx, idempotent, jobId);
    return { outcome: 'queued', jobId, projectId, position };
  });
}

const ownOf = ({ user_id: userId, idea, mode }: JobRow) => ({ userId, idea, mode });

/** Corrections of one idea that come to the same are identical; no other request is. */
const keyOf = ({ idea_key: key }: JobRow, described: unknown): string => sha256(`${key}\n${JSON.stringify(described)}`);

/** What an earlier request with the same key started; null when it failed, so that the key may be used to try again. */
async function replay(db: Db | Tx, userId: string, idempotent: IdempotentRequest): Promise<Corrected | null> {
  const id = await replayOf(db, idempotent);
  const job = id ? await findOwnedJob(db, userId, id) : null;
  if (!job || job.status === 'failed') return null;
  return { outcome: job.status === 'completed' ? 'completed' : 'in_progress', jobId: job.id, projectId: job.project_id };
}
