import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { ProjectCreated, projectChannel } from './events.ts';
import { normaliseProject, type NormalisedProject } from './normalise-project.ts';
import { upsertProject, type ProjectRow } from './project-store.ts';

export type PreparedProject = { project: NormalisedProject; embedding: number[] | null };

const EMBEDDING_PATIENCE_MS = 2000;

/** What has to be worked out before the transaction begins; embeddings that do not answer in time come later. */
export async function prepareProject({ embeddings, log }: Needs<'embeddings' | 'log'>, title: string, description: string): Promise<PreparedProject> {
  const project = normaliseProject(title, description);
  return { project, embedding: await embedProject({ embeddings, log }, project, AbortSignal.timeout(EMBEDDING_PATIENCE_MS)) };
}

/** The vector of a project's text, or null when the embeddings do not answer. */
export async function embedProject(
  { embeddings, log }: Needs<'embeddings' | 'log'>,
  project: { title: string; description: string },
  signal: AbortSignal,
): Promise<number[] | null> {
  try {
    const [vector] = await embeddings.embed([`${project.title}\n${project.description}`], signal);
    return vector ?? null;
  } catch (error) {
    log.warn({ err: error }, 'embeddings did not answer');
    return null;
  }
}

/** Creates the project of an idea, or gives the one that the account has for it. */
export async function createProject(
  ctx: Needs<'streams' | 'events'>,
  tx: Tx,
  userId: string,
  prepared: PreparedProject,
): Promise<{ row: ProjectRow; created: boolean }> {
  const result = await upsertProject(tx, userId, prepared.project, prepared.embedding);
  if (result.created) {
    await ctx.streams.open(tx, projectChannel(result.row.id));
    await ctx.events.publish(tx, ProjectCreated, { projectId: result.row.id, userId });
  }
  return result;
}
