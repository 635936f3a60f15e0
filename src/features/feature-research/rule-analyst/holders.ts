import { openCatalogue, type Category } from '#features/catalogue';
import { collapseSpaces, listOf, shorten } from '#lib/text.ts';
import type { EvidenceSource, FeatureCase } from '../analyst.ts';
import type { FeatureAnalysis, Implementation } from '../schema.ts';
import { plainStems, shareSaid } from '../stems.ts';
import { lowerFirst, sentence } from '../words.ts';

const QUOTED = 220;
/** Share of a feature's words that a sentence has to write to speak of it. */
const SPEAKS = 0.6;
/** Share of those who have the feature that also have another, above which the two belong together. */
const TOGETHER = 0.6;
const FEWEST_HOLDERS = 3;

/** Who has the feature, and how as far as the evidence tells: the catalogue's word for it, and what a page of theirs says. */
export function implementationsOf({ feature, sources }: FeatureCase): Implementation[] {
  return feature.competitors.map(({ name, url, source_ids: ids }) => {
    const own = sources.filter((source) => ids.includes(source.id));
    const pages = sources.filter((source) => source.kind === 'web' && (sameHost(source.url, url) || source.title.includes(name)));
    const said = pages.flatMap((page) => sentenceOn(feature.name, page) ?? []).slice(0, 1);
    return {
      name,
      url,
      how: [listedAs(feature), own.map(({ text }) => factsOf(text))[0] ?? '', ...said.map((sentence) => `Its page says: “${sentence}”`)]
        .filter(Boolean)
        .join(' '),
      source_ids: [...new Set([...own.map(({ id }) => id), ...(said.length > 0 ? pages.slice(0, 1).map(({ id }) => id) : [])])],
    };
  });
}

function listedAs({ canonical, name }: FeatureCase['feature']): string {
  if (!canonical) return `Named in the research as having “${name}”; how it works is not told.`;
  const word = `“${canonical.name}”: ${lowerFirst(sentence(canonical.description))}`;
  return canonical.own_market ? `Has ${word}` : `In another market (${canonical.market}) it has ${word}`;
}

/** What a source says of price, age and ownership. */
const factsOf = (text: string): string => (text.match(/(?:Founded \d{4}\.|Pricing: [^.]+\.)/g) ?? []).join(' ');

const hostOf = (url: string): string => URL.parse(url)?.hostname.replace(/^www\./, '') ?? '';
const sameHost = (left: string, right: string): boolean => hostOf(left) !== '' && hostOf(left) === hostOf(right);

function sentenceOn(name: string, { text }: EvidenceSource): string | undefined {
  const wanted = plainStems(name);
  const sentences = collapseSpaces(text).split(/(?<=[.!?])\s+/u);
  const found = sentences.find((line) => line.length > 30 && shareSaid(wanted, line) >= SPEAKS);
  return found && shorten(found, QUOTED);
}

/** What those who have the feature usually have as well, as the catalogue records it. */
export function marketPattern({ feature, sources }: FeatureCase): FeatureAnalysis['common_patterns'] {
  const market = feature.marketId ? openCatalogue().category(feature.marketId) : undefined;
  const holders = feature.companyIds.map((id) => featuresIn(market, id)).filter((held) => held.length > 0);
  if (!market || holders.length < FEWEST_HOLDERS) return [];
  const together = market.features
    .filter(({ id }) => id !== feature.canonical?.id)
    .map(({ id, name }) => ({ name, times: holders.filter((held) => held.includes(id)).length }))
    .filter(({ times }) => times / holders.length >= TOGETHER)
    .sort((left, right) => right.times - left.times)
    .slice(0, 3);
  if (together.length === 0) return [];
  const cited = sources.filter(
    ({ companyId, kind }) => kind === 'canonical_feature' || (companyId !== null && feature.companyIds.includes(companyId)),
  );
  return [
    {
      text: `Of the ${holders.length} products known to have it in ${market.name}, ${listOf(together.map(({ name, times }) => `${times} also have ${lowerFirst(name)}`))}: users meet it together with these.`,
      source_ids: cited.slice(0, 8).map(({ id }) => id),
    },
  ];
}

function featuresIn(market: Category | undefined, companyId: string): readonly string[] {
  const own = market?.companies.find(({ id }) => id === companyId)?.features;
  return own ?? market?.also.find(({ company }) => company === companyId)?.features ?? [];
}
