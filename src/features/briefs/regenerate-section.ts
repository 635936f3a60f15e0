import { conflict, notFound } from '#lib/errors.ts';
import { findOwnedJob } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { findOwnedBrief, nextRevision, type BriefRow } from './brief-store.ts';
import { briefStream } from './events.ts';
import { rewritingSections } from './run-brief.ts';
import { addRevision, addRewrite, keepFirstTexts, pendingRewrites, readSections } from './section-store.ts';
import { latestCompleted, noResearch } from './start-brief.ts';
import { MOST_REVISIONS, MOST_WAITING, type SectionType } from './states.ts';

/**
 * Asks for one section to be written anew; gives the revision it will be. That revision exists at once, with the earlier
 * text until the new one is there. The stream that had ended goes on.
 * @throws AppError 404; 409 while the brief is generated, when the section waits already or the brief has too many revisions;
 * 422 when there is no research to write from
 */
export async function regenerateSection(
  ctx: Needs<'db' | 'streams' | 'queue'>,
  principal: Principal,
  briefId: string,
  section: SectionType,
): Promise<number> {
  const brief = await findOwnedBrief(ctx.db, principal.userId, briefId);
  if (!brief) throw notFound('Brief');
  if (brief.status === 'generating') throw stillGenerating();
  const researchId = await researchFor(ctx, brief);
  return ctx.db.transaction().execute(async (tx) => {
    const row = await nextRevision(tx, principal.userId, briefId, researchId);
    if (!row) throw stillGenerating();
    const { revision } = row;
    if (revision > MOST_REVISIONS) throw conflict(`A brief may have ${MOST_REVISIONS} revisions; begin a new brief`);
    const waiting = (await pendingRewrites(tx, briefId)).filter((rewrite) => rewrite.section === section);
    if (waiting.length >= MOST_WAITING) throw conflict(`The section ${section} already waits to be written anew`);
    // A brief that failed may have sections that no revision has.
    await keepFirstTexts(tx, briefId, revision);
    await addRevision(tx, briefId, revision, { cause: 'regenerated', section });
    await addRewrite(tx, briefId, { revision, section });
    const before = (await readSections(tx, briefId)).find((other) => other.section_type === section);
    await ctx.streams.reopen(tx, briefStream(briefId), {
      event: 'section_progress',
      data: { section, content: before?.content ?? null, revision: before?.revision ?? null },
    });
    await rewritingSections.begin(ctx, tx, { briefId });
    return revision;
  });
}

const stillGenerating = () => conflict('The brief is still being written');

/** The brief's own research; where there is none (any more), the project's latest. */
async function researchFor({ db }: Needs<'db'>, brief: BriefRow): Promise<string> {
  const own = brief.research_id ? await findOwnedJob(db, brief.user_id, brief.research_id) : null;
  if (own?.status === 'completed') return own.id;
  const latest = await latestCompleted(db, brief.user_id, brief.project_id);
  if (!latest) throw noResearch();
  return latest.id;
}
