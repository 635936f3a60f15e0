import { notFound } from '#lib/errors.ts';
import { moveCardsOfResearch } from '#features/cards';
import { findOwnedProject, moveProject } from '#features/projects';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { setProject } from './project-research-store.ts';
import { resultFor } from './project-result.ts';
import { findOwnedJob, readArtifact } from './research-store.ts';

/** Puts a research into one of the caller's projects; the project follows the state of its research. */
export async function moveResearch({ db }: Needs<'db'>, principal: Principal, jobId: string, projectId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const job = await findOwnedJob(tx, principal.userId, jobId);
    if (!job) throw notFound('Research job');
    if (!(await findOwnedProject(tx, principal.userId, projectId))) throw notFound('Project');
    await setProject(tx, principal.userId, jobId, projectId);
    await moveCardsOfResearch(tx, jobId, projectId);
    const artifact = await readArtifact(tx, jobId);
    if (artifact) await moveProject(tx, projectId, 'research_completed', resultFor(job.idea, artifact));
    else if (job.status !== 'failed') await moveProject(tx, projectId, 'research_started');
  });
}
