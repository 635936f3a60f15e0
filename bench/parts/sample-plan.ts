import { planDocument } from '../../src/features/reports/index.ts';
import { stableId } from '../../src/lib/ids.ts';
import type { Document } from '../../src/platform/rendering/document.ts';

type Node = Parameters<typeof planDocument>[0]['graph']['nodes'][number];

const CREATED = '2026-03-04T05:06:07.000Z';
const DAYS = { low: 1, high: 3 };
const BELOW = 20;

/** A plan for printing: a main part for every twenty nodes, each after the one before it. */
export function samplePlan(amount: number): Document {
  const starts = Array.from({ length: Math.ceil(amount / BELOW) }, (_, root) => root * BELOW);
  const nodes = starts.map((start): Node => ({
    ...nodeOf(start, 0),
    depends_on: start === 0 ? [] : [{ node_id: idOf(start - BELOW), node_key: String(start - BELOW), reason: 'it comes before' }],
    children: Array.from({ length: Math.min(BELOW, amount - start) - 1 }, (_, child) => nodeOf(start + child + 1, 1)),
  }));
  const graph = {
    id: stableId('plan'),
    title: 'A large plan',
    status: 'ready' as const,
    source: 'user' as const,
    idea: 'Something with very many parts',
    project_id: null,
    research_id: null,
    feature_research_id: null,
    selected_features: [],
    engine: null,
    error: null,
    planning: { repairs: 0, fallbacks: 0, warnings: [] },
    created_at: CREATED,
    updated_at: CREATED,
    ready_at: CREATED,
    completed_at: CREATED,
    nodes,
    critical_path: nodes.map(({ id, node_key, name }) => ({ node_id: id, node_key, name, days: DAYS })),
    parallel_lanes: [],
    total_days: { ...DAYS, critical_path: DAYS, waiting: { low: 0, high: 0 } },
    build_order_rationale: 'One after the other.',
    sources: [],
  };
  return planDocument({ graph, evidence: [], researched: [] });
}

const idOf = (index: number): string => stableId(`node ${index}`);

const nodeOf = (index: number, depth: number): Node => ({
  id: idOf(index),
  graph_id: stableId('plan'),
  parent_id: null,
  node_key: String(index),
  depth,
  sort_order: index,
  name: `Part ${index} that somebody builds`,
  description: 'What it does, for whom, and what it leaves to the others, in about as many words as a plan has.',
  risk: index % 9 === 0 ? 'red' : 'green',
  risk_reasons: [],
  mitigations: [],
  node_status: 'leaf',
  effort: 'small',
  effort_days: DAYS,
  to_be_estimated: false,
  waiting: null,
  acceptance_criteria: ['It works on a phone', 'It says what went wrong'],
  depends_on: [],
  feature_ids: [],
  evidence_ids: [],
  children: [],
});
