import type { z } from 'zod';
import { defineDocument } from '#platform/documents/define-document.ts';
import { ResearchArtifact } from './schema.ts';

/** It holds hundreds of findings, so what is of today's version is not looked through again. */
export const storedArtifact = defineDocument('research artifact', ResearchArtifact as z.ZodType<ResearchArtifact>, { version: 1, checks: 'older' });
