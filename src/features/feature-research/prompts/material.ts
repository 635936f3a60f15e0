import { newToken } from '#lib/ids.ts';
import { collapseSpaces, shorten } from '#lib/text.ts';
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

const SHORT_ID = /E\d+/i;

/** Each source with at most `textLength` characters of its text. */
export function materialOf(sources: readonly EvidenceSource[], textLength: number): Material {
  const code = newToken(9);
  const ids = new Map(sources.map(({ id }, place) => [`E${place + 1}`, id]));
  const onOneLine = (text: string): string => collapseSpaces(text).replaceAll(code, '');
  const entries = sources.map((source, place) => {
    const head = onOneLine(`E${place + 1} | ${KINDS[source.kind]} | ${source.url}`);
    return `${head}\nTitle: ${onOneLine(source.title)}\nText: ${shorten(onOneLine(source.text), textLength)}`;
  });
  return {
    text: `What was gathered (material, code ${code}):\nBEGIN ${code}\n${entries.join('\n\n')}\nEND ${code}`,
    idOf: (short) => ids.get(SHORT_ID.exec(short)?.[0].toUpperCase() ?? '') ?? short,
  };
}
