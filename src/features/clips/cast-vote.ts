import { notFound } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import { blocksOf } from './blocks.ts';
import { VotesReceived } from './events.ts';
import { findOwner, getClip, subjectOf } from './find-clip.ts';
import type { Voted } from './schema.ts';
import { noteFirstVote, saveVote } from './vote-store.ts';

/** @property earlierNames what the voter was called before the installation's keys were renewed */
type Vote = { slug: string; voter: string; earlierNames: readonly string[]; vote: number; comment: string | undefined };

const THANKS = 'Thank you, your vote counts.';
const TAKEN_BACK = 'Your vote is taken back.';

/**
 * Puts a principal's vote in the place of the one before; 0 takes it back. The first vote on a project is told.
 * @throws AppError 404 when there is no page or nothing to vote on, 502 when the content store fails
 */
export async function castVote(ctx: Needs<'db' | 'content' | 'events' | 'log'>, { slug, voter, earlierNames, vote, comment }: Vote): Promise<Voted> {
  const page = await getClip(ctx, slug);
  const [block] = blocksOf(page.blocks, 'voteClip');
  if (!block) throw notFound('Vote');
  const subject = subjectOf(page);
  const owner = await findOwner(ctx, page);
  const value = Math.sign(vote) as -1 | 0 | 1;
  const totals = await ctx.db.transaction().execute(async (tx) => {
    const { up, down } = await saveVote(tx, { subject, voter, earlierNames, vote: value, comment: comment?.trim() || null, slug });
    if (value !== 0 && owner !== null && 'projectId' in subject && (await noteFirstVote(tx, subject.projectId))) {
      await ctx.events.publish(tx, VotesReceived, { userId: owner, projectId: subject.projectId, slug, totalUp: up, totalDown: down });
    }
    return { up, down };
  });
  const thanks = block.ack_message || THANKS;
  return { ok: true, total_up: totals.up, total_down: totals.down, ack_message: value === 0 ? TAKEN_BACK : thanks };
}
