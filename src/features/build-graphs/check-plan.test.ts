import { describe, expect, it } from 'vitest';
import { plannedNode } from '#testing/grown-graphs.ts';
import { checkPlan } from './check-plan.ts';
import type { PlannedNode } from './planner.ts';

const check = (...nodes: PlannedNode[]) => checkPlan({ nodes, repairs: 0, fallbacks: 0 });

describe('checking a plan before it is written', () => {
  it('orders nodes after what they need and otherwise leaves their order', () => {
    expect(check(plannedNode('c', 'b'), plannedNode('a'), plannedNode('b', 'a')).nodes.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(check(plannedNode('x'), plannedNode('y'), plannedNode('z')).nodes.map(({ key }) => key)).toEqual(['x', 'y', 'z']);
  });

  it('drops and counts duplicate keys, dangling and own dependencies', () => {
    const plan = check(plannedNode('a', 'a', 'gone'), plannedNode('a'), plannedNode('b', 'a', 'a'));
    expect(plan.nodes.map(({ key, dependsOn }) => [key, dependsOn.length])).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
    expect(plan.repairs).toBe(4);
  });

  it('drops a key the graph already has', () => {
    expect(checkPlan({ nodes: [plannedNode('a')], repairs: 0, fallbacks: 0 }, new Set(['a']))).toEqual({ nodes: [], repairs: 1, fallbacks: 0 });
  });

  it('breaks cycles, and of random graphs none is left with one', () => {
    let state = 7;
    const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
    for (let round = 0; round < 200; round += 1) {
      const keys = Array.from({ length: 2 + Math.floor(random() * 9) }, (_, at) => `n${at}`);
      const nodes = keys.map((key) => plannedNode(key, ...keys.filter(() => random() < 0.4)));
      const plan = check(...nodes);
      expect(plan.nodes).toHaveLength(keys.length);
      const placed = new Set<string>();
      for (const { key, dependsOn } of plan.nodes) {
        expect(dependsOn.every((edge) => placed.has(edge.key))).toBe(true);
        placed.add(key);
      }
    }
  });

  it('brings impossible estimates into bounds', () => {
    const [only] = check({ ...plannedNode('a'), days: { low: -3, high: 5000 } }).nodes;
    expect(only?.days.low).toBeGreaterThan(0);
    expect(only?.days.high).toBeLessThanOrEqual(120);
  });
});
