import type { Stage } from '#platform/pipelines/define-pipeline.ts';
import { ContentlessIdea, type Interpretation } from '../analyst.ts';
import type { ResearchRun } from '../pipeline.ts';
import { emptyInput } from '../run-failure.ts';

/** Understands the idea, or refuses a text that holds none. */
export const interpret = {
  name: 'interpret',
  run: async ({ job, analyst }, _before, stage) => {
    try {
      return await analyst.interpret(job.idea, stage);
    } catch (error) {
      throw error instanceof ContentlessIdea ? emptyInput() : error;
    }
  },
} as const satisfies Stage<ResearchRun, unknown, Interpretation>;
