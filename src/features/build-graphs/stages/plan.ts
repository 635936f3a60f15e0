import type { Stage } from '#platform/runs/define-pipeline.ts';
import type { GraphRun } from '../graph-run.ts';
import type { Plan } from '../planner.ts';

/** Decides the roots. The checkpoint keeps them, so that a run that was cut goes on with the same plan. */
export const plan = {
  name: 'plan',
  run: ({ planner, material }, _before, stage) => planner.roots(material, stage),
} as const satisfies Stage<GraphRun, unknown, Plan>;
