import { effortOf, round, sumDays } from './effort.ts';
import type { DependencyRow, NodeRow } from './node-store.ts';
import type { BuildNode } from './schema.ts';

/** Rows as a tree. The days of a node that was taken apart are those of its parts. */
export function treeOf(rows: readonly NodeRow[], dependencies: readonly DependencyRow[]): BuildNode[] {
  const byNo = new Map(rows.map((row) => [row.no, row]));
  const childrenOf = Map.groupBy(rows, ({ parent_no: parent }) => parent);
  const needsOf = Map.groupBy(dependencies, ({ node_no: no }) => no);
  const present = (row: NodeRow): BuildNode => {
    const children = (childrenOf.get(row.no) ?? []).map(present);
    const needs = (needsOf.get(row.no) ?? []).flatMap(({ needs_no: no, reason }) => {
      const other = byNo.get(no);
      return other ? [{ node_id: other.id, node_key: other.node_key, reason }] : [];
    });
    return presentNode(row, needs, children);
  };
  return (childrenOf.get(0) ?? []).map(present);
}

function presentNode(row: NodeRow, needs: BuildNode['depends_on'], children: BuildNode[]): BuildNode {
  const own = { low: round(row.days_low), high: round(row.days_high) };
  const days = children.length > 0 ? sumDays(children.map(({ effort_days: part }) => part)) : own;
  return {
    ...eventFields(row),
    risk_reasons: row.risk_reasons,
    mitigations: row.mitigations,
    effort: row.effort_edited ? row.effort : effortOf(days),
    effort_days: days,
    to_be_estimated: row.origin.by === 'feature' && !row.effort_edited && children.length === 0,
    waiting: row.waiting_high > 0 ? { days: { low: round(row.waiting_low), high: round(row.waiting_high) }, for: row.waiting_for } : null,
    acceptance_criteria: row.acceptance_criteria,
    depends_on: needs,
    feature_ids: row.feature_ids,
    evidence_ids: row.evidence_ids,
    children,
  };
}

/** What `node_created` tells of a node. */
export const eventFields = (row: NodeRow) => ({
  id: row.id,
  graph_id: row.graph_id,
  parent_id: row.parent_id,
  node_key: row.node_key,
  depth: row.depth,
  sort_order: row.sort_order,
  name: row.name,
  description: row.description,
  risk: row.risk,
  node_status: row.node_status,
  effort: row.effort,
});

export function findInTree(nodes: readonly BuildNode[], id: string): BuildNode | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : findInTree(node.children, id);
    if (found) return found;
  }
  return undefined;
}

/** Names of the nodes beside one that wait for it, directly or through others. */
export function dependentsOf(nodes: readonly BuildNode[], id: string): string[] {
  const beside = siblingsOf(nodes, id);
  const waiting = new Set<string>();
  const queue = [id];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const current = next;
    for (const node of beside) {
      if (waiting.has(node.id) || !node.depends_on.some(({ node_id: needed }) => needed === current)) continue;
      waiting.add(node.id);
      queue.push(node.id);
    }
  }
  return beside.filter((node) => waiting.has(node.id)).map(({ name }) => name);
}

function siblingsOf(nodes: readonly BuildNode[], id: string): readonly BuildNode[] {
  if (nodes.some((node) => node.id === id)) return nodes;
  for (const node of nodes) {
    const found = siblingsOf(node.children, id);
    if (found.length > 0) return found;
  }
  return [];
}
