import { filledBlocks, type Block, type Entry, type Line } from '#platform/rendering/document.ts';

export const paragraph = (line: Line): Block => ({ kind: 'paragraph', line });

export const aside = (text: string, cites?: number[]): Block => ({ kind: 'paragraph', line: { text, cites }, tone: 'aside' });

export const list = (items: readonly Line[], ordered = false): Block => ({ kind: 'list', items, ordered });

/** A list under a heading; nothing where it would be empty. */
export const titledList = (heading: string, items: readonly Line[], ordered = false): Block[] =>
  items.length > 0 ? [{ kind: 'heading', text: heading }, list(items, ordered)] : [];

export const entry = (title: string, blocks: readonly Block[]): Entry => ({
  title: { text: title },
  tags: [],
  facts: [],
  blocks: filledBlocks(blocks),
});

/** Lists that stand against each other; those that are empty are left out. */
export const sides = (...lists: (readonly [string, readonly Line[]])[]): Block => ({
  kind: 'entries',
  form: 'sides',
  entries: lists.flatMap(([heading, items]) => (items.length > 0 ? [entry(heading, [list(items)])] : [])),
});
