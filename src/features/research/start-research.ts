import { conflict, notFound } from '#lib/errors.ts';
import { newId, sha256 } from '#lib/ids.ts';
import { normaliseText } from '#lib/text.ts';
import { createProject, findOwnedProject, moveProject, noteProject, prepareProject } from '#features/projects';
import { charge } from '#features/usage';
import type { Needs } from '#platform/context.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { lockKey, rememberKey, replayOf, type IdempotentRequest } from '#platform/idempotency/idempotency.ts';
import type { Principal } from '#platform/principal.ts';
import { cloneResearch } from './clone-research.ts';
import { researchStream } from './events.ts';
import { setProject } from './project-research-store.ts';
import { researching } from './run-research.ts';
import { findCached, findOwnedJob, insertJob } from './research-store.ts';

export type ResearchRequest = {
  idea: string;
  projectId: string | null;
  mode: 'market' | 'feature';
  /** Ids of the markets that are meant, where the request says so. */
  markets?: readonly string[];
};

export type Started =
  | { outcome: 'queued'; jobId: string; projectId: string | null; position: number }
  | { outcome: 'in_progress'; jobId: string; projectId: string | null }
  | { outcome: 'cloned'; jobId: string; projectId: string | null };

export type StartOptions = {
  /** The `Idempotency-Key` of the request and the route it came to. */
  idempotency?: { route: string; key: string };
  /** Creates the job's project in the same transaction; for `itselfOnly`, a text that is refused leaves none behind. */
  newProject?: { description: string; itselfOnly?: true };
  /** What else is to be written if and only if the research starts. */
  alongside?: (tx: Tx, started: Started) => Promise<void>;
};

type StartNeeds = Needs<'db' | 'streams' | 'queue' | 'events' | 'embeddings' | 'log' | 'config' | 'clock'>;

/** Two requests are identical when their normalised text and mode are, and the markets that they name. */
export const ideaKeyOf = (idea: string, mode: string, markets: readonly string[] = []): string =>
  sha256([mode, normaliseText(idea), ...markets].join('\n'));

/**
 * Starts a research, replays the one an idempotency key stands for, or clones a finished one for the identical idea.
 * @throws AppError 402 above the caller's credits, 404 for a project that is not the caller's, 409 while an identical request runs or for a reused key
 */
export async function startResearch(ctx: StartNeeds, principal: Principal, request: ResearchRequest, options: StartOptions = {}): Promise<Started> {
  const { userId } = principal;
  if (request.projectId && !(await findOwnedProject(ctx.db, userId, request.projectId))) throw notFound('Project');
  const idempotent: IdempotentRequest | null = options.idempotency
    ? { userId, ...options.idempotency, request: { ...request, description: options.newProject?.description } }
    : null;
  const replayed = idempotent ? await replay(ctx.db, userId, idempotent) : null;
  if (replayed) return replayed;
  const ideaKey = ideaKeyOf(request.idea, request.mode, request.markets);
  const cached = await findCached(ctx.db, userId, ideaKey);
  const prepared = options.newProject ? await prepareProject(ctx, request.idea, options.newProject.description) : null;

  const settle = async (tx: Tx, started: Started): Promise<Started> => {
    if (idempotent) await rememberKey(tx, idempotent, started.jobId);
    await options.alongside?.(tx, started);
    return started;
  };
  return ctx.db.transaction().execute(async (tx) => {
    if (idempotent) await lockKey(tx, idempotent);
    const meanwhile = idempotent ? await replay(tx, userId, idempotent) : null;
    if (meanwhile) return meanwhile;
    const jobId = newId();
    if (cached) {
      const projectId = prepared ? (await createProject(ctx, tx, userId, prepared)).row.id : request.projectId;
      await cloneResearch(ctx, tx, { id: jobId, userId, projectId, idea: request.idea, source: cached });
      return settle(tx, { outcome: 'cloned', jobId, projectId });
    }
    // Jobs are locked before projects everywhere, so that nobody waits for each other.
    const { idea, mode, markets } = request;
    const position = await insertJob(tx, { id: jobId, userId, projectId: request.projectId, idea, ideaKey, mode, markets });
    if (position === null) throw conflict('An identical research request is already running');
    await ctx.streams.open(tx, researchStream(jobId));
    const project = prepared ? await createProject(ctx, tx, userId, prepared) : null;
    if (project) await setProject(tx, userId, jobId, project.row.id);
    const projectId = project?.row.id ?? request.projectId;
    if (projectId) await moveProject(tx, projectId, 'research_started');
    const isMade = options.newProject?.itselfOnly === true && project?.created === true;
    const made = isMade ? { made: await noteProject(tx, project.row.id) } : {};
    await charge(ctx, tx, { userId, work: 'research', ref: jobId });
    await researching.begin(ctx, tx, { jobId, ...made });
    return settle(tx, { outcome: 'queued', jobId, projectId, position });
  });
}

/** What an earlier request with the same key started; null when it failed, so that the key may be used to try again. */
async function replay(db: Db | Tx, userId: string, idempotent: IdempotentRequest): Promise<Started | null> {
  const jobId = await replayOf(db, idempotent);
  const job = jobId ? await findOwnedJob(db, userId, jobId) : null;
  if (!job || job.status === 'failed') return null;
  const outcome = job.status === 'completed' ? 'cloned' : 'in_progress';
  return { outcome, jobId: job.id, projectId: job.project_id };
}
