import { expect } from 'vitest';
import type { PlannedNode } from '../features/build-graphs/planner.ts';
import type { BuildNode } from '../features/build-graphs/schema.ts';
import type { TestApp, TestUser } from './app.ts';
import { readNdjson, type Line } from './read-ndjson.ts';

/** What the tests of build graphs do over HTTP again and again; `body` is the request that makes a graph. */
export function grownGraphs(app: TestApp, body: Record<string, unknown>) {
  const create = async (user: TestUser, more: Record<string, unknown> = {}): Promise<string> => {
    const answer = await user.call('POST', '/build-graphs', { ...body, ...more });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body['status']).toBe('initializing');
    return String(answer.body['graph_id']);
  };
  const follow = (user: TestUser, graphId: string, query = ''): Promise<Line[]> =>
    readNdjson(`${app.url}/build-graphs/${graphId}/events${query}`, user.token);
  /** A graph that has been followed to its end. */
  const ready = async (user: TestUser, more: Record<string, unknown> = {}): Promise<string> => {
    const graphId = await create(user, more);
    await follow(user, graphId);
    return graphId;
  };
  return { create, follow, ready };
}

/** A model's answer with the same parts for each of the nodes that a question is about. */
export const partsFor = <T>(prompt: string, nodes: readonly T[]) => ({
  parts: (/each of these consist: (.*)\?$/m.exec(prompt)?.[1] ?? '').split(', ').map((of) => ({ of, nodes })),
});

/** A tree of nodes as one list, each before its children. */
export const flat = (nodes: readonly BuildNode[]): BuildNode[] => nodes.flatMap((node) => [node, ...flat(node.children)]);

/** A node as a planner gives it, with nothing special about it but its key and what has to come first. */
export const plannedNode = (key: string, ...needs: string[]): PlannedNode => ({
  key,
  name: key,
  description: '',
  risk: 'green',
  riskReasons: [],
  mitigations: [],
  days: { low: 1, high: 2 },
  waiting: null,
  acceptance: ['it works'],
  dependsOn: needs.map((need) => ({ key: need, reason: 'because' })),
  featureIds: [],
  evidenceIds: [],
  expands: 'never',
  origin: { by: 'node' },
});
