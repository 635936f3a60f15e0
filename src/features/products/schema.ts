import { z } from 'zod';
import { Evidence, ResearchArtifact } from '#features/research';
import { Timestamp } from '#platform/http/vocabulary.ts';

export const SubmitIdea = z.object({ idea: z.string().min(4).max(8000) });

export const ProductCard = z.object({
  id: z.uuid(),
  research_job_id: z.uuid(),
  project_id: z.uuid().nullable(),
  title: z.string(),
  product_name: z.string().optional(),
  summary: z.string().optional(),
  category: z.string().optional(),
  state: z.enum(['researching', 'completed', 'failed']),
  progress_percent: z.number().min(0).max(100),
  current_checkpoint: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const ProductDetail = z.object({
  id: z.uuid(),
  card: ProductCard,
  idea: z.object({
    raw_input: z.string(),
    normalized_idea: z.string(),
    target_user: z.string(),
    problem_statement: z.string(),
    proposed_solution: z.string(),
  }),
  classification: z.object({ category: z.string(), subcategory: z.string(), market_type: z.string(), confidence: z.number().min(0).max(1) }),
  checkpoints: z.array(
    z.object({
      id: z.uuid(),
      job_id: z.uuid(),
      key: z.string(),
      title: z.string(),
      status: z.string(),
      summary: z.string(),
      started_at: Timestamp.nullable(),
      completed_at: Timestamp.nullable(),
    }),
  ),
  artifact: ResearchArtifact.nullable(),
  evidence: z.array(Evidence),
});

const MOST_METADATA_BYTES = 16 * 1024;

export const BehavioralEvent = z.object({
  event: z.string().min(1).max(64),
  card_id: z.uuid().nullish(),
  metadata: z
    .record(z.string(), z.unknown())
    .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MOST_METADATA_BYTES, `may take ${MOST_METADATA_BYTES} bytes as JSON`)
    .default({}),
});
