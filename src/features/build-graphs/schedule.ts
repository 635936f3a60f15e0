import { middleOf, round, sumDays } from './effort.ts';
import type { BuildNode, Days, Schedule } from './schema.ts';

/** The longest way through a group of siblings, taken apart down to its pieces of work: their days, and the days that go by without any. */
type Way = { steps: BuildNode[]; days: Days; waiting: Days };

const NONE: Days = { low: 0, high: 0 };

/**
 * Critical path, lanes and totals of a tree.
 *
 * Siblings form a graph of what comes before what; a node that was taken apart takes as long as the longest way through
 * its parts, and what is waited for comes after. The critical path is the longest way at the top. Lanes place the roots at
 * their earliest start, each in the first lane that is free, the critical ones first, so that lane 1 carries the critical
 * path; nobody's lane is taken while something is only waited for.
 */
export function scheduleOf(roots: readonly BuildNode[]): Schedule {
  const ways = new Map<string, Way>();
  const longest = longestThrough(roots, ways);
  const total = sumDays(roots.map(({ effort_days: days }) => days));
  return {
    critical_path: longest.steps.map((node) => stepOf(node, node.effort_days)),
    parallel_lanes: lanesOf(roots, ways, new Set(topLevel(roots, longest))),
    total_days: { ...total, critical_path: sumDays([longest.days, longest.waiting]), waiting: longest.waiting },
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
    const self = own.get(node.id) ?? ownWay(node);
    const way: Way = {
      steps: [...start.steps, ...self.steps],
      days: sumDays([start.days, self.days]),
      waiting: sumDays([start.waiting, self.waiting]),
    };
    reached.set(node.id, way);
    return way;
  };
  return longer(nodes.map(reach));
}

const waitingOf = ({ waiting }: BuildNode): Days => waiting?.days ?? NONE;

const ownWay = (node: BuildNode): Way => ({ steps: [node], days: node.effort_days, waiting: waitingOf(node) });

function wayThrough(node: BuildNode, ways: Map<string, Way>): Way {
  const below = node.children.length > 0 ? longestThrough(node.children, ways) : undefined;
  const way = below ? { ...below, waiting: sumDays([below.waiting, waitingOf(node)]) } : ownWay(node);
  ways.set(node.id, way);
  return way;
}

const lengthOf = ({ days, waiting }: Way): number => middleOf(days) + middleOf(waiting);

const longer = (ways: readonly Way[]): Way =>
  ways.reduce((best, way) => (lengthOf(way) > lengthOf(best) ? way : best), { steps: [], days: NONE, waiting: NONE });

const stepOf = ({ id, node_key: key, name }: BuildNode, days: Days) => ({ node_id: id, node_key: key, name, days });

const topLevel = (roots: readonly BuildNode[], { steps }: Way): string[] => {
  const keys = new Set(steps.map(({ node_key: key }) => key.split('/')[0]));
  return roots.filter(({ node_key: key }) => keys.has(key)).map(({ id }) => id);
};

function lanesOf(roots: readonly BuildNode[], ways: ReadonlyMap<string, Way>, critical: ReadonlySet<string>): Schedule['parallel_lanes'] {
  const wayOf = (node: BuildNode): Way => ways.get(node.id) ?? ownWay(node);
  const ends = new Map<string, number>();
  const startOf = (node: BuildNode): number =>
    Math.max(0, ...node.depends_on.map(({ node_id: id }) => endOf(roots.find((other) => other.id === id))));
  const endOf = (node: BuildNode | undefined): number => {
    if (!node) return 0;
    const known = ends.get(node.id);
    if (known !== undefined) return known;
    const end = startOf(node) + lengthOf(wayOf(node));
    ends.set(node.id, end);
    return end;
  };
  const placed = roots
    .map((node) => ({ node, start: startOf(node), end: startOf(node) + middleOf(wayOf(node).days), isCritical: critical.has(node.id) }))
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
      nodes: inOrder.map(({ node, start, end }) => ({ ...stepOf(node, wayOf(node).days), start_day: round(start), end_day: round(end) })),
      days: sumDays(inOrder.map(({ node }) => wayOf(node).days)),
    };
  });
}
