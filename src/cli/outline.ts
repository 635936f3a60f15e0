import { cleanText, cleanUrl } from './clean-text.ts';

/** A sentence or more, with the numbers of the sources it rests on. */
export type Line = { text: string; cites: readonly number[] };

/** One item of a list: a name in front, remarks behind it, and what is said about it. */
export type Entry = { name: string; url: string | null; tags: readonly string[]; lines: readonly Line[] };

export type ScoreBar = { label: string; score: number; weight: number; line: Line };

/** One part of a tree with its place in it (`2.1`); `marked` where it is to be seen among the others. */
export type Branch = Entry & { depth: number; number: string; marked: boolean };

export type Block =
  | { kind: 'lines'; lines: readonly Line[] }
  | { kind: 'scores'; bars: readonly ScoreBar[] }
  | { kind: 'entries'; heading: string | null; numbered: boolean; entries: readonly Entry[] }
  | { kind: 'tree'; branches: readonly Branch[] };

export type Section = { heading: string; blocks: readonly Block[] };

/** What a report says and in which order, for any form of it. Every text in it is clean. */
export type Outline = { title: string; category: string; summary: string; sections: readonly Section[] };

/** Numbers of sources by their ids, in ascending order; an id that leads nowhere is left out. */
export type Cite = (ids: readonly string[]) => number[];

/** @param ids of the sources in the order in which they are listed */
export function citing(ids: readonly string[]): Cite {
  const numbers = new Map(ids.map((id, index) => [id, index + 1]));
  return (cited) => [...new Set(cited.flatMap((id) => numbers.get(id) ?? []))].sort((left, right) => left - right);
}

/** Text from outside. A number in brackets is how a report cites; one that a text brings along must not pass for that. */
const plain = (text: string): string => cleanText(text).replaceAll(/\[(\d[\d\s,;–-]*)\]/g, '($1)');

export const line = (text: string, cites: readonly number[] = []): Line => ({ text: plain(text), cites });

export const entry = (name: string, about: readonly Line[], more: { url?: string | null; tags?: readonly string[] } = {}): Entry => ({
  name: plain(name),
  url: cleanUrl(more.url ?? null),
  tags: (more.tags ?? []).map(plain).filter(Boolean),
  lines: about.filter(({ text, cites }) => text !== '' || cites.length > 0),
});

export const remark = (text: string, cites: readonly number[] = []): Entry => entry('', [line(text, cites)]);

export const lines = (list: readonly Line[]): Block => ({ kind: 'lines', lines: list.filter(({ text }) => text !== '') });

export const entries = (heading: string | null, list: readonly Entry[], numbered = false): Block => ({
  kind: 'entries',
  heading: heading === null ? null : plain(heading),
  numbered,
  entries: list,
});

export const section = (heading: string, blocks: readonly Block[]): Section => ({
  heading: plain(heading),
  blocks: blocks.filter((block) => sizeOf(block) > 0),
});

/** An outline without the sections that say nothing. */
export const outline = ({ title, category, summary, sections }: Outline): Outline => ({
  title: plain(title),
  category: plain(category),
  summary: plain(summary),
  sections: sections.filter(({ blocks }) => blocks.length > 0),
});

function sizeOf(block: Block): number {
  switch (block.kind) {
    case 'lines':
      return block.lines.length;
    case 'scores':
      return block.bars.length;
    case 'entries':
      return block.entries.length;
    case 'tree':
      return block.branches.length;
  }
}
