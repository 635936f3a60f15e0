import type { z } from 'zod';
import type { BuildNode, GraphDetail } from '#features/build-graphs';
import { count, listOf, shorten } from '#lib/text.ts';
import {
  filledSections,
  type Block,
  type DependentPart,
  type Document,
  type Line,
  type Section,
  type TreeItem,
} from '#platform/rendering/document.ts';
import { list, paragraph, titledList } from './blocks.ts';
import { citing, type Cite } from './citations.ts';
import { sourceOf, type ReportedResearch } from './research-document.ts';
import { dayOf, daysInWords, inWords, LONGEST_SUBTITLE } from './words.ts';

export type ReportedPlan = {
  /** A build graph as `GET /build-graphs/{graph_id}` shows it. */
  graph: z.input<typeof GraphDetail>;
  /** What its parts may cite; sources that none cites are left out. */
  evidence: ReportedResearch['evidence'];
  /** The ideas whose research is behind it. */
  researched: readonly { idea: string; link: string }[];
};

/** `brief` leaves out what is only wanted by whoever builds a part. */
type Detail = 'whole' | 'brief';

/** Criteria of a main part that are shown in brief; a part below it has one. */
const BRIEF_CRITERIA = 3;
const BRIEF_LENGTH = 160;
const NAMED_FEATURES = 3;
const SHOWN_PARTS = 32;
const RISKS = { green: '', yellow: 'some risk', red: 'high risk' };

type Context = {
  detail: Detail;
  cite: Cite;
  critical: ReadonlySet<string>;
  numberOf: ReadonlyMap<string, string>;
  labelOf: ReadonlyMap<string, string>;
};

/** A build graph as a document: why it is built in this order, its parts as a tree, where it stands. */
export function planDocument({ graph, evidence, researched }: ReportedPlan, detail: Detail = 'whole'): Document {
  const { nodes, total_days: total } = graph;
  const cited = new Set(everyNode(nodes).flatMap(({ evidence_ids: ids }) => ids));
  const sources = evidence.filter(({ id }) => cited.has(id));
  const context: Context = {
    detail,
    cite: citing(sources),
    critical: withAncestors(nodes, new Set(graph.critical_path.map(({ node_id: id }) => id))),
    numberOf: new Map(numbered(nodes)),
    labelOf: new Map(graph.selected_features.map(({ id, label }) => [id, label])),
  };
  const size = everyNode(nodes).length;
  const unestimated = everyNode(nodes).filter(({ to_be_estimated: isOpen }) => isOpen);
  return {
    kind: 'Build plan',
    topic: '',
    title: graph.title,
    subtitle: shorten(graph.idea, LONGEST_SUBTITLE),
    summary:
      `${count(size, 'part')} under ${count(nodes.length, 'main part')}: ${daysInWords(total)} of work for one person, ` +
      `${daysInWords(total.critical_path)} at the least with enough people side by side${total.waiting.high > 0 ? `, ${daysInWords(total.waiting)} of them waiting` : ''}.` +
      (unestimated.length > 0 ? ` To be estimated, with days that are a placeholder: ${listOf(unestimated.map(({ name }) => name))}.` : ''),
    language: 'en',
    score: null,
    facts: [
      { label: 'status', value: inWords(graph.status) },
      { label: size === 1 ? 'part' : 'parts', value: String(size) },
      { label: 'work', value: daysInWords(total) },
      { label: 'longest chain', value: daysInWords(total.critical_path) },
    ],
    sections: filledSections([
      orderSection(graph, context),
      nodesSection(graph, context),
      statusSection(graph, researched),
      { id: 'sources', name: 'Sources', heading: 'Sources', blocks: [{ kind: 'sources', sources: sources.map(sourceOf) }] },
    ]),
    imprint: `Planned by Groundwork on ${dayOf(new Date(graph.created_at))} by ${plannerInWords(graph.engine)}. ◆ marks the longest chain, which decides the earliest end. Days are working days of one person, from an easy to a hard course.`,
    createdAt: new Date(graph.created_at).toISOString(),
  };
}

const plannerInWords = (engine: ReportedPlan['graph']['engine']): string =>
  engine?.planner === 'model' ? `a language model${engine.model ? ` (${engine.model})` : ''}` : 'rules over a library of build patterns';

const orderSection = (graph: ReportedPlan['graph'], context: Context): Section => ({
  id: 'order',
  name: 'Order',
  heading: 'Build order rationale',
  blocks: [
    { kind: 'paragraph', line: { text: graph.build_order_rationale || 'The order is not decided yet.' }, tone: 'lead' },
    ...dependencyChart(graph.nodes, context),
    { kind: 'heading', text: `The longest chain: ${daysInWords(graph.total_days.critical_path)}` },
    {
      kind: 'table',
      columns: [{ title: 'Part' }, { title: 'Piece of work' }, { title: 'Days', numeric: true }],
      rows: graph.critical_path.map(({ node_id: id, name, days }) => [
        { text: context.numberOf.get(id) ?? '' },
        { text: name },
        { text: daysInWords(days) },
      ]),
    },
  ],
});

/** The main parts with what each needs; of very many, those on the longest chain. */
function dependencyChart(nodes: readonly BuildNode[], { critical }: Context): Block[] {
  if (nodes.length < 2) return [];
  const parts = nodes.map(({ id, name, effort_days: days, depends_on: needs }): DependentPart => ({
    id,
    title: name,
    note: daysInWords(days),
    needs: needs.map(({ node_id: need }) => need),
    marked: critical.has(id),
  }));
  const shown = parts.length > SHOWN_PARTS ? parts.filter(({ marked }) => marked).slice(0, SHOWN_PARTS) : parts;
  const path = listOf(parts.flatMap(({ marked, title }) => (marked ? [title] : [])));
  const left = shown.length < parts.length ? ` ${shown.length} of ${parts.length} parts are shown: those on the longest chain.` : '';
  return [
    {
      kind: 'chart',
      chart: 'dependencies',
      about: `${count(parts.length, 'part')} in the order in which they can be built. The longest chain goes through ${path || 'none'}.`,
      caption: `Each part stands below what it needs; the strong line is the longest chain.${left}`,
      parts: shown,
    },
  ];
}

const nodesSection = ({ nodes }: ReportedPlan['graph'], context: Context): Section => ({
  id: 'nodes',
  name: 'Nodes',
  heading: 'Nodes',
  blocks:
    nodes.length > 0
      ? [{ kind: 'tree', items: nodes.flatMap((node) => treeItems(node, context)) }]
      : [paragraph({ text: 'There are no nodes yet.' })],
});

function treeItems(node: BuildNode, context: Context): TreeItem[] {
  return [
    {
      depth: node.depth,
      number: context.numberOf.get(node.id) ?? '',
      title: node.name,
      tags: [node.to_be_estimated ? 'to be estimated' : daysInWords(node.effort_days), RISKS[node.risk]].filter(Boolean),
      marked: context.critical.has(node.id),
      lines: linesOf(node, context).filter(({ text, cites = [] }) => text !== '' || cites.length > 0),
    },
    ...node.children.flatMap((child) => treeItems(child, context)),
  ];
}

function linesOf(node: BuildNode, context: Context): Line[] {
  const { detail, cite } = context;
  if (node.depth > 0 && detail === 'brief') return [doneWhen(node, context)];
  const about = { text: detail === 'whole' ? node.description : shorten(node.description, BRIEF_LENGTH) };
  if (node.depth > 0) return [about, doneWhen(node, context), needsOf(node, context), waitsFor(node), { text: '', cites: cite(node.evidence_ids) }];
  const needs = node.depends_on.length > 0 ? needsOf(node, context) : { text: 'Needs nothing before it.' };
  return [about, needs, waitsFor(node), doneWhen(node, context), comesFrom(node, context)];
}

function doneWhen({ acceptance_criteria: criteria, depth }: BuildNode, { detail }: Context): Line {
  const shown = detail === 'whole' ? criteria : criteria.slice(0, depth === 0 ? BRIEF_CRITERIA : 1);
  const texts = shown.map((text) => (detail === 'whole' ? text : shorten(text, BRIEF_LENGTH)).replace(/\.$/, ''));
  const more = shown.length < criteria.length && depth === 0 ? ` (and ${criteria.length - shown.length} more)` : '';
  return { text: texts.length > 0 ? `Done when: ${texts.join('; ')}${more}.` : '' };
}

const waitsFor = ({ waiting }: BuildNode): Line => ({ text: waiting ? `Then ${daysInWords(waiting.days)} go by without work: ${waiting.for}.` : '' });

function needsOf({ depends_on: needs }: BuildNode, { detail, numberOf }: Context): Line {
  const each = needs.map(({ node_id: id, reason }) => {
    const number = numberOf.get(id) ?? '';
    return detail === 'whole' && reason ? `${number} (${reason.replace(/\.$/, '')})` : number;
  });
  return { text: each.length > 0 ? `After ${listOf(each)}.` : '' };
}

/** The features that a part serves, and the sources behind them. */
function comesFrom({ feature_ids: ids, evidence_ids: evidence }: BuildNode, { cite, labelOf }: Context): Line {
  const labels = ids.flatMap((id) => labelOf.get(id) ?? []);
  const shown = labels.slice(0, NAMED_FEATURES);
  const more = labels.length - shown.length;
  const every = labels.length === labelOf.size && labels.length > 1;
  const from = labels.length === 0 ? 'the idea itself' : every ? 'every feature' : listOf(more > 0 ? [...shown, `${more} more`] : shown);
  return { text: `Comes from ${from}.`, cites: cite(evidence) };
}

function statusSection(graph: ReportedPlan['graph'], researched: ReportedPlan['researched']): Section {
  const { nodes, total_days: total, parallel_lanes: lanes, selected_features: features } = graph;
  const all = everyNode(nodes);
  const red = all.filter(({ risk }) => risk === 'red').length;
  return {
    id: 'status',
    name: 'Status',
    heading: 'Status',
    blocks: [
      list([
        { text: `The plan is ${inWords(graph.status)}: ${count(all.length, 'node')}, ${red} of them with a high risk.` },
        {
          text: `All the work together takes ${daysInWords(total)}; with enough people the longest chain takes ${daysInWords(total.critical_path)}.`,
        },
      ]),
      ...titledList(`Side by side: ${count(lanes.length, 'lane')}`, lanes.map(laneLine)),
      ...titledList(
        'Planned for',
        features.map(({ label, source }) => ({ text: `${label} (${inWords(source)})` })),
      ),
      ...titledList(
        'Research behind it',
        researched.map(({ idea, link }) => ({ text: `${shorten(idea, 300)} (${link})` })),
      ),
    ],
  };
}

const laneLine = ({ lane, nodes, days }: ReportedPlan['graph']['parallel_lanes'][number]): Line => ({
  label: `Lane ${lane}, ${daysInWords(days)}`,
  text: shorten(nodes.map(({ name, start_day: from, end_day: to }) => `${name} (day ${from} to ${to})`).join('; '), 600),
});

const everyNode = (nodes: readonly BuildNode[]): BuildNode[] => nodes.flatMap((node) => [node, ...everyNode(node.children)]);

const numbered = (nodes: readonly BuildNode[], above = ''): [string, string][] =>
  nodes.flatMap((node, at) => [[node.id, `${above}${at + 1}`] as [string, string], ...numbered(node.children, `${above}${at + 1}.`)]);

/** What is on the longest chain and what holds a part of it. */
function withAncestors(nodes: readonly BuildNode[], marked: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const visit = (node: BuildNode): boolean => {
    const below = node.children.map(visit).some(Boolean);
    const on = below || marked.has(node.id);
    if (on) found.add(node.id);
    return on;
  };
  for (const node of nodes) visit(node);
  return found;
}
