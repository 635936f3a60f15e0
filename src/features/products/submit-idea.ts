import { AppError } from '#lib/errors.ts';
import { shorten } from '#lib/text.ts';
import { createProject, prepareProject, shortTitleOf } from '#features/projects';
import { findActiveJob, findOwnedJobs, ideaKeyOf, moveResearch, readFast, startResearch, type JobRow } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { ProductsChanged } from './events.ts';
import { findByMeaning, upsertProduct, type FirstReading, type ProductRow } from './product-store.ts';
import { semanticKey } from './semantic-key.ts';

export type SubmitNeeds = Pick<AppContext, 'db' | 'streams' | 'queue' | 'events' | 'embeddings' | 'log'>;

/**
 * Makes the card of an idea: read at once by the rules, researched in the background. The same meaning gives the same
 * card; one whose research failed is researched again.
 * @throws AppError 500 `BRIDGE_INVARIANT_VIOLATED` when no project could be linked; trying again is safe
 */
export async function submitIdea(ctx: SubmitNeeds, principal: Principal, idea: string): Promise<{ card: ProductRow; job: JobRow | undefined }> {
  const { userId } = principal;
  const key = semanticKey(idea);
  const present = await findByMeaning(ctx.db, userId, key);
  if (present) {
    const job = (await findOwnedJobs(ctx.db, userId, [present.research_job_id])).get(present.research_job_id);
    if (job && job.status !== 'failed') return { card: present, job };
  }
  const reading = await firstReading(idea);
  const running = await findActiveJob(ctx.db, userId, ideaKeyOf(idea, 'market'));
  const card = running
    ? await adopt(ctx, principal, { idea, key, reading, running })
    : await begin(ctx, principal, { idea, key, reading, projectId: present?.project_id ?? null });
  if (!card?.project_id) {
    throw new AppError('internal', { code: 'BRIDGE_INVARIANT_VIOLATED', message: 'No project could be linked to the card; it is safe to try again' });
  }
  const jobs = await findOwnedJobs(ctx.db, userId, [card.research_job_id]);
  return { card, job: jobs.get(card.research_job_id) };
}

type Submission = { idea: string; key: string; reading: FirstReading };

/** Project, research and card in one transaction. */
async function begin(ctx: SubmitNeeds, principal: Principal, submission: Submission & { projectId: string | null }): Promise<ProductRow | undefined> {
  let card: ProductRow | undefined;
  await startResearch(
    ctx,
    principal,
    { idea: submission.idea, projectId: submission.projectId, mode: 'market' },
    {
      ...(submission.projectId ? {} : { newProject: { description: '' } }),
      alongside: async (tx, { jobId, projectId, outcome }) => {
        card = await upsertProduct(tx, {
          userId: principal.userId,
          semanticKey: submission.key,
          idea: submission.idea,
          researchJobId: jobId,
          projectId,
          reading: submission.reading,
        });
        const state = outcome === 'cloned' ? 'completed' : 'researching';
        await ctx.events.publish(tx, ProductsChanged, {
          userId: principal.userId,
          product_card_id: card.id,
          research_job_id: jobId,
          state,
          progress: state === 'completed' ? 100 : 0,
        });
      },
    },
  );
  return card;
}

/** A card for a research that was started elsewhere and still runs. */
async function adopt(ctx: SubmitNeeds, principal: Principal, { idea, key, reading, running }: Submission & { running: JobRow }): Promise<ProductRow> {
  const projectId = running.project_id ?? (await newProjectOf(ctx, principal, running));
  return ctx.db
    .transaction()
    .execute((tx) => upsertProduct(tx, { userId: principal.userId, semanticKey: key, idea, researchJobId: running.id, projectId, reading }));
}

/** A project for a research that has none, with the research in it. */
export async function newProjectOf(ctx: SubmitNeeds, principal: Principal, job: Pick<JobRow, 'id' | 'idea'>): Promise<string> {
  const prepared = await prepareProject(ctx, job.idea, '');
  const { row } = await ctx.db.transaction().execute((tx) => createProject(ctx, tx, principal.userId, prepared));
  await moveResearch(ctx, principal, job.id, row.id);
  return row.id;
}

async function firstReading(idea: string): Promise<FirstReading> {
  const about = await readFast(idea);
  return {
    title: about?.shortTitle || shortTitleOf(idea),
    product_name: about?.productName ?? null,
    summary: about?.oneLineSummary ?? shorten(idea, 160),
    category: about?.category ?? '',
    subcategory: about?.subcategory ?? '',
    market_type: about?.marketType ?? '',
    confidence: about?.confidence ?? 0,
    normalized_idea: about?.normalizedIdea ?? idea,
    target_user: about?.targetUser ?? '',
    problem_statement: about?.problemStatement ?? '',
    proposed_solution: about?.proposedSolution ?? '',
  };
}
