import type { AppContext } from '#platform/context.ts';
import type { Graph } from './graph-store.ts';
import type { Material, Planner } from './planner.ts';

/** What every stage of one run works with. */
export type GraphRun = { ctx: Pick<AppContext, 'db' | 'events' | 'log'>; graph: Graph; planner: Planner; material: Material };
