import type { ResearchArtifact } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import { definePipeline } from '#platform/pipelines/define-pipeline.ts';
import type { BriefRow } from './brief-store.ts';
import type { SectionNeeds } from './write-section.ts';
import { rewrite } from './stages/rewrite.ts';
import { write } from './stages/write.ts';

/** What the stages of one run work with. */
export type BriefRun = SectionNeeds & {
  ctx: Pick<AppContext, 'db' | 'streams'>;
  brief: BriefRow;
  researchId: string;
  artifact: ResearchArtifact;
};

/** Writes all sections of a new brief. */
export const briefPipeline = definePipeline<BriefRun>('brief').stage(write).build();

/** Writes the sections anew that were asked for. */
export const rewritePipeline = definePipeline<BriefRun>('brief-rewrite').stage(rewrite).build();
