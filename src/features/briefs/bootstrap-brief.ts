import { newId, newToken } from '#lib/ids.ts';
import { findOwnedProject } from '#features/projects';
import { readArtifact } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { insertBrief } from './brief-store.ts';
import { briefChannel, briefStream } from './events.ts';
import { addRevision } from './section-store.ts';
import { FOUNDER } from './states.ts';
import { enqueueBrief, latestCompleted } from './start-brief.ts';

const TOKEN_BYTES = 24;

/**
 * Begins a project's first brief for its founder, in the caller's transaction: written from the latest completed research,
 * or empty and `ready` at once where there is none. Gives its id, or null when the project is not the user's.
 */
export async function bootstrapBrief(ctx: Needs<'streams' | 'queue'>, tx: Tx, owner: { userId: string; projectId: string }): Promise<string | null> {
  const project = await findOwnedProject(tx, owner.userId, owner.projectId);
  if (!project) return null;
  const id = newId();
  const brief = { ...owner, id, template: null, audience: FOUNDER };
  const research = await latestCompleted(tx, owner.userId, owner.projectId);
  const artifact = research ? await readArtifact(tx, research.id) : null;
  if (research && artifact) {
    await enqueueBrief(ctx, tx, { ...brief, researchId: research.id, title: artifact.short_title });
    return id;
  }
  await insertBrief(tx, {
    ...brief,
    researchId: null,
    title: project.short_title || project.title,
    status: 'ready',
    shareToken: newToken(TOKEN_BYTES),
  });
  await addRevision(tx, id, 1, { cause: 'created' });
  await ctx.streams.open(tx, briefChannel(id));
  await ctx.streams.open(tx, briefStream(id));
  const ready = { event: 'brief_ready', data: { brief_id: id, title: project.short_title || project.title, quality_score: 0, revision: 1 } };
  await ctx.streams.append(tx, briefStream(id), [ready, { event: 'done', data: {} }], { close: true });
  return id;
}
