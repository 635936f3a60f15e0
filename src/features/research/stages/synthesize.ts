import type { Stage } from '#platform/runs/define-pipeline.ts';
import type { Analysis, Gathered, Interpretation, Judgement, Synthesis } from '../analyst.ts';
import { lockSynthesis, type Locked } from '../evidence-lock.ts';
import type { ResearchRun } from '../research-run.ts';
import { relevantFindings } from './analyze.ts';

type Before = { interpret: Interpretation; search: Gathered; judge: Judgement; analyze: Locked<Analysis> };

/** What follows for the idea: score, gaps, what speaks against it, what to do next. */
export const synthesize = {
  name: 'synthesize',
  run: async ({ analyst, job }, before, stage) => {
    const findings = relevantFindings(before);
    const synthesis = await analyst.synthesize(before.interpret, before.analyze.value, findings, stage);
    return lockSynthesis(synthesis, before.analyze.value, findings, job.idea);
  },
} as const satisfies Stage<ResearchRun, Before, Locked<Synthesis>>;
