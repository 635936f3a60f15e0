import { describe, expect, it } from 'vitest';
import { newId } from '#lib/ids.ts';
import { buildOrderRationale } from './rationale.ts';
import { scheduleOf } from './schedule.ts';
import type { BuildNode } from './schema.ts';

function node(key: string, days: [number, number], needs: readonly BuildNode[] = [], children: BuildNode[] = []): BuildNode {
  return {
    id: newId(),
    graph_id: newId(),
    parent_id: null,
    node_key: key,
    depth: 0,
    sort_order: 0,
    name: key,
    description: '',
    risk: 'green',
    risk_reasons: [],
    mitigations: [],
    node_status: 'collapsed',
    effort: 'small',
    effort_days: { low: days[0], high: days[1] },
    to_be_estimated: false,
    waiting: null,
    acceptance_criteria: [],
    depends_on: needs.map((other) => ({ node_id: other.id, node_key: other.node_key, reason: `needs ${other.node_key}` })),
    feature_ids: [],
    evidence_ids: [],
    children,
  };
}

describe('critical path, lanes and totals', () => {
  const model = node('model', [2, 4]);
  const accounts = node('accounts', [3, 5], [model]);
  const search = node('search', [1, 1], [model]);
  const sharing = node('sharing', [2, 2], [accounts, search]);
  const roots = [model, accounts, search, sharing];

  it('counts what is waited for as time and not as work, and keeps nobody for it', () => {
    const hive: BuildNode = { ...node('hive', [2, 4]), waiting: { days: { low: 40, high: 60 }, for: 'a season' } };
    const report = node('report', [1, 1], [hive]);
    const shop = node('shop', [5, 5]);
    const schedule = scheduleOf([hive, report, shop]);
    expect(schedule.total_days).toEqual({ low: 8, high: 10, critical_path: { low: 43, high: 65 }, waiting: { low: 40, high: 60 } });
    expect(schedule.parallel_lanes.map(({ nodes }) => nodes.map(({ node_key: key, start_day: from }) => [key, from]))).toEqual([
      [
        ['hive', 0],
        ['report', 53],
      ],
      [['shop', 0]],
    ]);
  });

  it('follows the longest chain', () => {
    const schedule = scheduleOf(roots);
    expect(schedule.critical_path.map(({ node_key: key }) => key)).toEqual(['model', 'accounts', 'sharing']);
    expect(schedule.total_days).toEqual({ low: 8, high: 12, critical_path: { low: 7, high: 11 }, waiting: { low: 0, high: 0 } });
  });

  it('puts what can go on at the same time into lanes, the critical path in the first', () => {
    const { parallel_lanes: lanes } = scheduleOf(roots);
    expect(lanes.map(({ nodes }) => nodes.map(({ node_key: key }) => key))).toEqual([['model', 'accounts', 'sharing'], ['search']]);
    expect(lanes[1]?.nodes[0]).toMatchObject({ start_day: 3, end_day: 4 });
  });

  it('starts nothing before what it depends on has ended', () => {
    const { parallel_lanes: lanes } = scheduleOf(roots);
    const times = new Map(lanes.flatMap(({ nodes }) => nodes.map((entry) => [entry.node_key, entry] as const)));
    for (const root of roots) {
      for (const { node_key: key } of root.depends_on)
        expect(times.get(root.node_key)?.start_day ?? 0).toBeGreaterThanOrEqual(times.get(key)?.end_day ?? 0);
    }
  });

  it('counts a node that was taken apart by the longest way through its parts', () => {
    const first = node('sharing/a', [1, 1]);
    const second = node('sharing/b', [1, 3], [first]);
    const aside = node('sharing/c', [2, 2]);
    const whole = node('sharing', [4, 6], [model], [first, second, aside]);
    const schedule = scheduleOf([model, whole]);
    expect(schedule.critical_path.map(({ node_key: key }) => key)).toEqual(['model', 'sharing/a', 'sharing/b']);
    expect(schedule.total_days.critical_path).toEqual({ low: 4, high: 8 });
  });

  it('says in sentences why this order', () => {
    const text = buildOrderRationale(roots, scheduleOf(roots));
    expect(text).toContain('"model"');
    expect(text).toContain('7 to 11 days');
    expect(text).toContain('needs accounts');
  });

  it('has nothing to say of nothing', () => {
    const schedule = scheduleOf([]);
    expect(schedule).toEqual({
      critical_path: [],
      parallel_lanes: [],
      total_days: { low: 0, high: 0, critical_path: { low: 0, high: 0 }, waiting: { low: 0, high: 0 } },
    });
    expect(buildOrderRationale([], schedule)).toBe('');
  });
});
