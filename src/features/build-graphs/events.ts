import { z } from 'zod';
import { defineEvent } from '#platform/domain-events/domain-events.ts';
import { defineJob } from '#platform/jobs/define-job.ts';

const Owner = { graphId: z.uuid(), userId: z.string(), projectId: z.uuid().nullable() };

/** All root nodes exist. */
export const BuildGraphReady = defineEvent(
  'build_graph.ready',
  z.object({ ...Owner, title: z.string(), rootCount: z.int(), durationMs: z.number(), source: z.enum(['user', 'research_auto_seeded']) }),
);

/** The whole tree that was planned exists. */
export const BuildGraphCompleted = defineEvent('build_graph.completed', z.object({ ...Owner, title: z.string() }));

export const BuildGraphFailed = defineEvent(
  'build_graph.failed',
  z.object({ ...Owner, code: z.string(), message: z.string(), retryable: z.boolean() }),
);

/** Key of a graph's stream; it is the build channel of that graph as well. */
export const graphStream = (graphId: string): string => `build:${graphId}`;

export const graphRun = defineJob({ name: 'build-graph.run', payload: z.object({ graphId: z.uuid() }), retries: 100, timeoutSeconds: 3600 });

/** Takes one node apart because somebody asked. */
export const nodeExpansion = defineJob({
  name: 'build-node.expand',
  payload: z.object({ expansionId: z.uuid(), graphId: z.uuid() }),
  retries: 20,
  timeoutSeconds: 900,
});
