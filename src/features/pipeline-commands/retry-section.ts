import { AppError, conflict, forbidden } from '#lib/errors.ts';
import { planBuildCard } from '#features/build-graphs';
import { findLatestCard, insertCards, type NewCard } from '#features/cards';
import { findJob, readArtifact, sectionCards, TERMINAL_STAGE, type JobRow, type Section } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { retrySectionRun, type RetriedSection } from './events.ts';

/** What is computed from a section, and so is computed again with it. */
const DEPENDENTS: Record<Section, readonly Section[]> = {
  competitors: ['competitors', 'whitespaces', 'priorities'],
  features: ['features', 'whitespaces', 'priorities'],
  signals: ['signals'],
  whitespaces: ['whitespaces', 'priorities'],
  priorities: ['priorities'],
};

export const researchMissing = () => new AppError('not_found', 'research_not_found');

/**
 * Writes a `*_retrying` card at once and computes the section in the background.
 * @throws AppError 404 `research_not_found`, 403 `forbidden`, 409 without priorities for the build plan
 */
export async function retrySection(ctx: Needs<'db' | 'queue'>, principal: Principal, researchId: string, section: RetriedSection): Promise<string> {
  const job = await findJob(ctx.db, researchId);
  if (!job) throw researchMissing();
  if (job.user_id !== principal.userId) throw forbidden('forbidden');
  if (section === 'build_plan') await checkPriorities(ctx, researchId);
  return ctx.db.transaction().execute(async (tx) => {
    const [cardId = ''] = await insertCards(tx, ownerOf(job), [
      {
        cardType: `${section}_retrying`,
        title: `Computing ${section.replace('_', ' ')} again`,
        body: { research_id: researchId, section },
        status: 'in_progress',
      },
    ]);
    await ctx.queue.send(tx, retrySectionRun, { researchId, section, cardId });
    return cardId;
  });
}

async function checkPriorities({ db }: Needs<'db'>, researchId: string): Promise<void> {
  const picked = await findLatestCard(db, researchId, TERMINAL_STAGE);
  if (!picked) throw conflict('no_priorities_picked_yet - retry section=priorities first');
  const features: unknown = picked.body['features'];
  if (!Array.isArray(features) || features.length === 0) throw conflict('priorities_card_missing_features - retry section=priorities first');
}

/** Writes the cards that a retry promised: `*_ready`, or `*_failed` when there is nothing to compute them from. */
export async function recomputeSection(
  ctx: Needs<'db'>,
  { researchId, section, cardId }: { researchId: string; section: RetriedSection; cardId: string },
): Promise<void> {
  const job = await findJob(ctx.db, researchId);
  if (!job) return;
  const cards = section === 'build_plan' ? [await planBuildCard(ctx, job)] : await sectionsOf(ctx, job, section);
  await ctx.db.transaction().execute((tx) =>
    insertCards(
      tx,
      ownerOf(job),
      cards.map((card) => ({ ...card, parentCardId: cardId })),
    ),
  );
}

async function sectionsOf({ db }: Needs<'db'>, job: JobRow, section: Section): Promise<NewCard[]> {
  const artifact = job.status === 'completed' ? await readArtifact(db, job.id) : null;
  if (!artifact) {
    const message = `This research is ${job.status}; its sections are computed when it completes.`;
    return [{ cardType: `${section}_failed`, title: `The section ${section} could not be computed`, body: { section, message }, status: 'failed' }];
  }
  const wanted = new Set<string>(DEPENDENTS[section].flatMap((name) => [`${name}_ready`, `${name}_failed`]));
  if (DEPENDENTS[section].includes('priorities')) wanted.add(TERMINAL_STAGE);
  return sectionCards(artifact).filter((card) => wanted.has(card.cardType));
}

const ownerOf = (job: JobRow) => ({ userId: job.user_id, projectId: job.project_id, researchJobId: job.id, source: 'research' });
