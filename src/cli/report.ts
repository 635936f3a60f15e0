import type { Block, Branch, Entry, Line, Outline } from './outline.ts';
import { citationMarks } from './report-words.ts';

/** A report in Markdown (CommonMark, GitHub flavour). Nothing in it that came from outside acts as markup. */
export function markdownReport({ title, category, summary, sections }: Outline): string {
  const parts = [
    `# ${escaped(title)}`,
    category ? `*${escaped(category)}*` : '',
    escaped(summary),
    ...sections.flatMap(({ heading, blocks }) => [`## ${escaped(heading)}`, ...blocks.map(blockText)]),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'lines':
      return block.lines.map(lineText).join('\n\n');
    case 'scores':
      return [
        '| Part | Score | Weight | Why |',
        '| --- | ---: | ---: | --- |',
        ...block.bars.map(({ label, score, weight, line }) => `| ${label} | ${score} | ${Math.round(weight * 100)} % | ${lineText(line)} |`),
      ].join('\n');
    case 'entries': {
      const items = block.entries.map((entry, index) => entryText(entry, block.numbered ? `${index + 1}. ` : '- '));
      return [...(block.heading ? [`### ${escaped(block.heading)}`] : []), items.join('\n')].join('\n\n');
    }
    case 'tree':
      return block.branches.map(branchText).join('\n');
  }
}

function entryText({ name, url, tags, lines }: Entry, bullet: string): string {
  const linked = url ? `[${escaped(name)}](${url})` : escaped(name);
  const head = name ? `**${linked}**${tags.length > 0 ? ` (${tags.map(escaped).join('; ')})` : ''}` : '';
  // Two spaces at the end of a line break it within the item.
  return bullet + [head, ...lines.map(lineText)].filter(Boolean).join(`  \n${' '.repeat(bullet.length)}`);
}

/** Items within items; four spaces a level are enough below a bullet. */
function branchText(branch: Branch): string {
  const bullet = `${'    '.repeat(branch.depth)}- ${branch.marked ? '◆ ' : ''}${branch.number} `;
  const under = ' '.repeat(branch.depth * 4 + 2);
  return entryText(branch, bullet).replaceAll(/\n +/g, `\n${under}`);
}

const lineText = ({ text, cites }: Line): string => [escaped(text), citationMarks(cites)].filter(Boolean).join(' ');

/** Text that Markdown shows as it is, wherever in a line it stands. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]<>|~]/g, '\\$&')
    .replaceAll(/&(?=#?\w+;)/g, '\\&')
    .replace(/^([#+=-])/, '\\$1')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2');
