import { afterAll, describe, expect, it, vi } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { BuildNode } from './schema.ts';

const IDEAS = [
  'A shared grocery list that learns what a household runs out of',
  'Payroll for small construction companies with crews on several sites',
  'Error monitoring for game developers that groups crashes by build',
  'A marketplace where beekeepers rent their hives to fruit farmers for pollination',
  'Online courses for jazz guitarists with feedback on recorded practice',
  'Dental practice software that reminds patients of their check-ups',
];
const SHARED_AT_MOST = 1 / 3;

const app = await startTestApp();
afterAll(() => app.dispose());

const everyNode = (nodes: readonly BuildNode[]): BuildNode[] => nodes.flatMap((node) => [node, ...everyNode(node.children)]);

describe('plans of ideas from different markets', async () => {
  const user = await app.user();
  async function planOf(idea: string): Promise<BuildNode[]> {
    const started = (await user.call('POST', '/projects/research', { idea })).body;
    const researchId = String(started['job_id']);
    await vi.waitUntil(async () => (await user.call('GET', `/research/${researchId}/status`)).body['status'] === 'completed', { timeout: 20_000 });
    const request = { idea, auto_select: true, project_id: started['project_id'], research_id: researchId };
    const graphId = String((await user.call('POST', '/build-graphs', request)).body['graph_id']);
    const detail = () => user.call('GET', `/build-graphs/${graphId}`);
    await vi.waitUntil(async () => (await detail()).body['completed_at'] !== null, { timeout: 20_000 });
    return (await detail()).body['nodes'] as unknown as BuildNode[];
  }
  const plans: BuildNode[][] = [];
  for (const idea of IDEAS) plans.push(await planOf(idea));

  it.each(IDEAS.map((idea, at) => [idea, at] as const))('is whole for "%s"', (_idea, at) => {
    const roots = plans[at] ?? [];
    expect(everyNode(roots).length).toBeGreaterThanOrEqual(8);
    expect(everyNode(roots).length).toBeLessThanOrEqual(20);
    expect(roots.some(({ depends_on: needs }) => needs.length === 0)).toBe(true);
    const estimated = roots.filter(({ to_be_estimated: isOpen }) => !isOpen);
    expect(estimated.filter(({ depends_on: needs }) => needs.length > 0).length).toBeGreaterThanOrEqual(Math.min(1, estimated.length - 1));
    for (const node of everyNode(roots)) {
      expect(node.effort_days.low).toBeGreaterThan(0);
      expect(node.effort_days.high).toBeGreaterThanOrEqual(node.effort_days.low);
      expect(node.acceptance_criteria).not.toEqual([]);
      expect(node.feature_ids).not.toEqual([]);
    }
    // What single features stand on rests on what the research found for them, down to the last part.
    const own = roots.filter(({ feature_ids: ids }) => ids.length === 1).flatMap((root) => everyNode([root]));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ evidence_ids: ids }) => ids.length === 0)).toEqual([]);
  });

  it('share less than a third of their names, whichever two are compared', () => {
    const names = plans.map((roots) => new Set(everyNode(roots).map(({ name }) => name)));
    const pairs = names.flatMap((left, at) => names.slice(at + 1).map((right, offset) => ({ left, right, of: [at, at + 1 + offset] })));
    const shares = pairs.map(({ left, right, of }) => ({
      of,
      share: [...left].filter((name) => right.has(name)).length / Math.min(left.size, right.size),
    }));
    expect(shares.filter(({ share }) => share >= SHARED_AT_MOST)).toEqual([]);
  });
});
