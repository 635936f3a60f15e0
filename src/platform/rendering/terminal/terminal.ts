import { plainText, citationMarks, factsInWords, linesOfEntry, matrixEntries, openingOf, scoreInWords, tableEntries } from '../in-words.ts';
import { filledSections, kickerOf, type Block, type Chart, type Column, type Document, type Entry, type Line, type TreeItem } from '../document.ts';
import { webAddress } from '#lib/visible-text.ts';
import { displayWidth, fitColumns, padColumns, wrapColumns } from './display-width.ts';
import { painter, type Painter, type Style } from './painter.ts';

export type Look = { columns: number; colours: boolean };

const WIDEST = 100;
const NARROWEST = 30;
const LONGEST_BAR = 20;
const GAP = '  ';

type Place = { columns: number; paint: Painter };

/** A document for a terminal, wrapped to its columns (at most 100); every text in it is stripped of terminal sequences. */
export function terminalText(document: Document, look: Look): string {
  const columns = Math.max(NARROWEST, Math.min(look.columns, WIDEST));
  const place: Place = { columns, paint: painter(look.colours) };
  const body = filledSections(document.sections).flatMap(({ heading, blocks }) => [
    '',
    ...wrapped(heading, columns).map((text) => place.paint(['bold', 'cyan'], text)),
    place.paint('dim', '─'.repeat(Math.min(columns, displayWidth(plainText(heading))))),
    ...apart(blocks, place),
  ]);
  const foot = wrapped(document.imprint, columns).map((text) => place.paint('dim', text));
  return `${[...headLines(document, place), ...body, '', ...foot].join('\n')}\n`;
}

function headLines(document: Document, { columns, paint }: Place): string[] {
  const { title, facts } = document;
  const summary = openingOf(document);
  const score = scoreInWords(document);
  return [
    ...wrapped(title, columns).map((text) => paint('bold', text)),
    ...wrapped(kickerOf(document), columns).map((text) => paint('dim', text)),
    ...(summary ? ['', ...wrapped(summary, columns)] : []),
    ...(score ? ['', ...wrapped(score.label ?? '', columns).map((text) => paint('bold', text)), ...wrapped(score.text, columns)] : []),
    ...(facts.length > 0 ? ['', ...wrapped(factsInWords(facts, ' · '), columns)] : []),
  ];
}

/** Blocks with a line between them, but none behind a heading. */
const apart = (blocks: readonly Block[], place: Place): string[] =>
  blocks.flatMap((block, at) => [...(at > 0 && blocks[at - 1]?.kind !== 'heading' ? [''] : []), ...blockLines(block, place)]);

function blockLines(block: Block, place: Place): string[] {
  switch (block.kind) {
    case 'heading':
      return wrapped(block.text, place.columns).map((text) => place.paint('bold', text));
    case 'paragraph':
    case 'callout':
      return lineLines(block.line, place);
    case 'list':
      return numberedLines(block.items, block.ordered === true, (item, bullet) => hanging(bullet, lineLines(item, inside(place, bullet))));
    case 'table':
      return tableLines(block, place);
    case 'matrix':
      return entriesLines(matrixEntries(block), 'points', place);
    case 'chart':
      return chartLines(block, place);
    case 'tree':
      return block.items.flatMap((item) => treeItemLines(item, place));
    case 'entries':
      return entriesLines(block.entries, block.form, place);
    case 'sources':
      return numberedLines(block.sources, true, ({ title, url, note, snippet }, bullet) =>
        entryLines({ title: { text: title, url }, tags: [note].filter(Boolean), facts: [], blocks: [] }, [{ text: snippet }], bullet, place),
      );
  }
}

/** @param lines of one item behind its bullet or number */
function numberedLines<T>(items: readonly T[], ordered: boolean, lines: (item: T, bullet: string) => string[]): string[] {
  const digits = String(items.length).length;
  return items.flatMap((item, at) => lines(item, ordered ? `${String(at + 1).padStart(digits)}. ` : '• '));
}

/** Columns beside each other where they have room, else a row is an item of a list. */
function tableLines(table: Extract<Block, { kind: 'table' }>, place: Place): string[] {
  const head = table.columns.map(({ title }) => plainText(title));
  const rows = table.rows.map((row) => table.columns.map((_column, at) => cellText(row[at])));
  const widths = head.map((title, at) => Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[at] ?? ''))));
  const whole = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  if (whole > place.columns) return entriesLines(tableEntries(table), 'points', place);
  return [place.paint('dim', rowText(head, widths, table.columns)), ...rows.map((row) => rowText(row, widths, table.columns))];
}

const cellText = (cell: Line | undefined): string => [plainText(cell?.text ?? ''), citationMarks(cell?.cites)].filter(Boolean).join(' ');

const rowText = (cells: readonly string[], widths: readonly number[], columns: readonly Column[]): string =>
  cells
    .map((cell, at) => {
      const width = widths[at] ?? 0;
      return columns[at]?.numeric ? ' '.repeat(Math.max(0, width - displayWidth(cell))) + cell : padColumns(cell, width);
    })
    .join(GAP)
    .trimEnd();

function chartLines(chart: Chart, place: Place): string[] {
  if (chart.chart === 'scores') return scoreLines(chart.scores, place);
  return wrapped(chart.about, place.columns).map((text) => place.paint('dim', text));
}

/** A bar per part, with what it rests on beside it, or below it where the terminal is narrow. */
function scoreLines(scores: Extract<Chart, { chart: 'scores' }>['scores'], { columns, paint }: Place): string[] {
  const label = Math.min(columns - 10, Math.max(...scores.map(({ name }) => displayWidth(plainText(name)))));
  const length = Math.min(LONGEST_BAR, columns - label - 7);
  const taken = label + length + 8;
  const beside = columns - taken >= 30;
  return scores.flatMap(({ name, value, line }) => {
    const filled = Math.round((Math.max(0, Math.min(100, value)) / 100) * length);
    const drawn = paint(colourOf(value), '█'.repeat(filled)) + paint('dim', '░'.repeat(length - filled));
    const head = `${padColumns(fitColumns(plainText(name), label), label)}  ${drawn}  ${String(Math.round(value)).padStart(3)}`;
    const about = lineLines(line, { columns: beside ? columns - taken : columns - 2, paint });
    if (!beside) return [head, ...about.map((text) => `  ${text}`)];
    const [first = '', ...rest] = about;
    return [`${head} ${first}`.trimEnd(), ...rest.map((text) => ' '.repeat(taken) + text)];
  });
}

const colourOf = (score: number): Style => (score >= 65 ? 'green' : score >= 40 ? 'yellow' : 'red');

/** Entries of lines are items of a list; those that hold more stand under their titles. */
function entriesLines(entries: readonly Entry[], form: Extract<Block, { kind: 'entries' }>['form'], place: Place): string[] {
  const lines = form === 'sides' ? [] : entries.map(linesOfEntry);
  if (lines.length > 0 && lines.every((each) => each !== null)) {
    const all = entries.map((entry, at) => ({ entry, about: lines[at] ?? [] }));
    return numberedLines(all, form === 'steps', ({ entry, about }, bullet) => entryLines(entry, about, bullet, place));
  }
  return entries.flatMap(({ title, tags, facts, blocks }, at) => {
    const notes = [tags.join('; '), factsInWords(facts)].filter(Boolean).join('; ');
    const numbered = form === 'steps' ? { ...title, text: `${at + 1}. ${title.text}` } : title;
    return [
      ...(at > 0 ? [''] : []),
      ...titleLines(numbered, [], place),
      ...(notes ? wrapped(notes, place.columns) : []),
      ...blocks.flatMap((block) => blockLines(block, place)),
    ];
  });
}

const entryLines = ({ title, tags }: Entry, lines: readonly Line[], bullet: string, place: Place): string[] => {
  const within = inside(place, bullet);
  return hanging(bullet, [
    ...titleLines(title, tags, within),
    ...lines.flatMap((line) => (line.text || line.cites?.length ? lineLines(line, within) : [])),
  ]);
};

/** A name, what is remarked about it, and its address on a line of its own. */
function titleLines({ text, url, cites }: Line, tags: readonly string[], { columns, paint }: Place): string[] {
  const name = plainText(text);
  const remarks = [citationMarks(cites), tags.length > 0 ? `(${tags.map(plainText).join('; ')})` : ''].filter(Boolean).join(' ');
  const head = name ? wrapColumns([name, remarks].filter(Boolean).join(' '), columns).map(highlight(name, paint)) : [];
  const address = webAddress(url);
  return [...head, ...(address ? wrapped(address, columns).map((part) => paint(['dim', 'underline'], part)) : [])];
}

function treeItemLines({ depth, number, title, tags, marked, lines }: TreeItem, { columns, paint }: Place): string[] {
  const indent = Math.min(depth * 2, columns - NARROWEST);
  const bullet = `${marked ? '◆' : ' '} ${plainText(number)} `;
  const texts = entryLines({ title: { text: title }, tags, facts: [], blocks: [] }, lines, bullet, { columns: columns - indent, paint });
  const indented = texts.map((text) => ' '.repeat(indent) + text);
  return depth === 0 && number !== '1' ? ['', ...indented] : indented;
}

/** The room that is left behind a bullet. */
const inside = ({ columns, paint }: Place, bullet: string): Place => ({ columns: columns - bullet.length, paint });

/** Lines behind a bullet, the further ones below the first. */
const hanging = (bullet: string, lines: readonly string[]): string[] =>
  lines.map((text, at) => (at === 0 ? bullet : ' '.repeat(bullet.length)) + text);

/** Paints a name that may be broken over several lines, and dims what follows it. */
function highlight(name: string, paint: Painter): (text: string) => string {
  let left = name.replaceAll(' ', '').length;
  return (text) => {
    let end = 0;
    while (end < text.length && left > 0) {
      if (text[end] !== ' ') left -= 1;
      end += 1;
    }
    const [bold, rest] = [text.slice(0, end), text.slice(end)];
    return (bold ? paint('bold', bold) : '') + (rest ? paint('dim', rest) : '');
  };
}

const wrapped = (text: string, columns: number): string[] => wrapColumns(plainText(text), columns);

function lineLines({ label, text, url, cites }: Line, { columns, paint }: Place): string[] {
  const address = webAddress(url);
  const link = address && address !== text ? plainText(`<${address}>`) : '';
  const marks = citationMarks(cites);
  const all = [label === undefined ? '' : `${plainText(label)}:`, plainText(text), link, marks].filter(Boolean).join(' ');
  let markLetters = marks.replaceAll(' ', '').length;
  // From the end: what stands in brackets there is ours, what stands in them elsewhere is the text's.
  return wrapColumns(all, columns)
    .toReversed()
    .map((part) => {
      let start = part.length;
      while (start > 0 && markLetters > 0) {
        start -= 1;
        if (part[start] !== ' ') markLetters -= 1;
      }
      const own = part.slice(start);
      return own ? part.slice(0, start) + paint('dim', own) : part;
    })
    .toReversed();
}
