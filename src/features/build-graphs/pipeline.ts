import type { AppContext } from '#platform/context.ts';
import { definePipeline } from '#platform/pipelines/define-pipeline.ts';
import type { Graph } from './graph-store.ts';
import type { Material, Planner } from './planner.ts';
import { expand } from './stages/expand.ts';
import { plan } from './stages/plan.ts';
import { roots } from './stages/roots.ts';

/** What every stage of one run works with. */
export type GraphRun = { ctx: Pick<AppContext, 'db' | 'events' | 'log'>; graph: Graph; planner: Planner; material: Material };

export const graphPipeline = definePipeline<GraphRun>('build-graph').stage(plan).stage(roots).stage(expand).build();
