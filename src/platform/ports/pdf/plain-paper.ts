import { visibleText } from '../../../lib/visible-text.ts';
import { wordsOf, type Block, type Paper, type Spans } from './paper.ts';

/** A paper as plain text, for where it cannot be set: the same words in the same order. */
export function plainPaper(paper: Paper): string {
  const cover = [
    paper.kind,
    paper.title,
    '='.repeat(Math.min(72, paper.title.length)),
    paper.subtitle,
    ...paper.facts.map(({ label, value }) => `${label}: ${value}`),
  ];
  const sections = paper.sections.map(({ heading, blocks }) =>
    [heading, '-'.repeat(Math.min(72, heading.length)), ...blocks.map(plainBlock)].join('\n\n'),
  );
  return `${visibleText([cover.filter(Boolean).join('\n'), ...sections, paper.imprint].join('\n\n\n'))}\n`;
}

function plainBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return plainSpans(block.spans);
    case 'heading':
      return `## ${block.text}`;
    case 'list':
      return block.items.map((item, index) => `${block.ordered ? `${index + 1}.` : '-'} ${plainSpans(item)}`).join('\n');
    case 'table':
      return block.rows
        .map(
          (row) =>
            `- ${row
              .map((cell, index) => tableCell(block.columns[index]?.title ?? '', wordsOf(cell)))
              .filter(Boolean)
              .join('; ')}`,
        )
        .join('\n');
    case 'picture':
      return [block.alternative, block.caption].filter(Boolean).join('\n');
    case 'outline':
      return block.items.map((item) => plainItem(item)).join('\n');
    case 'sources':
      return block.items.map(({ spans }, index) => `[${index + 1}] ${plainSpans(spans)}`).join('\n');
  }
}

const tableCell = (title: string, words: string): string => (words === '' ? '' : title === '' ? words : `${title}: ${words}`);

function plainItem({ depth, title, text, tags, marked }: Extract<Block, { kind: 'outline' }>['items'][number]): string {
  const indent = '  '.repeat(depth);
  const head = `${indent}- ${title}${marked ? ' *' : ''}${tags.length > 0 ? ` (${tags.join(', ')})` : ''}`;
  return text ? `${head}\n${indent}  ${text}` : head;
}

/** Addresses are written out, since nothing can be clicked. */
const plainSpans = (spans: Spans): string =>
  spans.map((span) => (typeof span === 'string' ? span : span.link && span.link !== span.text ? `${span.text} <${span.link}>` : span.text)).join('');
