import type { Plan, PlannedNode } from './planner.ts';

const MOST_DAYS = 120;
const LEAST_DAYS = 0.1;

/**
 * Holds a proposal against what can be written: keys that are new, dependencies that stay among its nodes and form no
 * cycle. What offends is dropped once and counted; the nodes come back in an order in which each follows what it needs.
 * @param taken keys the graph already has
 */
export function checkPlan({ nodes, repairs, fallbacks }: Plan, taken: ReadonlySet<string> = new Set()): Plan {
  let dropped = 0;
  const seen = new Set(taken);
  const kept = nodes.filter(({ key }) => {
    const fresh = !seen.has(key);
    seen.add(key);
    if (!fresh) dropped += 1;
    return fresh;
  });
  const keys = new Set(kept.map(({ key }) => key));
  const linked = kept.map((node) => {
    const dependsOn = node.dependsOn.filter(
      (edge, at, all) => keys.has(edge.key) && edge.key !== node.key && all.findIndex(({ key }) => key === edge.key) === at,
    );
    dropped += node.dependsOn.length - dependsOn.length;
    return { ...node, dependsOn, days: soundDays(node) };
  });
  const ordered = inBuildOrder(linked);
  return { nodes: ordered.nodes, repairs: repairs + dropped + ordered.dropped, fallbacks };
}

/** Kahn's algorithm, stable; where only a cycle is left, the edges of its first node that close it are dropped. */
function inBuildOrder(nodes: readonly PlannedNode[]): { nodes: PlannedNode[]; dropped: number } {
  const waiting = [...nodes];
  const placed = new Set<string>();
  const ordered: PlannedNode[] = [];
  let dropped = 0;
  while (waiting.length > 0) {
    const at = waiting.findIndex(({ dependsOn }) => dependsOn.every(({ key }) => placed.has(key)));
    const [next] = waiting.splice(Math.max(0, at), 1);
    if (!next) break;
    const dependsOn = next.dependsOn.filter(({ key }) => placed.has(key));
    dropped += next.dependsOn.length - dependsOn.length;
    placed.add(next.key);
    ordered.push({ ...next, dependsOn });
  }
  return { nodes: ordered, dropped };
}

function soundDays({ days }: PlannedNode): { low: number; high: number } {
  const low = Math.min(MOST_DAYS, Math.max(LEAST_DAYS, days.low));
  return { low, high: Math.min(MOST_DAYS, Math.max(low, days.high)) };
}
