import { defineDocument } from '#platform/documents/define-document.ts';
import { documentColumns } from '#platform/documents/document-columns.ts';
import { storedRunError } from '#platform/runs/stored-run-error.ts';
import { Engine } from './schema.ts';

/** Which analyst a run began with. */
export const storedEngine = defineDocument('engine', Engine, { version: 1, checks: 'older' });

/** Reads what a research keeps as JSON, besides its artifact. */
export const withDocuments = documentColumns({ engine: storedEngine, error: storedRunError });
