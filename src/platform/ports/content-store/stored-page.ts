import { z } from 'zod';
import { defineDocument } from '../../documents/define-document.ts';
import type { NewContentPage } from './port.ts';

const StoredPage = z.object({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  og_image_url: z.string().nullable(),
  blocks: z.array(z.looseObject({ blockType: z.string() })),
  published: z.boolean(),
  sort_order: z.number(),
  research: z.record(z.string(), z.unknown()).nullable(),
  project_id: z.string().nullable(),
}) satisfies z.ZodType<NewContentPage>;

/** A page as our own database keeps it. */
export const storedPage = defineDocument<NewContentPage>('content page', StoredPage, { version: 1, checks: 'older' });
