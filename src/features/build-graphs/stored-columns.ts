import { z } from 'zod';
import { defineDocument } from '#platform/documents/define-document.ts';
import { documentColumns } from '#platform/documents/document-columns.ts';
import { storedTexts } from '#platform/documents/stored-texts.ts';
import { storedRunError } from '#platform/runs/stored-run-error.ts';
import type { Origin, PlannedNode } from './planner.ts';
import { Engine } from './schema.ts';

/** The features that a graph is made of. */
export const storedFeatures = defineDocument('features of a graph', z.array(z.object({ id: z.string(), label: z.string(), source: z.string() })), {
  version: 1,
  checks: 'older',
});

/** Which planner a graph began with. */
export const storedEngine = defineDocument('engine of a graph', Engine, { version: 1, checks: 'older' });

const Expands = z.enum(['now', 'later', 'never']);
const StoredOrigin = z.discriminatedUnion('by', [
  z.object({ by: z.literal('pattern'), pattern: z.string(), part: z.string(), feature: z.string().nullable(), own: z.boolean(), expands: Expands }),
  z.object({ by: z.literal('feature'), feature: z.string(), expands: Expands }),
  z.object({ by: z.literal('node'), expands: Expands }),
  z.object({ by: z.literal('model'), expands: Expands }),
]);

/** What is kept of where a node comes from, and whether the graph's own run takes it apart. */
export type StoredOrigin = Origin & { expands: PlannedNode['expands'] };
export const storedOrigin = defineDocument<StoredOrigin>('origin of a node', StoredOrigin, { version: 1, checks: 'older' });

/** The lists of texts of a node: reasons, mitigations, criteria, ids of features and evidence. */
export const storedList = defineDocument('list of a node', z.array(z.string()), { version: 1, checks: 'older' });

/** Reads what a graph keeps as JSON. */
export const withDocuments = documentColumns({
  selected_features: storedFeatures,
  engine: storedEngine,
  error: storedRunError,
  warnings: storedTexts,
});

/** Reads what a node keeps as JSON. */
export const withNodeDocuments = documentColumns({
  origin: storedOrigin,
  risk_reasons: storedList,
  mitigations: storedList,
  acceptance_criteria: storedList,
  feature_ids: storedList,
  evidence_ids: storedList,
});
