import { conflict, notFound, unavailable, upstream } from '#lib/errors.ts';
import type { AppContext } from '#platform/context.ts';
import { ModelError } from '#platform/llm/models.ts';
import type { Principal } from '#platform/principal.ts';
import type { Pivot } from './analyst.ts';
import { analystFor, type KeyReader } from './engine.ts';
import { findOwnedJob, readArtifact } from './research-store.ts';
import { RunFailure } from './run-failure.ts';

/**
 * Three pivots of a completed research.
 * @throws AppError 404, 409 before completion, 502 when the model fails
 */
export async function remixResearch(
  ctx: Pick<AppContext, 'db' | 'models'>,
  principal: Principal,
  jobId: string,
  readKeys: KeyReader,
  signal: AbortSignal,
): Promise<Pivot[]> {
  const job = await findOwnedJob(ctx.db, principal.userId, jobId);
  if (!job) throw notFound('Research job');
  const artifact = job.status === 'completed' ? await readArtifact(ctx.db, jobId) : null;
  if (!artifact) throw conflict('Only completed research can be remixed');
  try {
    const analyst = await analystFor(ctx, artifact.engine, principal.userId, readKeys);
    return await analyst.remix(
      {
        idea: artifact.idea.normalized_idea,
        shortTitle: artifact.short_title,
        targetUser: artifact.idea.target_user,
        categoryIds: artifact.classification.category_ids,
        whitespaces: artifact.whitespaces,
        features: artifact.features,
        competitors: artifact.market.competitors,
        audience: artifact.market.audience,
      },
      { signal },
    );
  } catch (error) {
    if (error instanceof RunFailure) throw unavailable(error.message);
    throw error instanceof ModelError ? upstream(`The language model failed: ${error.message}`, error) : error;
  }
}
