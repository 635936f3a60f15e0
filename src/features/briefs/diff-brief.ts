import { invalid } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { compareSections } from './compare-sections.ts';
import { ownedBrief } from './read-brief.ts';
import type { BriefDiff } from './schema.ts';
import type { z } from 'zod';
import { readRevision } from './section-store.ts';

/**
 * What changed between two revisions: from the previous to the present one unless others are named.
 * @throws AppError 404, 422 for a revision that there is not
 */
export async function diffBrief(
  ctx: Needs<'db'>,
  principal: Principal,
  id: string,
  revisions: { from?: number | undefined; to?: number | undefined },
): Promise<z.input<typeof BriefDiff>> {
  const brief = await ownedBrief(ctx, principal, id);
  const to = revisions.to ?? brief.revision;
  const from = revisions.from ?? Math.max(1, to - 1);
  const [before, after] = await Promise.all([readRevision(ctx.db, id, from), readRevision(ctx.db, id, to)]);
  if (!before) throw invalid(`from_revision: this brief has no revision ${from}`);
  if (!after) throw invalid(`to_revision: this brief has no revision ${to}`);
  const diff = compareSections(before, after);
  return { from_revision: from, to_revision: to, changes: diff.length, diff };
}
