import { cleanText } from '#lib/clean-text.ts';
import { capital, listOf } from '#lib/text.ts';
import type { Block, Document, Entry, Fact, Line, Matrix } from './document.ts';

/** `[1] [3]–[5]`: the sources behind a statement, three or more in a row as a range. @param places ascending */
export function citationMarks(places: readonly number[] = []): string {
  const runs: { first: number; last: number }[] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run?.last === place - 1) run.last = place;
    else runs.push({ first: place, last: place });
  }
  return runs
    .map(({ first, last }) => (last - first >= 2 ? `[${first}]–[${last}]` : first === last ? `[${first}]` : `[${first}] [${last}]`))
    .join(' ');
}

/** One line of a text from outside. A number in brackets is how a text cites; one that comes along in it must not pass for that. */
export const plainText = (text: string): string => cleanText(text).replaceAll(/\[(\d[\d\s,;–-]*)\]/g, '($1)');

/** `Pricing: free; Since: 2011`. */
export const factsInWords = (facts: readonly Fact[], between = '; '): string =>
  facts.map(({ label, value }) => `${capital(label)}: ${value}`).join(between);

/** The summary, where the first section does not say the same. */
export function openingOf({ summary, sections }: Pick<Document, 'summary' | 'sections'>): string {
  const said = sections[0]?.blocks.flatMap((block) => (block.kind === 'list' ? block.items : block.kind === 'paragraph' ? [block.line] : [])) ?? [];
  return said.some(({ text }) => text === summary) ? '' : summary;
}

/** `Test first, 62 of 100` and why; null where a document has no score. */
export const scoreInWords = ({ score }: Pick<Document, 'score'>): Line | null =>
  score && { label: `${score.word}, ${Math.round(score.value)} of 100`, text: score.about };

/** The rows of a matrix as what each has, for where marks cannot stand in columns. */
export const matrixEntries = ({ columns, words, rows }: Matrix): Entry[] =>
  rows.map(({ name, cites, tags, about, marks }) => {
    const marked = columns.filter((_column, at) => marks[at]);
    const others = columns.filter(({ own }) => !own).length;
    const holders = marked.flatMap(({ name: holder, own }) => (own ? [] : [holder]));
    const who = holders.length > 0 ? `${words.some}: ${listOf(holders)}.` : words.none;
    return {
      title: { ...name, cites: [] },
      tags: [...tags, ...marked.flatMap(({ own, yes }) => (own ? [yes] : [])), ...(others > 0 ? [`${holders.length} of ${others}`] : [])],
      facts: [],
      blocks: [paragraph({ text: about }), paragraph({ text: who, cites })],
    };
  });

/** The rows of a table as what each says, for where there is no room for columns. */
export const tableEntries = ({ columns, rows }: Extract<Block, { kind: 'table' }>): Entry[] =>
  rows.map(([title = { text: '' }, ...cells]) => ({
    title,
    tags: [],
    facts: [],
    blocks: cells.flatMap((cell, at) => (cell.text === '' ? [] : [paragraph({ ...cell, text: `${columns[at + 1]?.title ?? ''}: ${cell.text}` })])),
  }));

const paragraph = (line: Line): Block => ({ kind: 'paragraph', line });

/** The lines of an entry that holds nothing else; null for one with headings, lists or pictures in it. */
export function linesOfEntry({ facts, blocks }: Entry): Line[] | null {
  const lines = blocks.flatMap((block) => (block.kind === 'paragraph' || block.kind === 'callout' ? [block.line] : []));
  if (lines.length < blocks.length) return null;
  return [...lines, { text: factsInWords(facts) }].filter(({ text, cites = [] }) => text !== '' || cites.length > 0);
}
