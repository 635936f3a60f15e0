import { styleText } from 'node:util';
import { displayWidth, padColumns, wrapColumns } from './display-width.ts';
import type { Block, Branch, Entry, Line, Outline, ScoreBar } from './outline.ts';
import { citationMarks } from './report-words.ts';

export type Look = { columns: number; colours: boolean };

type Style = Parameters<typeof styleText>[0];
type Painter = (style: Style, text: string) => string;

const WIDEST = 100;
const NARROWEST = 30;
const LONGEST_BAR = 20;

/** A report for a terminal, wrapped to its columns (at most 100). */
export function terminalReport({ title, category, summary, sections }: Outline, look: Look): string {
  const columns = Math.max(NARROWEST, Math.min(look.columns, WIDEST));
  const paint = painter(look.colours);
  const head = [
    ...wrapColumns(title, columns).map((text) => paint('bold', text)),
    ...(category ? wrapColumns(category, columns).map((text) => paint('dim', text)) : []),
    ...(summary ? ['', ...wrapColumns(summary, columns)] : []),
  ];
  const body = sections.flatMap(({ heading, blocks }) => [
    '',
    ...wrapColumns(heading, columns).map((text) => paint(['bold', 'cyan'], text)),
    paint('dim', '─'.repeat(Math.min(columns, displayWidth(heading)))),
    ...blocks.flatMap((block, index) => [...(index > 0 ? [''] : []), ...blockLines(block, columns, paint)]),
  ]);
  return `${[...head, ...body].join('\n')}\n`;
}

/** Paints with terminal sequences, or not at all. */
export const painter =
  (colours: boolean): Painter =>
  (style, text) =>
    colours ? styleText(style, text, { validateStream: false }) : text;

function blockLines(block: Block, columns: number, paint: Painter): string[] {
  switch (block.kind) {
    case 'lines':
      return block.lines.flatMap((line) => lineLines(line, columns, paint));
    case 'scores':
      return scoreLines(block.bars, columns, paint);
    case 'entries': {
      const digits = String(block.entries.length).length;
      const items = block.entries.flatMap((entry, index) =>
        entryLines(entry, block.numbered ? `${String(index + 1).padStart(digits)}. ` : '• ', columns, paint),
      );
      return [...(block.heading ? wrapColumns(block.heading, columns).map((text) => paint('bold', text)) : []), ...items];
    }
    case 'tree':
      return block.branches.flatMap((branch) => branchLines(branch, columns, paint));
  }
}

/** A bar per part, with what it rests on beside it, or below it where the terminal is narrow. */
function scoreLines(bars: readonly ScoreBar[], columns: number, paint: Painter): string[] {
  const label = Math.max(...bars.map((bar) => displayWidth(bar.label)));
  const length = Math.min(LONGEST_BAR, columns - label - 7);
  const taken = label + length + 8;
  const beside = columns - taken >= 30;
  return bars.flatMap((bar) => {
    const filled = Math.round((bar.score / 100) * length);
    const drawn = paint(colourOf(bar.score), '█'.repeat(filled)) + paint('dim', '░'.repeat(length - filled));
    const head = `${padColumns(bar.label, label)}  ${drawn}  ${String(bar.score).padStart(3)}`;
    const about = lineLines(bar.line, beside ? columns - taken : columns - 2, paint);
    if (!beside) return [head, ...about.map((text) => `  ${text}`)];
    const [first = '', ...rest] = about;
    return [`${head} ${first}`.trimEnd(), ...rest.map((text) => ' '.repeat(taken) + text)];
  });
}

function branchLines(branch: Branch, columns: number, paint: Painter): string[] {
  const indent = Math.min(branch.depth * 2, columns - NARROWEST);
  const bullet = `${branch.marked ? '◆' : ' '} ${branch.number} `;
  const texts = entryLines(branch, bullet, columns - indent, paint).map((text) => ' '.repeat(indent) + text);
  return branch.depth === 0 && branch.number !== '1' ? ['', ...texts] : texts;
}

const colourOf = (score: number): Style => (score >= 65 ? 'green' : score >= 40 ? 'yellow' : 'red');

function entryLines({ name, url, tags, lines }: Entry, bullet: string, columns: number, paint: Painter): string[] {
  const indent = ' '.repeat(bullet.length);
  const width = columns - bullet.length;
  const remarks = tags.length > 0 ? ` (${tags.join('; ')})` : '';
  const head = name ? wrapColumns(name + remarks, width).map(highlight(name, paint)) : [];
  const address = url ? wrapColumns(url, width).map((text) => paint(['dim', 'underline'], text)) : [];
  const about = lines.flatMap((line) => lineLines(line, width, paint));
  return [...head, ...address, ...about].map((text, index) => (index === 0 ? bullet : indent) + text);
}

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

function lineLines({ text, cites }: Line, columns: number, paint: Painter): string[] {
  const marks = citationMarks(cites);
  const all = [text, marks].filter(Boolean).join(' ');
  let markLetters = marks.replaceAll(' ', '').length;
  // From the end: what stands in brackets there is ours, what stands in them elsewhere is the text's.
  return wrapColumns(all, columns)
    .toReversed()
    .map((wrapped) => {
      let start = wrapped.length;
      while (start > 0 && markLetters > 0) {
        start -= 1;
        if (wrapped[start] !== ' ') markLetters -= 1;
      }
      const own = wrapped.slice(start);
      return own ? wrapped.slice(0, start) + paint('dim', own) : wrapped;
    })
    .toReversed();
}
