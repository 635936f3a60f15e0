import { definePipeline } from '#platform/runs/define-pipeline.ts';
import type { GraphRun } from './graph-run.ts';
import { expand } from './stages/expand.ts';
import { plan } from './stages/plan.ts';
import { roots } from './stages/roots.ts';

export const graphPipeline = definePipeline<GraphRun>('build-graph').stage(plan).stage(roots).stage(expand).build();
