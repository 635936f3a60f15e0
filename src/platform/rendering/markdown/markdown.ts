import { webAddress } from '#lib/visible-text.ts';
import {
  filledSections,
  kickerOf,
  sourcesOf,
  type Block,
  type Chart,
  type Document,
  type Entry,
  type Line,
  type Source,
  type TreeItem,
} from '../document.ts';
import { citationMarks, factsInWords, linesOfEntry, matrixEntries, openingOf, plainText, scoreInWords } from '../in-words.ts';

/**
 * A document in Markdown (CommonMark, GitHub flavour). Nothing in it that came from outside acts as markup. Citations are
 * references: `[3]` leads to the address of the third source, where that has one of the web.
 */
export function markdownOf(document: Document): string {
  const { title, facts, sections, imprint } = document;
  const score = scoreInWords(document);
  const parts = [
    `# ${escaped(title)}`,
    `*${escaped(kickerOf(document))}*`,
    escaped(openingOf(document)),
    ...(score ? [`**${escaped(score.label ?? '')}.** ${escaped(score.text)}`] : []),
    escaped(factsInWords(facts, ' · ')),
    ...filledSections(sections).flatMap(({ heading, blocks }) => [`## ${escaped(heading)}`, ...blocks.map((block) => blockText(block, 3))]),
    '---',
    escaped(imprint),
    references(sourcesOf(document)),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** Where citations lead to. */
const references = (sources: readonly Source[]): string =>
  sources
    .flatMap(({ url }, at) => {
      const address = markdownAddress(url);
      return address ? [`[${at + 1}]: ${address}`] : [];
    })
    .join('\n');

function blockText(block: Block, level: number): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(level)} ${escaped(block.text)}`;
    case 'paragraph':
      return lineText(block.line);
    case 'callout':
      return `> ${lineText(block.line)}`;
    case 'list':
      return block.items.map((item, at) => `${block.ordered ? `${at + 1}.` : '-'} ${lineText(item)}`).join('\n');
    case 'table':
      return tableText(
        block.columns,
        block.rows.map((row) => row.map(lineText)),
      );
    case 'matrix':
      return entriesText(matrixEntries(block), 'points', level);
    case 'chart':
      return chartText(block);
    case 'tree':
      return block.items.map(treeItemText).join('\n');
    case 'entries':
      return entriesText(block.entries, block.form, level);
    case 'sources':
      return block.sources.map((source, at) => `${at + 1}. ${sourceText(source, `${at + 1}. `.length)}`).join('\n');
  }
}

/** @param rows cells as markup */
function tableText(columns: readonly { title: string; numeric?: boolean }[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(columns.map(({ title }) => escaped(title))),
    row(columns.map(({ numeric }) => (numeric ? '---:' : '---'))),
    ...rows.map((cells) => row(columns.map((_column, at) => cells[at] ?? ''))),
  ].join('\n');
}

function chartText(chart: Chart): string {
  if (chart.chart !== 'scores') return `*${escaped(chart.about)}*`;
  return tableText(
    [{ title: 'Part' }, { title: 'Score', numeric: true }, { title: 'Weight', numeric: true }, { title: 'Why' }],
    chart.scores.map(({ name, value, weight, line }) => [escaped(name), String(Math.round(value)), `${Math.round(weight * 100)} %`, lineText(line)]),
  );
}

/** Entries of lines are items of a list; those that hold more stand under headings. */
function entriesText(entries: readonly Entry[], form: Extract<Block, { kind: 'entries' }>['form'], level: number): string {
  const lines = form === 'sides' ? [] : entries.map(linesOfEntry);
  if (lines.length > 0 && lines.every((each) => each !== null))
    return entries.map((entry, at) => itemText(entry, lines[at] ?? [], form === 'steps' ? `${at + 1}. ` : '- ')).join('\n');
  return entries.map((entry, at) => underHeading(entry, form === 'steps' ? `${at + 1}. ` : '', level)).join('\n\n');
}

function underHeading({ title, tags, facts, blocks }: Entry, number: string, level: number): string {
  const notes = [tags.join('; '), factsInWords(facts)].filter(Boolean).join('; ');
  const head = `${'#'.repeat(level)} ${number}${lineText(title)}`;
  return [head, escaped(notes), ...blocks.map((block) => blockText(block, level + 1))].filter(Boolean).join('\n\n');
}

function itemText({ title: { text, url, cites }, tags }: Entry, lines: readonly Line[], bullet: string): string {
  const head = [text ? `**${lineText({ text, url })}**` : '', citationMarks(cites), tags.length > 0 ? `(${tags.map(escaped).join('; ')})` : ''];
  // Two spaces at the end of a line break it within the item.
  return bullet + [head.filter(Boolean).join(' '), ...lines.map(lineText)].filter(Boolean).join(`  \n${' '.repeat(bullet.length)}`);
}

/** Items within items; four spaces a level are enough below a bullet. */
function treeItemText({ depth, number, title, tags, marked, lines }: TreeItem): string {
  const bullet = `${'    '.repeat(depth)}- ${marked ? '◆ ' : ''}${plainText(number)} `;
  const under = ' '.repeat(depth * 4 + 2);
  return itemText({ title: { text: title }, tags, facts: [], blocks: [] }, lines, bullet).replaceAll(/\n +/g, `\n${under}`);
}

function sourceText({ title, url, note, snippet }: Source, indent: number): string {
  const head = `**${lineText({ text: title, url })}**${note ? ` (${escaped(note)})` : ''}`;
  return [head, escaped(snippet)].filter(Boolean).join(`  \n${' '.repeat(indent)}`);
}

function lineText({ label, text, url, cites }: Line): string {
  const address = markdownAddress(url);
  const said = address ? `[${escaped(text)}](${address})` : escaped(text);
  return [label === undefined ? '' : `**${escaped(label)}**:`, said, citationMarks(cites)].filter(Boolean).join(' ');
}

/** An address that ends no link before its end; null for what is none of the web. */
const markdownAddress = (url: string | null | undefined): string | null =>
  webAddress(url)?.replaceAll(/[()|<>`'\\\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`) ?? null;

/** Text that Markdown shows as it is, wherever in a line it stands. */
const escaped = (text: string): string =>
  plainText(text)
    .replaceAll(/[\\`*_[\]<>|~]/g, '\\$&')
    .replaceAll(/&(?=#?\w+;)/g, '\\&')
    .replace(/^([#+=-])/, '\\$1')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2');
