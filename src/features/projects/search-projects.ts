import { unavailable } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { nearestProjects, type Nearest } from './nearest-projects.ts';

/**
 * The caller's projects whose meaning is nearest to the question.
 * @throws AppError 503 when the embeddings are down
 */
export async function searchProjects(
  { db, embeddings }: Needs<'db' | 'embeddings'>,
  principal: Principal,
  question: string,
  limit: number,
): Promise<Nearest[]> {
  const [vector] = await embeddings.embed([question]).catch((error: unknown) => {
    throw unavailable(`Embeddings are down: ${error instanceof Error ? error.message : 'no answer'}`, 10);
  });
  return vector ? nearestProjects(db, principal.userId, vector, { limit }) : [];
}
