import type { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { findOwnedJobs, readArtifact, stageHistory, type JobRow } from '#features/research';
import type { Principal } from '#platform/principal.ts';
import { presentProduct } from './present-product.ts';
import { findOwnedProduct, linkProject, listProducts, recordEvent, type ProductRow } from './product-store.ts';
import type { ProductDetail } from './schema.ts';
import { newProjectOf, type SubmitNeeds } from './submit-idea.ts';

const EVIDENCE_SHOWN = 20;

/** The caller's cards with how far each is; records that the list was looked at. */
export async function listOwnProducts(
  ctx: SubmitNeeds,
  principal: Principal,
  page: { limit: number; offset: number },
): Promise<{ card: ProductRow; job: JobRow | undefined }[]> {
  const cards = await listProducts(ctx.db, principal.userId, page);
  const jobs = await findOwnedJobs(
    ctx.db,
    principal.userId,
    cards.map((card) => card.research_job_id),
  );
  await recordEvent(ctx.db, { userId: principal.userId, event: 'list_viewed', cardId: null, metadata: page });
  const entries = [];
  for (const card of cards) {
    const job = jobs.get(card.research_job_id);
    entries.push({ card: await healed(ctx, principal, card, job), job });
  }
  return entries;
}

/** @throws AppError 404 when it is missing or another user's */
export async function readProduct(ctx: SubmitNeeds, principal: Principal, cardId: string): Promise<z.input<typeof ProductDetail>> {
  const found = await findOwnedProduct(ctx.db, principal.userId, cardId);
  if (!found) throw notFound('Product');
  const job = (await findOwnedJobs(ctx.db, principal.userId, [found.research_job_id])).get(found.research_job_id);
  const card = await healed(ctx, principal, found, job);
  await recordEvent(ctx.db, { userId: principal.userId, event: 'detail_opened', cardId, metadata: {} });
  const artifact = job?.status === 'completed' ? await readArtifact(ctx.db, job.id) : null;
  const reading = card.interpretation;
  return {
    id: card.id,
    card: presentProduct(card, job),
    idea: {
      raw_input: card.idea,
      normalized_idea: artifact?.idea.normalized_idea ?? reading.normalized_idea,
      target_user: artifact?.idea.target_user ?? reading.target_user,
      problem_statement: artifact?.idea.problem_statement ?? reading.problem_statement,
      proposed_solution: artifact?.idea.proposed_solution ?? reading.proposed_solution,
    },
    classification: artifact?.classification ?? {
      category: reading.category,
      subcategory: reading.subcategory,
      market_type: reading.market_type,
      confidence: reading.confidence,
    },
    checkpoints: job ? await stageHistory(ctx, job) : [],
    artifact,
    // The artifact has them strongest first.
    evidence: (artifact?.evidence ?? []).slice(0, EVIDENCE_SHOWN),
  };
}

/** An old card without a project gets one: its research's, or a new one. */
async function healed(ctx: SubmitNeeds, principal: Principal, card: ProductRow, job: JobRow | undefined): Promise<ProductRow> {
  if (card.project_id || !job) return card;
  const projectId = job.project_id ?? (await newProjectOf(ctx, principal, job));
  await ctx.db.transaction().execute((tx) => linkProject(tx, card.id, projectId));
  return { ...card, project_id: projectId };
}
