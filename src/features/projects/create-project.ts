import { conflict } from '#lib/errors.ts';
import { truncate } from '#lib/text.ts';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { ProjectCreated, projectChannel } from './events.ts';
import { normaliseProject, type NormalisedProject } from './normalise-project.ts';
import { countProjects, upsertProject, type ProjectRow } from './project-store.ts';
import { MOST_PROJECTS } from './states.ts';
import { saveVector } from './vector-store.ts';

export type PreparedProject = { project: NormalisedProject; embedding: number[] | null };

const EMBEDDING_PATIENCE_MS = 2000;
/** Characters of a project's text that its meaning is read from; models take few more. */
const READ_CHARACTERS = 8000;

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
    const [vector] = await embeddings.embed([meaningTextOf(project)], signal);
    return vector ?? null;
  } catch (error) {
    log.warn({ err: error }, 'embeddings did not answer');
    return null;
  }
}

/** What of a project's text its meaning is read from. */
export const meaningTextOf = ({ title, description }: { title: string; description: string }): string =>
  truncate(`${title}\n${description}`, READ_CHARACTERS);

/**
 * Creates the project of an idea, or gives the one that the account has for it.
 * @throws AppError 409 when the account has as many as it may
 */
export async function createProject(
  ctx: Needs<'streams' | 'events'>,
  tx: Tx,
  userId: string,
  prepared: PreparedProject,
): Promise<{ row: ProjectRow; created: boolean }> {
  const result = await upsertProject(tx, userId, prepared.project);
  if (result.created) {
    if ((await countProjects(tx, userId)) > MOST_PROJECTS) throw conflict(`An account may have ${MOST_PROJECTS} projects; delete some first`);
    if (prepared.embedding) await saveVector(tx, result.row.id, prepared.embedding);
    await ctx.streams.open(tx, projectChannel(result.row.id));
    await ctx.events.publish(tx, ProjectCreated, { projectId: result.row.id, userId });
  }
  return result;
}
