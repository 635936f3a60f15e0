/** A run of text. `link` leads to an address of the web, `to` to an anchor of the same paper. */
export type Span = string | { text: string; bold?: boolean; italic?: boolean; muted?: boolean; small?: boolean; link?: string; to?: string };
export type Spans = readonly Span[];

export type Column = { title: string; width: number | 'rest' | 'fit'; align?: 'left' | 'center' | 'right' };
export type OutlineItem = { depth: number; title: string; text: string; tags: readonly string[]; marked?: boolean };

export type Block =
  | { kind: 'paragraph'; spans: Spans; lead?: boolean }
  /** `minor` below another heading. */
  | { kind: 'heading'; text: string; minor?: boolean }
  | { kind: 'list'; items: readonly Spans[]; ordered?: boolean }
  | { kind: 'table'; columns: readonly Column[]; rows: readonly (readonly Spans[])[]; small?: boolean }
  /** An SVG; `alternative` says the same where pictures cannot be shown. */
  | { kind: 'picture'; svg: string; width: number; alternative: string; caption?: string }
  | { kind: 'outline'; items: readonly OutlineItem[] }
  /** Numbered entries that citations lead to. */
  | { kind: 'sources'; items: readonly { anchor: string; spans: Spans }[] };

export type Section = { heading: string; blocks: readonly Block[]; newPage?: boolean };

/** A document before it is set: what stands on the cover, then sections. */
export type Paper = {
  /** What kind of document it is: `Market research`. */
  kind: string;
  title: string;
  subtitle: string;
  /** BCP 47. */
  language: string;
  /** Shown on the cover: label and value. */
  facts: readonly { label: string; value: string }[];
  cover?: { svg: string; width: number; alternative: string };
  sections: readonly Section[];
  /** Who made it and when, on the last line of the cover and in the metadata. */
  imprint: string;
  createdAt: Date;
};

/** The words of a run of text. */
export const wordsOf = (spans: Spans): string => spans.map((span) => (typeof span === 'string' ? span : span.text)).join('');
