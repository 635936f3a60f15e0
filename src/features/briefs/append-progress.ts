import { shorten } from '#lib/text.ts';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { bootstrapBrief } from './bootstrap-brief.ts';
import { findBrief, lockLatestOfProject, saveProgress } from './brief-store.ts';
import { briefChannel } from './events.ts';
import type { Progress } from './schema.ts';
import { addRevision } from './section-store.ts';

export type ProgressEntry = { prNumber: number; prUrl: string; summary: string };

const TITLE = 'Progress';
const LONGEST_SUMMARY = 500;

/**
 * Adds what was built to the newest brief of a project, in the caller's transaction: one entry per pull request, as a
 * revision of its own, told of on the brief's channel. Without a brief one is begun for the founder. Gives the brief and
 * its new revision, or null when the project is not the user's.
 */
export async function appendProgress(
  ctx: Needs<'streams' | 'queue' | 'clock'>,
  tx: Tx,
  owner: { userId: string; projectId: string },
  entry: ProgressEntry,
): Promise<{ briefId: string; revision: number } | null> {
  const brief = (await lockLatestOfProject(tx, owner.userId, owner.projectId)) ?? (await begun(ctx, tx, owner));
  if (!brief) return null;
  const item = itemOf(entry, ctx.clock.now());
  const revision = await saveProgress(tx, brief.id, withItem(brief.progress, item));
  await addRevision(tx, brief.id, revision, { cause: 'progress', entry: item });
  const update = { brief_id: brief.id, revision, cause: 'progress', pr_number: entry.prNumber };
  await ctx.streams.append(tx, briefChannel(brief.id), [{ event: 'revision_updated', data: update }]);
  return { briefId: brief.id, revision };
}

async function begun(ctx: Needs<'streams' | 'queue'>, tx: Tx, owner: { userId: string; projectId: string }) {
  const id = await bootstrapBrief(ctx, tx, owner);
  return id ? findBrief(tx, id) : null;
}

type Item = Progress['items'][number];

const itemOf = ({ prNumber, prUrl, summary }: ProgressEntry, at: Date): Item => ({
  pr_number: prNumber,
  pr_url: prUrl,
  summary: shorten(summary, LONGEST_SUMMARY),
  appended_at: at.toISOString(),
});

/** The entries with one for this pull request: in its place when there is one already, else at the end. */
function withItem(progress: Progress | null, item: Item): Progress {
  const items = progress?.items ?? [];
  const isThere = items.some((other) => other.pr_number === item.pr_number);
  return {
    title: progress?.title ?? TITLE,
    items: isThere ? items.map((other) => (other.pr_number === item.pr_number ? item : other)) : [...items, item],
  };
}
