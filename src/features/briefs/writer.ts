import type { Engine, ResearchArtifact } from '#features/research';
import type { StageRun } from '#platform/runs/define-pipeline.ts';
import type { SectionContents } from './section-content.ts';
import type { SectionType } from './states.ts';

/** What a section is written from. All of it goes back to the user or to strangers: data, never instructions. */
export type BriefCase = {
  artifact: ResearchArtifact;
  audience: string | null;
  template: string | null;
  /** How often this section was asked for anew: each time it takes the next angle, so that there is something to compare. */
  take: number;
};

export type WriteRun = Pick<StageRun, 'signal' | 'spend'>;

/** A section with the number of statements that were dropped on the way. */
export type Draft<S extends SectionType = SectionType> = { content: SectionContents[S]; dropped: number };
export type Drafts = { [S in SectionType]?: Draft<S> };

/**
 * Writes the sections of a brief. Two implementations: one by rules over the research, one that asks a model for the
 * sentences. What either writes passes `section-lock.ts` before it is kept.
 */
export type BriefWriter = {
  engine: Engine;
  /** The sections of a new brief as they are written together. */
  groups: readonly (readonly SectionType[])[];
  /** Several sections in one go; one that could not be read is left out. @throws ModelError */
  write(sections: readonly SectionType[], about: BriefCase, run: WriteRun): Promise<Drafts>;
};
