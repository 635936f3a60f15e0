import type { BriefOutline, OutlineBlock } from '#features/briefs';
import { dayOf } from '#features/report-parts';
import { count } from '#lib/text.ts';
import { webAddress } from '#lib/visible-text.ts';
import type { Block, Column, Paper, Span } from '#platform/ports/pdf/paper.ts';

/** A brief as a document: the sections written so far, with the sources they rest on. */
export function briefPaper(brief: BriefOutline): Paper {
  return {
    kind: 'Market brief',
    title: brief.title,
    subtitle: brief.audience ? `For the ${brief.audience}` : '',
    language: 'en',
    facts: [
      { label: 'Quality', value: `${Math.round(brief.qualityScore)} of 100` },
      { label: 'Revision', value: `${brief.revision}, ${dayOf(brief.updatedAt)}` },
      { label: 'Status', value: brief.status },
      { label: 'Sources', value: String(brief.sources.length) },
    ],
    sections: [
      ...brief.sections.map(({ type, title, failed, blocks }) => ({
        heading: title,
        blocks: failed
          ? [{ kind: 'paragraph', spans: ['This section could not be written.'] } as const]
          : blocks.flatMap((block, at) => (OF_PRODUCTS.has(type) ? ofProduct(block, blocks[at + 1]) : blockOf(block, false))),
      })),
      ...(brief.sources.length > 0 ? [{ heading: count(brief.sources.length, 'source'), blocks: [sourcesOf(brief)] }] : []),
    ],
    imprint: `Written by Groundwork, revision ${brief.revision} of ${dayOf(brief.updatedAt)}. Numbers in brackets lead to the sources.`,
    createdAt: new Date(brief.updatedAt),
  };
}

const cite = (numbers: readonly number[]): Span[] =>
  numbers.slice(0, 6).flatMap((number): Span[] => [' ', { text: `[${number}]`, to: `source-${number}`, small: true }]);

const OF_PRODUCTS: ReadonlySet<string> = new Set(['incumbents', 'emerging']);

/** A paragraph with lists below it speaks of one product: its name becomes a heading. */
function ofProduct(block: OutlineBlock, next: OutlineBlock | undefined): Block[] {
  const [, name = '', about = ''] = block.kind === 'paragraph' && next?.kind === 'list' ? (/^(.{1,80}?): (.+)$/s.exec(block.line.text) ?? []) : [];
  if (block.kind !== 'paragraph' || name === '') return blockOf(block, true);
  return [{ kind: 'heading', text: name }, ...blockOf({ ...block, line: { ...block.line, text: about } }, true)];
}

function blockOf(block: OutlineBlock, minor: boolean): Block[] {
  if (block.kind === 'paragraph') return [{ kind: 'paragraph', spans: [block.line.text, ...cite(block.line.sources)] }];
  const heading: Block[] = block.heading ? [{ kind: 'heading', text: block.heading, ...(minor ? { minor } : {}) }] : [];
  if (block.kind === 'list') return [...heading, { kind: 'list', items: block.items.map(({ text, sources }) => [text, ...cite(sources)]) }];
  const rows = block.rows.map(({ cells, sources }) =>
    cells.map((cell, index): Span[] => [cellOf(cell), ...(index === cells.length - 1 ? cite(sources) : [])]),
  );
  return [...heading, { kind: 'table', columns: columnsOf(block), rows }];
}

/** An address in a table can be followed. */
const cellOf = (cell: string): Span => {
  const link = /^https?:\/\/\S+$/.test(cell) ? webAddress(cell) : null;
  return link ? { text: cell, link } : cell;
};

const SHORT = 16;
/** Points that a column of names takes beside one of sentences. */
const NARROW = 105;

/** The column of the longest texts has what the others leave: short ones take what they need, longer ones a fixed part. */
function columnsOf({ head, rows }: Extract<OutlineBlock, { kind: 'table' }>): Column[] {
  const lengths = head.map((title, index) => Math.max(title.length, ...rows.map(({ cells }) => cells[index]?.length ?? 0)));
  const widest = lengths.indexOf(Math.max(...lengths));
  return head.map((title, index): Column => {
    const length = lengths[index] ?? 0;
    return { title, width: length <= SHORT ? 'fit' : index === widest ? 'rest' : NARROW };
  });
}

const sourcesOf = ({ sources }: BriefOutline): Block => ({
  kind: 'sources',
  items: sources.map(({ number, title, url, snippet }) => {
    const link = webAddress(url);
    return { anchor: `source-${number}`, spans: [link ? { text: title, link, bold: true } : { text: title, bold: true }, '. ', snippet] };
  }),
});
