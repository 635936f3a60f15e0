import { z } from 'zod';
import { storedEngine } from '#features/research';
import { defineDocument } from '#platform/documents/define-document.ts';
import { documentColumns } from '#platform/documents/document-columns.ts';
import { storedRunError } from '#platform/runs/stored-run-error.ts';

/** The features that were asked about. */
export const storedFeatures = defineDocument('features asked about', z.array(z.object({ id: z.string(), name: z.string(), source: z.string() })), {
  version: 1,
  checks: 'older',
});

/** Reads what a feature research keeps as JSON, besides its findings. */
export const withDocuments = documentColumns({ selected_features: storedFeatures, engine: storedEngine, error: storedRunError });
