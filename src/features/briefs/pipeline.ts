import { definePipeline } from '#platform/runs/define-pipeline.ts';
import type { BriefRun } from './brief-run.ts';
import { rewrite } from './stages/rewrite.ts';
import { write } from './stages/write.ts';

/** Writes all sections of a new brief. */
export const briefPipeline = definePipeline<BriefRun>('brief').stage(write).build();

/** Writes the sections anew that were asked for. */
export const rewritePipeline = definePipeline<BriefRun>('brief-rewrite').stage(rewrite).build();
