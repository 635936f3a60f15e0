import { shorten } from '#lib/text.ts';
import { openFence, shortIds } from '#platform/llm/material.ts';
import type { EvidenceSource } from '../analyst.ts';

/** Sources as a model is shown them: under short ids, between delimiters that no source can know. */
export type Material = {
  text: string;
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

/** Each source with at most `textLength` characters of its text. */
export function materialOf(sources: readonly EvidenceSource[], textLength: number): Material {
  const fence = openFence();
  const ids = shortIds(sources.map(({ id }) => id));
  const entries = sources.map((source) => {
    const head = fence.clean(`${ids.shortOf(source.id)} | ${KINDS[source.kind]} | ${source.url}`);
    return `${head}\nTitle: ${fence.clean(source.title)}\nText: ${shorten(fence.clean(source.text), textLength)}`;
  });
  return { text: fence.around('What was gathered', entries.join('\n\n')), idOf: (short) => ids.idOf(short) ?? short };
}
