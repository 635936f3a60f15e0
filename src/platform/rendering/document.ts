/** A text from anywhere; each renderer escapes it. */
export type Line = {
  text: string;
  /** Set off in front of the text. */
  label?: string | undefined;
  /** The sources it rests on, as places in the document's list from 1, in ascending order. */
  cites?: readonly number[] | undefined;
  /** Where the text leads to. Only an address of the web becomes a link. */
  url?: string | null | undefined;
};

/** A name with what is counted or known under it. */
export type Fact = { label: string; value: string };

/** Good, fair, poor, or neither. */
export type Grade = 'good' | 'fair' | 'poor' | 'muted';

/** A titled part of a list of its like. */
export type Entry = { title: Line; tags: readonly string[]; facts: readonly Fact[]; blocks: readonly Block[] };

export type Column = { title: string; numeric?: boolean };

/** A column of marks. `own` is the one that the others are compared with. */
export type MatrixColumn = { name: string; own?: boolean; yes: string; no: string };
/** The name cites what says what the row is, `cites` all that its marks rest on. */
export type MatrixRow = { name: Line; cites: readonly number[]; tags: readonly string[]; about: string; marks: readonly boolean[]; total: number };
export type Matrix = {
  kind: 'matrix';
  caption: string;
  /** What a row is: `Feature`. */
  subject: string;
  columns: readonly MatrixColumn[];
  /** What a mark means, and what its absence. */
  key: string;
  /** Title of the last column, which counts. */
  total: string;
  /** How a row reads in words: before the names of its columns, and where no column has it. */
  words: { some: string; none: string; about: string };
  rows: readonly MatrixRow[];
};

type Score = { name: string; asks: string; value: number; weight: number; line: Line };
export type Axis = { title: string; short: string; max: number; unit: 'share' | 'number' };
export type Point = { label: string; x: number; y: number; group: 'first' | 'second' };
export type DependentPart = { id: string; title: string; note: string; needs: readonly string[]; marked: boolean };

/** What is drawn where pictures can be shown; `about` says the same in words. */
export type Chart =
  /** Scores of 0 to 100 with their weights, 0 to 1. */
  | { kind: 'chart'; chart: 'scores'; scores: readonly Score[] }
  | { kind: 'chart'; chart: 'scatter'; about: string; caption: string; groups: readonly [string, string]; points: readonly Point[]; x: Axis; y: Axis }
  | { kind: 'chart'; chart: 'dependencies'; about: string; caption: string; parts: readonly DependentPart[] };

/** One part of a tree with its place in it (`2.1`); `marked` where it is to be seen among the others. */
export type TreeItem = { depth: number; number: string; title: string; tags: readonly string[]; marked: boolean; lines: readonly Line[] };

export type Source = { title: string; url: string | null; note: string; snippet: string };

export type Block =
  | { kind: 'heading'; text: string }
  /** `lead` says what matters first, `aside` may be passed over. */
  | { kind: 'paragraph'; line: Line; tone?: 'lead' | 'aside' }
  /** A conclusion that is to be seen among the rest. */
  | { kind: 'callout'; line: Line }
  | { kind: 'list'; items: readonly Line[]; ordered?: boolean }
  /** The first cell of a row names it. */
  | { kind: 'table'; columns: readonly Column[]; rows: readonly (readonly Line[])[] }
  | Matrix
  | Chart
  | { kind: 'tree'; items: readonly TreeItem[] }
  /** `profiles` are compared with each other, `steps` follow each other, `sides` stand against each other, `points` are read one by one. */
  | { kind: 'entries'; form: 'profiles' | 'steps' | 'points' | 'sides'; entries: readonly Entry[] }
  /** What citations lead to; a document has one such list. */
  | { kind: 'sources'; sources: readonly Source[] };

/** `id` is unique in the document and safe in an address; `name` is the heading in a word or two. */
export type Section = { id: string; name: string; heading: string; blocks: readonly Block[] };

/** What a report says and in which order, for any form of it. Plain data: it can be sent to another thread. */
export type Document = {
  /** What kind of document it is: `Market research`. */
  kind: string;
  /** What it is about in a few words; may be empty. */
  topic: string;
  title: string;
  /** What the title stands for, at length; may be empty. */
  subtitle: string;
  /** The document in a sentence or two, for whoever reads nothing else. */
  summary: string;
  /** BCP 47, of the title and the subtitle. */
  language: string;
  /** 0 to 100, with a word for it and what it says. */
  score: { value: number; word: string; grade: Grade; about: string } | null;
  facts: readonly Fact[];
  sections: readonly Section[];
  /** Who made it and when. */
  imprint: string;
  /** ISO 8601. */
  createdAt: string;
};

/** What stands above the title: `Market research · Grocery lists`. */
export const kickerOf = ({ kind, topic }: Pick<Document, 'kind' | 'topic'>): string => [kind, topic].filter(Boolean).join(' · ');

/** The list that citations lead to; empty where the document has none. */
export const sourcesOf = ({ sections }: Pick<Document, 'sections'>): readonly Source[] =>
  sections.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'sources' ? block.sources : [])));

/** Without blocks and sections that hold nothing. */
export const filledSections = (sections: readonly Section[]): Section[] =>
  sections.map((section) => ({ ...section, blocks: filledBlocks(section.blocks) })).filter(({ blocks }) => blocks.length > 0);

/** Without blocks that hold nothing, and without headings that nothing follows. */
export const filledBlocks = (blocks: readonly Block[]): Block[] =>
  blocks
    .filter((block) => sizeOf(block) > 0)
    .filter((block, at, left) => block.kind !== 'heading' || (at + 1 < left.length && left[at + 1]?.kind !== 'heading'));

function sizeOf(block: Block): number {
  switch (block.kind) {
    case 'heading':
      return block.text.length;
    case 'paragraph':
    case 'callout':
      return block.line.text.length + (block.line.cites?.length ?? 0);
    case 'list':
    case 'tree':
      return block.items.length;
    case 'table':
    case 'matrix':
      return block.rows.length;
    case 'entries':
      return block.entries.length;
    case 'sources':
      return block.sources.length;
    case 'chart':
      return block.chart === 'scores' ? block.scores.length : block.chart === 'scatter' ? block.points.length : block.parts.length;
  }
}
