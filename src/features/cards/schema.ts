import { z } from 'zod';
import { Timestamp } from '#platform/http/vocabulary.ts';

export const PipelineCard = z.object({
  id: z.uuid(),
  project_id: z.uuid().nullable(),
  parent_card_id: z.uuid().nullable(),
  source_msvc: z.string(),
  card_type: z.string(),
  title: z.string(),
  body: z.looseObject({}),
  status: z.string(),
  cta_actions: z.array(z.looseObject({})),
  scope: z.enum(['private', 'workspace', 'public']),
  created_at: Timestamp,
});
