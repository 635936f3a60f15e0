import { conflict, notFound, upstream } from '#lib/errors.ts';
import type { AppContext } from '#platform/context.ts';
import { ModelError } from '#platform/llm/models.ts';
import type { Principal } from '#platform/principal.ts';
import type { Pivot, RemixInput } from './analyst.ts';
import { analystOf, choiceOf } from './engine.ts';
import { lockPivots } from './pivot-lock.ts';
import { remixIdea } from './rule-analyst/remix.ts';
import { findOwnedJob, readArtifact } from './research-store.ts';

/**
 * Three pivots of a completed research, by the model that researched it; by the rules where that is gone.
 * @throws AppError 404, 409 before completion, 502 when the model fails
 */
export async function remixResearch(
  ctx: Pick<AppContext, 'db' | 'models'>,
  principal: Principal,
  jobId: string,
  signal: AbortSignal,
): Promise<Pivot[]> {
  const job = await findOwnedJob(ctx.db, principal.userId, jobId);
  if (!job) throw notFound('Research job');
  const artifact = job.status === 'completed' ? await readArtifact(ctx.db, jobId) : null;
  if (!artifact) throw conflict('Only completed research can be remixed');
  try {
    const models = await ctx.models.forUser(principal.userId, { feature: 'research' });
    const choice = choiceOf(artifact.engine);
    const analyst = analystOf(choice && models.chosen(choice));
    const about: RemixInput = {
      idea: artifact.idea.normalized_idea,
      shortTitle: artifact.short_title,
      targetUser: artifact.idea.target_user,
      categoryIds: artifact.classification.category_ids,
      whitespaces: artifact.whitespaces,
      features: artifact.features,
      competitors: artifact.market.competitors,
      audience: artifact.market.audience,
    };
    return lockPivots(await analyst.remix(about, { signal }), artifact, () => remixIdea(about));
  } catch (error) {
    throw error instanceof ModelError ? upstream(`The language model failed: ${error.message}`, error) : error;
  }
}
