import { middleOf, round, sumDays } from './effort.ts';
import type { BuildNode, Days, Schedule } from './schema.ts';

/** The longest way through a group of siblings, taken apart down to its pieces of work. */
type Way = { steps: BuildNode[]; days: Days };

/**
 * Critical path, lanes and totals of a tree.
 *
 * Siblings form a graph of what comes before what; a node that was taken apart takes as long as the longest way through
 * its parts. The critical path is the longest way at the top. Lanes place the roots at their earliest start, each in the
 * first lane that is free, the critical ones first, so that lane 1 carries the critical path.
 */
export function scheduleOf(roots: readonly BuildNode[]): Schedule {
  const ways = new Map<string, Way>();
  const longest = longestThrough(roots, ways);
  const total = sumDays(roots.map(({ effort_days: days }) => days));
  return {
    critical_path: longest.steps.map((node) => stepOf(node, node.effort_days)),
    parallel_lanes: lanesOf(roots, ways, new Set(topLevel(roots, longest))),
    total_days: { ...total, critical_path: longest.days },
  };
}

function longestThrough(nodes: readonly BuildNode[], ways: Map<string, Way>): Way {
  const own = new Map(nodes.map((node) => [node.id, wayThrough(node, ways)]));
  const reached = new Map<string, Way>();
  const reach = (node: BuildNode): Way => {
    const known = reached.get(node.id);
    if (known) return known;
    const before = node.depends_on.flatMap(({ node_id: id }) => nodes.filter((other) => other.id === id)).map(reach);
    const start = longer(before);
    const self = own.get(node.id) ?? { steps: [node], days: node.effort_days };
    const way: Way = { steps: [...start.steps, ...self.steps], days: sumDays([start.days, self.days]) };
    reached.set(node.id, way);
    return way;
  };
  return longer(nodes.map(reach));
}

function wayThrough(node: BuildNode, ways: Map<string, Way>): Way {
  const way = node.children.length > 0 ? longestThrough(node.children, ways) : { steps: [node], days: node.effort_days };
  ways.set(node.id, way);
  return way;
}

const longer = (ways: readonly Way[]): Way =>
  ways.reduce((best, way) => (middleOf(way.days) > middleOf(best.days) ? way : best), { steps: [], days: { low: 0, high: 0 } });

const stepOf = ({ id, node_key: key, name }: BuildNode, days: Days) => ({ node_id: id, node_key: key, name, days });

const topLevel = (roots: readonly BuildNode[], { steps }: Way): string[] => {
  const keys = new Set(steps.map(({ node_key: key }) => key.split('/')[0]));
  return roots.filter(({ node_key: key }) => keys.has(key)).map(({ id }) => id);
};

function lanesOf(roots: readonly BuildNode[], ways: ReadonlyMap<string, Way>, critical: ReadonlySet<string>): Schedule['parallel_lanes'] {
  const lengthOf = (node: BuildNode): number => middleOf(ways.get(node.id)?.days ?? node.effort_days);
  const ends = new Map<string, number>();
  const startOf = (node: BuildNode): number =>
    Math.max(0, ...node.depends_on.map(({ node_id: id }) => endOf(roots.find((other) => other.id === id))));
  const endOf = (node: BuildNode | undefined): number => {
    if (!node) return 0;
    const known = ends.get(node.id);
    if (known !== undefined) return known;
    const end = startOf(node) + lengthOf(node);
    ends.set(node.id, end);
    return end;
  };
  const placed = roots
    .map((node) => ({ node, start: startOf(node), end: endOf(node), isCritical: critical.has(node.id) }))
    .sort(
      (left, right) => Number(right.isCritical) - Number(left.isCritical) || left.start - right.start || left.node.sort_order - right.node.sort_order,
    );
  const lanes: { node: BuildNode; start: number; end: number }[][] = [];
  for (const entry of placed) {
    const lane = lanes.find((taken) => taken.every(({ start, end }) => entry.end <= start + 1e-9 || entry.start >= end - 1e-9));
    if (lane) lane.push(entry);
    else lanes.push([entry]);
  }
  return lanes.map((lane, at) => {
    const inOrder = [...lane].sort((left, right) => left.start - right.start);
    return {
      lane: at + 1,
      nodes: inOrder.map(({ node, start, end }) => ({
        ...stepOf(node, ways.get(node.id)?.days ?? node.effort_days),
        start_day: round(start),
        end_day: round(end),
      })),
      days: sumDays(inOrder.map(({ node }) => ways.get(node.id)?.days ?? node.effort_days)),
    };
  });
}
