import { z } from 'zod';
import { Evidence, storedEngine } from '#features/research';
import { defineDocument } from '#platform/documents/define-document.ts';
import { documentColumns } from '#platform/documents/document-columns.ts';
import { storedTexts } from '#platform/documents/stored-texts.ts';
import { storedRunError } from '#platform/runs/stored-run-error.ts';
import { QualityParts, type Progress } from './schema.ts';

const Item = z.object({ pr_number: z.int(), pr_url: z.string(), summary: z.string(), appended_at: z.string() });

/** What was built of a brief so far. */
export const storedProgress = defineDocument('progress of a brief', z.object({ title: z.string(), items: z.array(Item) }) as z.ZodType<Progress>, {
  version: 1,
  checks: 'older',
});

/** One entry of it, as the revision keeps it that it made. */
export const storedEntry = defineDocument('entry of progress', Item as z.ZodType<Progress['items'][number]>, { version: 1, checks: 'older' });

/** How good a section is, by part. */
export const storedQuality = defineDocument('quality of a section', QualityParts, { version: 1, checks: 'older' });

/** The evidence that a section cites. */
export const storedSources = defineDocument('sources of a section', z.array(Evidence as z.ZodType<Evidence>), { version: 1, checks: 'older' });

/** Reads what a brief keeps as JSON. */
export const withDocuments = documentColumns({ engine: storedEngine, error: storedRunError, warnings: storedTexts, progress: storedProgress });

/** Reads what a section keeps as JSON, besides its text. */
export const withSectionDocuments = documentColumns({ quality: storedQuality, sources: storedSources, error: storedRunError });
