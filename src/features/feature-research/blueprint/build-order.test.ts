import { describe, expect, it } from 'vitest';
import type { PartEdge } from '../analyst.ts';
import type { BlueprintPart } from '../schema.ts';
import { orderParts, withoutCircles } from './build-order.ts';

const part = (id: string): BlueprintPart => ({
  id,
  kind: id.startsWith('f') ? 'feature' : 'foundation',
  name: id,
  feature_id: id.startsWith('f') ? id : null,
  approach: '',
  days: 1,
  days_range: { low: 1, high: 1 },
  source_ids: [],
});
const edge = (from: string, to: string): PartEdge => ({ from, to, reason: `${to} needs ${from}`, sourceIds: [] });
const ids = (ordered: ReturnType<typeof orderParts>): string[] => ordered.map(({ part: { id } }) => id);

describe('orderParts', () => {
  it('puts each feature right after what it needs, in the order of priorities', () => {
    const order = orderParts([part('base'), part('deep'), part('f1'), part('f2')], [edge('base', 'f2'), edge('deep', 'base')], ['f2', 'f1']);
    expect(ids(order)).toEqual(['deep', 'base', 'f2', 'f1']);
  });

  it('keeps every part once and everything after what it stands on, whatever the edges', () => {
    const names = ['a', 'b', 'c', 'f1', 'f2', 'f3', 'f4'];
    let seed = 7;
    const random = (size: number): number => (seed = (seed * 16807) % 2147483647) % size;
    for (let round = 0; round < 200; round += 1) {
      const edges = Array.from({ length: 12 }, () => edge(names[random(7)] ?? '', names[random(7)] ?? ''));
      const order = orderParts(names.map(part), edges, ['f3', 'f1']);
      expect(ids(order).toSorted()).toEqual(names.toSorted());
      for (const [place, { needs }] of order.entries()) for (const { from } of needs) expect(ids(order).indexOf(from)).toBeLessThan(place);
    }
  });

  it('leaves out the edge that closes a circle', () => {
    expect(withoutCircles([edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('b', 'b')])).toHaveLength(2);
  });
});
