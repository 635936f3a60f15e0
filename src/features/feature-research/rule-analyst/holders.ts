import { collapseSpaces, shorten } from '#lib/text.ts';
import type { EvidenceSource, FeatureCase } from '../analyst.ts';
import type { Implementation } from '../schema.ts';
import { plainStems, shareSaid } from '../stems.ts';

const QUOTED = 220;
/** Share of a feature's words that a sentence has to write to speak of it. */
const SPEAKS = 0.6;

/** Who is recorded with the feature, and how it works as far as a page of theirs tells. */
export function implementationsOf({ feature, sources }: FeatureCase): Implementation[] {
  const recorded = feature.canonical?.own_market === false ? `Recorded with it in another market: ${feature.canonical.market}.` : 'Recorded with it.';
  return feature.competitors.map(({ name, url, source_ids: ids }) => {
    const own = sources.filter((source) => ids.includes(source.id));
    const pages = sources.filter((source) => source.kind === 'web' && (sameHost(source.url, url) || source.title.includes(name)));
    const said = pages.flatMap((page) => sentenceOn(feature.name, page) ?? []).slice(0, 1);
    return {
      name,
      url,
      how: [recorded, own.map(({ text }) => factsOf(text))[0] ?? '', ...said.map((line) => `Its page says: “${line}”`)].filter(Boolean).join(' '),
      source_ids: [...new Set([...own.map(({ id }) => id), ...(said.length > 0 ? pages.slice(0, 1).map(({ id }) => id) : [])])],
    };
  });
}

/** What a source says of price and age. */
const factsOf = (text: string): string => (text.match(/(?:Founded \d{4}\.|Pricing: [^.]+\.)/g) ?? []).join(' ');

const hostOf = (url: string): string => URL.parse(url)?.hostname.replace(/^www\./, '') ?? '';
const sameHost = (left: string, right: string): boolean => hostOf(left) !== '' && hostOf(left) === hostOf(right);

function sentenceOn(name: string, { text }: EvidenceSource): string | undefined {
  const wanted = plainStems(name);
  const sentences = collapseSpaces(text).split(/(?<=[.!?])\s+/u);
  const found = sentences.find((line) => line.length > 30 && shareSaid(wanted, line) >= SPEAKS);
  return found && shorten(found, QUOTED);
}
