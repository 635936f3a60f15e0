import { findJob } from '#features/research';
import type { Needs } from '#platform/context.ts';
import { ProductsChanged } from './events.ts';
import { progressOf } from './present-product.ts';
import { touchProductsOf } from './product-store.ts';

/** A research ended: its cards move up, and whoever watches them is told. */
export async function followResearch({ db, events }: Needs<'db' | 'events'>, jobId: string): Promise<void> {
  const cards = await touchProductsOf(db, jobId);
  const job = cards.length > 0 ? await findJob(db, jobId) : null;
  if (!job) return;
  for (const card of cards) {
    await events.publish(db, ProductsChanged, {
      userId: card.user_id,
      product_card_id: card.id,
      research_job_id: jobId,
      state: job.status === 'failed' ? 'failed' : 'completed',
      progress: progressOf(job),
    });
  }
}
