import type { Content, Margins } from 'pdfmake';
import { percentOf } from '../../../lib/text.ts';
import { LIGHT } from '../charts/colours.ts';
import { drawDependencies, drawScatter } from '../charts/draw-chart.ts';
import type { Block, Chart, Entry, Line, Source, TreeItem } from '../document.ts';
import { matrixContent } from './matrix-content.ts';
import { columnsOf, tableContent } from './table-content.ts';
import { anchorOf, citationSpans, drawing, lineSpans, runs, type Span } from './text-runs.ts';

/** Points between the margins of an A4 page, across and down. */
const TEXT = { width: 507, height: 730 };
const INDENT = 16;

/** @param inside whether they stand below the title of an entry */
export const blocksContent = (blocks: readonly Block[], inside = false): Content[] => blocks.flatMap((block) => blockContent(block, inside));

function blockContent(block: Block, inside: boolean): Content[] {
  switch (block.kind) {
    case 'heading':
      return [{ text: runs([block.text]), style: inside ? 'minor' : 'heading', headlineLevel: 2 }];
    case 'paragraph':
      return [{ text: runs(lineSpans(block.line)), margin: [0, 0, 0, inside ? 4 : 7], ...TONES[block.tone ?? 'plain'] }];
    case 'callout':
      return [{ text: runs(lineSpans(block.line)), italics: true, margin: [0, 0, 0, 6] }];
    case 'list':
      return [listContent(block.items, block.ordered === true)];
    case 'table':
      return [
        tableContent(
          columnsOf(block),
          block.rows.map((row) => row.map((cell, at) => lineSpans(cell, { bold: at === 0 }))),
        ),
      ];
    case 'matrix':
      return matrixContent(block);
    case 'chart':
      return chartContent(block);
    case 'tree':
      return block.items.map(treeItem);
    case 'entries':
      return block.entries.flatMap((entry, at) => entryContent(entry, block.form === 'steps' ? `${at + 1}. ` : ''));
    case 'sources':
      return block.sources.map(sourceItem);
  }
}

const TONES = { plain: {}, lead: { fontSize: 12 }, aside: { color: LIGHT.muted, fontSize: 9 } };

function listContent(items: readonly Line[], ordered: boolean): Content {
  const each = items.map((item) => ({ text: runs(lineSpans(item)), margin: [0, 0, 0, 4] as Margins }));
  return ordered ? { ol: each, margin: [0, 0, 0, 6] } : { ul: each, markerColor: LIGHT.muted, margin: [0, 0, 0, 6] };
}

/** A title with its marks and facts on the lines below it, and what is said. */
function entryContent({ title, tags, facts, blocks }: Entry, number: string): Content[] {
  const notes = [...tags, ...facts.map(({ label, value }) => `${label}: ${value}`)].join(' · ');
  return [
    { text: runs([...(number ? [number] : []), ...lineSpans(title, { bold: true })]), style: 'heading', headlineLevel: 2 },
    ...(notes ? [{ text: runs([notes]), fontSize: 8.5, color: LIGHT.muted, margin: [0, 0, 0, 3] as Margins }] : []),
    ...blocksContent(blocks, true),
  ];
}

function chartContent(chart: Chart): Content[] {
  if (chart.chart === 'scores') return [scoresTable(chart.scores)];
  if (chart.chart === 'dependencies') {
    const { svg, width } = drawDependencies(chart, LIGHT);
    return [pictureContent(svg, width, chart.caption)];
  }
  const { svg, unnamed } = drawScatter(chart, LIGHT, { width: 640, height: 400 });
  const [first, second] = chart.groups;
  const left = unnamed.length > 0 ? ` Without room for their names: ${unnamed.join(', ')}.` : '';
  return [pictureContent(svg, 640, `● ${first}, ◇ ${second}. ${chart.caption}${left}`)];
}

const scoresTable = (scores: Extract<Chart, { chart: 'scores' }>['scores']): Content =>
  tableContent(
    [
      { title: 'Part', width: 62 },
      { title: 'Score', width: 34, align: 'right' },
      { title: 'Weight', width: 38, align: 'right' },
      { title: 'Why', width: 'rest' },
    ],
    scores.map(({ name, value, weight, line }) => [[{ text: name, bold: true }], [String(Math.round(value))], [percentOf(weight)], lineSpans(line)]),
  );

const pictureContent = (svg: string, width: number, caption: string): Content => ({
  unbreakable: true,
  stack: [
    { ...drawing(svg), fit: [Math.min(width, TEXT.width), TEXT.height - 60], margin: [0, 4, 0, 4] },
    { text: runs([caption]), fontSize: 8.5, color: LIGHT.muted, margin: [0, 0, 0, 8] },
  ],
});

function treeItem({ depth, number, title, tags, marked, lines }: TreeItem): Content {
  const head: Span[] = [
    { text: `${number} ${title}`, bold: true },
    ...(tags.length > 0 ? [{ text: `  ${tags.join(' · ')}`, muted: true, small: true }] : []),
  ];
  const about = lines.flatMap(({ text, cites }, at): Span[] => [...(at > 0 && text ? [' '] : []), text, ...citationSpans(cites)]);
  return {
    margin: [Math.min(depth, 6) * INDENT, depth === 0 ? 6 : 1, 0, 2],
    stack: [
      { text: [...(marked ? [{ text: '◆ ', color: LIGHT.second }] : []), ...runs(head)], ...(depth === 0 ? { fontSize: 11 } : {}) },
      ...(about.length > 0 ? [{ text: runs(about), fontSize: 9, color: LIGHT.muted }] : []),
    ],
  };
}

function sourceItem({ title, url, note, snippet }: Source, at: number): Content {
  const about: Span[] = [...lineSpans({ text: title, url }, { bold: true }), ...(note ? [{ text: ` ${note}`, muted: true }] : []), `. ${snippet}`];
  return {
    columns: [
      { width: 24, text: String(at + 1), id: anchorOf(at + 1), color: LIGHT.muted, fontSize: 8.5 },
      { width: '*', text: runs(about), fontSize: 8.5 },
    ],
    margin: [0, 0, 0, 3],
  };
}
