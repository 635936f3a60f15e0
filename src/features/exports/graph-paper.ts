import type { GraphExport } from '#features/build-graphs';
import { dayOf, inWords } from '#features/report-parts';
import { count, listOf, shorten } from '#lib/text.ts';
import { LIGHT } from '#platform/ports/charts/colours.ts';
import { dependencyMap, type Part } from '#platform/ports/charts/dependency-map.ts';
import type { Block, OutlineItem, Paper, Section, Span } from '#platform/ports/pdf/paper.ts';
import { markCritical } from './mark-critical.ts';
import { COVER_TEXT } from './print-paper.ts';

type Days = GraphExport['totals']['critical_path'];

const SHOWN_PARTS = 32;

/** A build graph as a document: why it is built in this order, the outline of its nodes, where it stands. */
export function graphPaper(graph: GraphExport, now: Date): Paper {
  const critical = markCritical(graph);
  const { totals } = graph;
  return {
    kind: 'Build plan',
    title: graph.title,
    subtitle: shorten(graph.idea, COVER_TEXT),
    language: 'en',
    facts: [
      { label: 'Status', value: inWords(graph.status) },
      { label: 'Pieces', value: count(graph.nodes.length, 'node') },
      { label: 'Work', value: daysOf(totals) },
      { label: 'Longest chain', value: daysOf(totals.critical_path) },
    ],
    sections: [orderSection(graph, critical), nodesSection(graph, critical), statusSection(graph)],
    imprint: `Printed by Groundwork on ${dayOf(now)}. ◆ marks the longest chain, which decides the earliest end. Days are working days of one person.`,
    createdAt: now,
  };
}

const daysOf = ({ low, high }: Days): string => (low === high ? count(low, 'day') : `${low} to ${high} days`);

function orderSection(graph: GraphExport, critical: ReadonlySet<number>): Section {
  return {
    heading: 'Build order rationale',
    blocks: [
      { kind: 'paragraph', spans: [graph.buildOrderRationale || 'The order is not decided yet.'], lead: true },
      ...dependencyPicture(graph, critical),
      ...criticalTable(graph),
      ...dependencyTable(graph),
    ],
  };
}

function dependencyPicture({ nodes, dependencies }: GraphExport, critical: ReadonlySet<number>): Block[] {
  const roots = nodes.flatMap((node, index) => (node.depth === 0 ? [{ ...node, index }] : []));
  const numbers = new Map(roots.map(({ title, number }) => [title, number]));
  const parts = roots.map(({ title, number, days, index }): Part => ({
    id: number,
    title,
    note: daysOf(days),
    needs: dependencies.flatMap(({ node, needs }) => (node === title ? (numbers.get(needs) ?? []) : [])),
    critical: critical.has(index),
  }));
  if (parts.length < 2) return [];
  const shown = parts.length > SHOWN_PARTS ? parts.filter((part) => part.critical).slice(0, SHOWN_PARTS) : parts;
  const path = listOf(parts.filter((part) => part.critical).map(({ title }) => title));
  const about = `${count(parts.length, 'part')} in the order in which they can be built. The longest chain goes through ${path || 'none'}.`;
  const { svg, width } = dependencyMap(about, shown, LIGHT);
  const left = shown.length < parts.length ? ` ${shown.length} of ${parts.length} parts are shown: those on the longest chain.` : '';
  return [
    {
      kind: 'picture',
      svg,
      width,
      alternative: about,
      caption: `Each part stands below what it needs; the strong line is the longest chain.${left}`,
    },
  ];
}

const criticalTable = ({ criticalPath }: GraphExport): Block[] =>
  criticalPath.length > 0
    ? [
        { kind: 'heading', text: 'The longest chain' },
        {
          kind: 'table',
          columns: [
            { title: '', width: 22, align: 'right' },
            { title: 'Piece of work', width: 'rest' },
            { title: 'Days', width: 80, align: 'right' },
          ],
          rows: criticalPath.map(({ name, days }, index) => [[String(index + 1)], [{ text: name, bold: true }], [daysOf(days)]]),
        },
      ]
    : [];

/** Between the parts, a row for each; inside a part the outline has the order. */
function dependencyTable({ nodes, dependencies }: GraphExport): Block[] {
  const parts = new Set(nodes.flatMap(({ depth, title }) => (depth === 0 ? [title] : [])));
  const between = Map.groupBy(
    dependencies.filter(({ node, needs }) => parts.has(node) && parts.has(needs)),
    ({ node }) => node,
  );
  return between.size > 0
    ? [
        { kind: 'heading', text: 'What needs what' },
        {
          kind: 'table',
          columns: [
            { title: 'This', width: 150 },
            { title: 'needs first, because', width: 'rest' },
          ],
          rows: [...between].map(([node, all]) => [
            [{ text: node, bold: true }],
            all.flatMap(({ needs, reason }, at): Span[] => [
              `${at > 0 ? '\n' : ''}${needs}`,
              ...(reason ? [{ text: `: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`, muted: true }] : []),
            ]),
          ]),
        },
      ]
    : [];
}

function nodesSection({ nodes }: GraphExport, critical: ReadonlySet<number>): Section {
  const items = nodes.map(({ depth, number, title, summary, risk, days, acceptance }, index): OutlineItem => ({
    depth: Math.min(depth, 6),
    title: `${number} ${title}`,
    text: [summary, acceptance.length > 0 ? `Done when: ${acceptance.join('; ')}` : ''].filter(Boolean).join(' '),
    tags: [daysOf(days), ...(risk === 'green' ? [] : [`risk ${risk}`])],
    marked: critical.has(index),
  }));
  return {
    heading: 'Nodes',
    newPage: true,
    blocks: items.length > 0 ? [{ kind: 'outline', items }] : [{ kind: 'paragraph', spans: ['There are no nodes yet.'] }],
  };
}

function statusSection({ status, nodes, totals, lanes, features, sources }: GraphExport): Section {
  const red = nodes.filter(({ risk }) => risk === 'red').length;
  return {
    heading: 'Status',
    blocks: [
      {
        kind: 'list',
        items: [
          [`The plan is ${inWords(status)}: ${count(nodes.length, 'node')}, ${red} of them with a high risk.`],
          [`All the work together takes ${daysOf(totals)}; with enough people the longest chain takes ${daysOf(totals.critical_path)}.`],
          ...lanes.map(({ lane, nodes: steps, days }) => [
            `Lane ${lane}, ${daysOf(days)}: ${shorten(steps.map(({ name, start_day: from, end_day: to }) => `${name} (day ${from} to ${to})`).join(', '), 600)}`,
          ]),
        ],
      },
      ...(features.length > 0
        ? [
            { kind: 'heading', text: 'Planned for' } as const,
            { kind: 'list', items: features.map(({ label, source }) => [`${label} (${inWords(source)})`]) } as const,
          ]
        : []),
      ...(sources.length > 0
        ? [
            { kind: 'heading', text: 'Research behind it' } as const,
            { kind: 'list', items: sources.map(({ idea, linkType }) => [`${shorten(idea, 300)} (${linkType})`]) } as const,
          ]
        : []),
    ],
  };
}
