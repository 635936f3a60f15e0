import type { Stage } from '#platform/runs/define-pipeline.ts';
import { ContentlessIdea, type Interpretation } from '../analyst.ts';
import { emptyInput } from '../failures.ts';
import { correctReading } from '../interpretation/correct-reading.ts';
import { describeReading } from '../interpretation/describe-reading.ts';
import { findCorrection } from '../interpretation/interpretation-store.ts';
import type { IdeaInterpretation } from '../interpretation/schema.ts';
import { wantedOnly } from '../interpretation/wanted-only.ts';
import { lockInterpretation } from '../interpretation-lock.ts';
import type { ResearchRun } from '../research-run.ts';

/**
 * A reading that went through its lock, with how much was caught there and how it is shown; a run that an older version
 * began does not say.
 */
export type Reading = Interpretation & { fabricated?: number; unsupported?: number; described?: IdeaInterpretation };

/** Understands the idea, takes over how its user put it right, or refuses a text that holds none. */
export const interpret = {
  name: 'interpret',
  run: async ({ ctx, job, analyst }, _before, stage) => {
    const corrected = job.corrects === null ? null : await findCorrection(ctx.db, job.id);
    if (corrected) return { ...corrected.reading, described: corrected.described };
    try {
      const own = await analyst.interpret(job.idea, stage);
      const { value, ...caught } = await lockInterpretation(own, job.idea);
      const wanted = wantedOnly(job.idea, value);
      const described = describeReading(job.idea, wanted, own, analyst.engine.analyst === 'model' ? 'model' : 'rules');
      const understood = { reading: wanted, described };
      const told = job.told_markets ? correctReading(job.idea, understood, { markets: job.told_markets }) : understood;
      return { ...told.reading, ...caught, described: told.described };
    } catch (error) {
      throw error instanceof ContentlessIdea ? emptyInput() : error;
    }
  },
} as const satisfies Stage<ResearchRun, unknown, Reading>;
