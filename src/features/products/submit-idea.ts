import { AppError, conflict } from '#lib/errors.ts';
import { shorten } from '#lib/text.ts';
import { createProject, moveProject, prepareProject, shortTitleOf } from '#features/projects';
import { findActiveJob, findOwnedJobs, ideaKeyOf, moveResearch, readFast, startResearch, type JobRow } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Principal } from '#platform/principal.ts';
import { ProductsChanged } from './events.ts';
import { findByMeaning, upsertProduct, type FirstReading, type ProductRow } from './product-store.ts';
import { semanticKey } from './semantic-key.ts';

const TRIES = 3;

export type SubmitNeeds = Pick<AppContext, 'db' | 'streams' | 'queue' | 'events' | 'embeddings' | 'log' | 'config' | 'clock'>;

/**
 * Makes the card of an idea: read at once by the rules, researched in the background. The same meaning gives the same
 * card; one whose research failed is researched again.
 * @throws AppError 500 `BRIDGE_INVARIANT_VIOLATED` when no project could be linked; trying again is safe
 */
export async function submitIdea(ctx: SubmitNeeds, principal: Principal, idea: string): Promise<Submitted> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await submitOnce(ctx, principal, idea);
    } catch (error) {
      // The same is submitted elsewhere at this moment: what that wrote is found the next time.
      if (tries === TRIES || !(error instanceof AppError) || error.kind !== 'conflict') throw error;
    }
  }
}

type Submitted = { card: ProductRow; job: JobRow | undefined };

/** @throws AppError 409 when the same meaning gets its card or its research meanwhile */
async function submitOnce(ctx: SubmitNeeds, principal: Principal, idea: string): Promise<Submitted> {
  const { userId } = principal;
  const key = semanticKey(idea);
  const present = await findByMeaning(ctx.db, userId, key);
  if (present) {
    const job = (await findOwnedJobs(ctx.db, userId, [present.research_job_id])).get(present.research_job_id);
    if (job && job.status !== 'failed') return { card: present, job };
  }
  const reading = await firstReading(idea);
  const running = await findActiveJob(ctx.db, userId, ideaKeyOf(idea, 'market'));
  const submission: Submission = { idea, key, reading, replaces: present?.research_job_id ?? null };
  const card = running
    ? await adopt(ctx, principal, { ...submission, running })
    : await begin(ctx, principal, { ...submission, projectId: present?.project_id ?? null });
  if (!card?.project_id) {
    throw new AppError('internal', { code: 'BRIDGE_INVARIANT_VIOLATED', message: 'No project could be linked to the card; it is safe to try again' });
  }
  const jobs = await findOwnedJobs(ctx.db, userId, [card.research_job_id]);
  return { card, job: jobs.get(card.research_job_id) };
}

type Submission = { idea: string; key: string; reading: FirstReading; replaces: string | null };

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
        card = await writeCard(tx, principal, submission, { researchJobId: jobId, projectId });
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
async function adopt(ctx: SubmitNeeds, principal: Principal, { running, ...submission }: Submission & { running: JobRow }): Promise<ProductRow> {
  const projectId = running.project_id ?? (await newProjectOf(ctx, principal, running));
  return ctx.db.transaction().execute(async (tx) => {
    const card = await writeCard(tx, principal, submission, { researchJobId: running.id, projectId });
    // The project has more to it from now on than the research it may have been made for.
    await moveProject(tx, projectId, 'research_started');
    return card;
  });
}

/** @throws AppError 409 when the meaning has another card by now than it had when it was looked up */
async function writeCard(
  tx: Tx,
  { userId }: Principal,
  { idea, key, reading, replaces }: Submission,
  research: { researchJobId: string; projectId: string | null },
): Promise<ProductRow> {
  const card = await upsertProduct(tx, { userId, semanticKey: key, idea, reading, replaces, ...research });
  if (!card) throw conflict('The same idea is being submitted');
  return card;
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
