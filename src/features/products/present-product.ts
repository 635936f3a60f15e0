import type { z } from 'zod';
import { STAGES, type JobRow } from '#features/research';
import type { ProductRow } from './product-store.ts';
import type { ProductCard } from './schema.ts';

/** A card with how far its research is. A card whose research is gone counts as failed. */
export function presentProduct(card: ProductRow, job: JobRow | undefined): z.input<typeof ProductCard> {
  const reading = card.interpretation;
  const category = job?.category || reading.category;
  return {
    id: card.id,
    research_job_id: card.research_job_id,
    project_id: card.project_id,
    title: reading.title,
    ...(reading.product_name ? { product_name: reading.product_name } : {}),
    ...(reading.summary ? { summary: reading.summary } : {}),
    ...(category ? { category } : {}),
    state: stateOf(job),
    progress_percent: progressOf(job),
    current_checkpoint: checkpointOf(job),
    created_at: card.created_at,
    updated_at: card.updated_at,
  };
}

function stateOf(job: JobRow | undefined): 'researching' | 'completed' | 'failed' {
  if (!job || job.status === 'failed') return 'failed';
  return job.status === 'completed' ? 'completed' : 'researching';
}

/** Percent of the stages that are behind it. */
export function progressOf(job: JobRow | undefined): number {
  if (job?.status === 'completed') return 100;
  const place = STAGES.findIndex((stage) => stage === job?.pipeline_stage);
  return place < 0 ? 0 : Math.round((place / STAGES.length) * 100);
}

/** The stage that is worked, or the last one when there is nothing left to work. */
const checkpointOf = (job: JobRow | undefined): string => {
  if (job?.status === 'completed') return STAGES.at(-1) ?? 'persist';
  return STAGES.find((stage) => stage === job?.pipeline_stage) ?? 'interpret';
};
