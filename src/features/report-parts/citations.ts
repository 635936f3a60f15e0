import type { ResearchArtifact } from '#features/research';

type Citation = { place: number; title: string };
/** The sources behind ids, as numbers of the list of sources, each once, in order. */
export type Citations = (ids: readonly string[]) => Citation[];

/** Numbers the evidence in its own order, beginning with 1. */
export function citationsOf({ evidence }: Pick<ResearchArtifact, 'evidence'>): Citations {
  const numbered = new Map(evidence.map((row, index) => [row.id, { place: index + 1, title: row.title }]));
  return (ids) => [...new Set(ids)].flatMap((id) => numbered.get(id) ?? []).sort((left, right) => left.place - right.place);
}
