import { shorten } from '#lib/text.ts';
import { shortIds, type Fence } from '#platform/llm/material.ts';
import type { EvidenceSource } from '../analyst.ts';

/** Sources as a model is shown them: each once, under short ids. */
export type Material = {
  /** Lines to stand between the delimiters. */
  lines: string[];
  /** The short id of a source that is shown. */
  shortOf(id: string): string | undefined;
  /** The source's id for a short one; one that was never given out comes back as it is, and counts as invented later. */
  idOf(short: string): string;
};

const KINDS: Record<EvidenceSource['kind'], string> = {
  knowledge: 'engineering knowledge',
  open_source: 'open-source project',
  canonical_company: 'known product',
  canonical_feature: 'known feature of the market',
  prior_research: 'earlier research',
  web: 'web page',
};

/** Sources that say the same of the same thing are shown once: the one that says most, at the place of the first. */
export function eachOnce(sources: readonly EvidenceSource[]): EvidenceSource[] {
  const byName = Map.groupBy(sources, ({ kind, title }) => `${kind} ${title}`);
  return [...byName.values()].map((same) => same.reduce((best, next) => (next.text.length > best.text.length ? next : best)));
}

/** Without the kind in brackets, which stands before it. */
const nameOf = ({ kind, title }: EvidenceSource): string =>
  kind === 'knowledge' || kind === 'canonical_feature' ? title.replace(/ \([^)]*\)$/, '') : title;

/** @param lengthOf how many characters of a source's text are shown; none at 0 */
export function materialOf(sources: readonly EvidenceSource[], fence: Fence, lengthOf: (source: EvidenceSource) => number): Material {
  const ids = shortIds(sources.map(({ id }) => id));
  const lines = sources.map((source) => {
    const length = lengthOf(source);
    const name = nameOf(source);
    const said = source.text.startsWith(`${name}: `) ? source.text.slice(name.length + 2) : source.text;
    const text = length > 0 ? `: ${shorten(fence.clean(said), length)}` : '';
    return fence.clean(`${ids.shortOf(source.id)} | ${KINDS[source.kind]} | ${name}${text}`);
  });
  return { lines, shortOf: ids.shortOf, idOf: (short) => ids.idOf(short) ?? short };
}
