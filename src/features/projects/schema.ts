import { z } from 'zod';
import { Timestamp } from '#platform/http/vocabulary.ts';
import { MANUAL_STATES, PROJECT_STATES } from './states.ts';

export const ProjectState = z.enum(PROJECT_STATES);

export const CreateProject = z.object({ title: z.string().trim().min(1).max(5000), description: z.string().max(20_000).default('') });

export const UpdateProject = z.object({
  title: z.string().trim().min(1).max(5000).optional(),
  description: z.string().max(20_000).optional(),
  state: z.enum(MANUAL_STATES).optional(),
});
export type UpdateProject = z.output<typeof UpdateProject>;

export const Project = z.object({
  id: z.uuid(),
  user_id: z.string(),
  title: z.string(),
  slug: z.string(),
  state: ProjectState,
  quality_score: z.number().min(0).max(100),
  description: z.string(),
  clean_title: z.string(),
  one_liner: z.string(),
  normalization_status: z.enum(['complete', 'failed']),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const SearchHitProject = z.object({
  project_id: z.uuid(),
  short_title: z.string(),
  short_description: z.string(),
  state: ProjectState,
  similarity: z.number().min(0).max(1),
});

export const Deleted = z.object({ success: z.literal(true) });
