import type { z } from 'zod';
import type { ProjectRow } from './project-store.ts';
import type { Project } from './schema.ts';

export const presentProject = (row: ProjectRow): z.input<typeof Project> => ({
  id: row.id,
  user_id: row.user_id,
  title: row.title,
  slug: row.slug,
  state: row.state,
  quality_score: row.quality_score,
  description: row.description,
  clean_title: row.clean_title,
  one_liner: row.one_liner,
  normalization_status: row.normalization_status,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
