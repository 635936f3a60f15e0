import type { ResearchArtifact } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import type { BriefRow } from './brief-store.ts';
import type { SectionNeeds } from './write-sections.ts';

/** What the stages of one run work with. */
export type BriefRun = SectionNeeds & {
  ctx: Pick<AppContext, 'db' | 'streams'>;
  brief: BriefRow;
  researchId: string;
  artifact: ResearchArtifact;
};
