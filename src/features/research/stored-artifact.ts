import type { z } from 'zod';
import { defineDocument } from '#platform/documents/define-document.ts';
import { ResearchArtifact } from './schema.ts';

type Stored = Record<string, unknown>;

/** Version 2 says how surely the market is known; what was stored before was as sure as it had one. */
function sayHowSure(stored: Stored): Stored {
  const classification = stored['classification'] as Stored;
  const { category_ids: ids } = classification as { category_ids: readonly string[] };
  return { ...stored, classification: { ...classification, certainty: ids.length > 0 ? 'sure' : 'unknown', candidates: [], questions: [] } };
}

/** It holds hundreds of findings, so what is of today's version is not looked through again. */
export const storedArtifact = defineDocument('research artifact', ResearchArtifact as z.ZodType<ResearchArtifact>, {
  version: 2,
  upcasts: { 1: sayHowSure },
  checks: 'older',
});
