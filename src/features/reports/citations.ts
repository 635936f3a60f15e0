import type { Line } from '#platform/rendering/document.ts';

/** The places of sources in a document's list, from 1, each once, ascending; ids that lead nowhere are left out. */
export type Cite = (ids: readonly string[]) => number[];

/** @param sources in the order in which the document lists them */
export function citing(sources: readonly { id: string }[]): Cite {
  const places = new Map(sources.map(({ id }, index) => [id, index + 1]));
  return (ids) => [...new Set(ids.flatMap((id) => places.get(id) ?? []))].sort((left, right) => left - right);
}

type Cited = { text: string; evidence_ids: readonly string[] };

/** A statement of the wire with its citations. */
export const citedLine = ({ text, evidence_ids: ids }: Cited, cite: Cite): Line => ({ text, cites: cite(ids) });
