import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { findOwnedJob } from '#features/research';
import { ownedGraph } from './change-graph.ts';
import { presentDetail } from './present-graph.ts';
import type { BuildNode, Days, Effort, Risk, Schedule, SelectedFeature } from './schema.ts';

/** One line of the outline: `depth` says how far it is indented, `number` is its place (`2.1.3`). */
type OutlineLine = {
  depth: number;
  number: string;
  title: string;
  summary: string;
  risk: Risk;
  effort: Effort;
  days: Days;
  acceptance: string[];
};

export type GraphExport = {
  title: string;
  idea: string;
  status: string;
  features: SelectedFeature[];
  buildOrderRationale: string;
  nodes: OutlineLine[];
  dependencies: { node: string; needs: string; reason: string }[];
  criticalPath: Schedule['critical_path'];
  lanes: Schedule['parallel_lanes'];
  totals: Schedule['total_days'];
  sources: { researchId: string; linkType: string; idea: string }[];
};

/**
 * Everything a printed build plan shows.
 * @throws AppError 404 for a graph that is not the caller's
 */
export async function graphForExport({ db }: Needs<'db'>, principal: Principal, id: string): Promise<GraphExport> {
  const graph = await ownedGraph({ db }, principal, id);
  const detail = await presentDetail({ db }, graph);
  const linked = [
    ...(graph.research_id ? [{ researchId: graph.research_id, linkType: 'basis' }] : []),
    ...detail.sources.map(({ research_id: researchId, link_type: linkType }) => ({ researchId, linkType })),
  ];
  const sources = await Promise.all(
    linked.map(async (link) => ({ ...link, idea: (await findOwnedJob(db, principal.userId, link.researchId))?.idea ?? '' })),
  );
  const nodes = detail.nodes as BuildNode[];
  return {
    title: detail.title,
    idea: detail.idea,
    status: detail.status,
    features: graph.selected_features,
    buildOrderRationale: detail.build_order_rationale,
    nodes: nodes.flatMap((node, at) => outline(node, String(at + 1))),
    dependencies: nodes.flatMap((node) => dependenciesIn(node, nodes)),
    criticalPath: detail.critical_path,
    lanes: detail.parallel_lanes,
    totals: detail.total_days,
    sources: sources.filter(({ idea }) => idea),
  };
}

function outline(node: BuildNode, number: string): OutlineLine[] {
  const line: OutlineLine = {
    depth: node.depth,
    number,
    title: node.name,
    summary: node.description,
    risk: node.risk,
    effort: node.effort,
    days: node.effort_days,
    acceptance: node.acceptance_criteria,
  };
  return [line, ...node.children.flatMap((child, at) => outline(child, `${number}.${at + 1}`))];
}

function dependenciesIn(node: BuildNode, beside: readonly BuildNode[]): GraphExport['dependencies'] {
  const own = node.depends_on.map(({ node_id: id, reason }) => ({
    node: node.name,
    needs: beside.find((other) => other.id === id)?.name ?? '',
    reason,
  }));
  return [...own, ...node.children.flatMap((child) => dependenciesIn(child, node.children))];
}
