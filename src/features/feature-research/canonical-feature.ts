import { CATALOGUE_FOLDER, openCatalogue, significantTerms, type CatalogueCompany, type CatalogueFeature, type Category } from '#features/catalogue';
import { normaliseText } from '#lib/text.ts';
import { diskCached } from '#platform/disk-cache/disk-cache.ts';
import { plainStems } from './stems.ts';

export type Canonical = { feature: CatalogueFeature; market: Category; ownMarket: boolean };

/** How much of two phrases has to be the same words, 0 to 1, in the idea's own markets; elsewhere all of them. */
const ALIKE_AT_HOME = 0.66;
/** What people call a feature tells less than its name. */
const SPOKEN = 0.8;

/** The catalogue's word for a feature: from the idea's markets first, else the same words, several of them, in any other. Null when it has none. */
export function canonicalFeature(wanted: { id: string; name: string }, markets: readonly Category[]): Canonical | null {
  const named = new Set(significantTerms(wanted.name));
  for (const market of markets) {
    const same = market.features.find(({ id, name }) => id === wanted.id || normaliseText(name) === normaliseText(wanted.name));
    if (same) return { feature: same, market, ownMarket: true };
  }
  const home = bestOf(named, markets);
  if (home && home.alike >= ALIKE_AT_HOME) return { feature: home.feature, market: home.market, ownMarket: true };
  const away = sameWords([...named]) ?? sameWords(plainStems(wanted.name));
  return away ? { ...away, ownMarket: false } : null;
}

type Likeness = { feature: CatalogueFeature; market: Category; alike: number };

function bestOf(named: ReadonlySet<string>, markets: readonly Category[]): Likeness | undefined {
  let best: Likeness | undefined;
  for (const market of markets) {
    for (const feature of market.features) {
      const alike = Math.max(...phrasesOf(market, feature).map((phrase, place) => likeness(named, phrase) * (place === 0 ? 1 : SPOKEN)));
      if (!best || alike > best.alike) best = { feature, market, alike };
    }
  }
  return best;
}

const keyOf = (stems: readonly string[]): string => stems.toSorted().join(' ');

type Named = { featureId: string; marketId: string };
type KnownFeatures = { byWords: ReadonlyMap<string, Named>; byName: ReadonlyMap<string, ReadonlySet<string>> };

let known: KnownFeatures | undefined;

/** Every feature of the catalogue by the words of its name (of several the first), and the markets that have one of a name. */
export function knownFeatures(): KnownFeatures {
  known ??= diskCached('features', [CATALOGUE_FOLDER, import.meta.dirname], collectFeatures);
  return known;
}

function collectFeatures(): KnownFeatures {
  const byWords = new Map<string, Named>();
  const byName = new Map<string, Set<string>>();
  for (const { id: marketId, features } of openCatalogue().categories) {
    for (const feature of features) {
      const key = keyOf(plainStems(feature.name));
      if (key !== '' && !byWords.has(key)) byWords.set(key, { featureId: feature.id, marketId });
      const name = normaliseText(feature.name);
      byName.set(name, (byName.get(name) ?? new Set()).add(marketId));
    }
  }
  return { byWords, byName };
}

/** A feature of any market whose name has these words; one word alone may mean another thing elsewhere. */
function sameWords(stems: readonly string[]): Omit<Canonical, 'ownMarket'> | undefined {
  if (stems.length < 2) return undefined;
  const named = knownFeatures().byWords.get(keyOf(stems));
  const market = named && openCatalogue().category(named.marketId);
  const feature = market?.features.find(({ id }) => id === named?.featureId);
  return market && feature && { feature, market };
}

const read = new Map<string, readonly (readonly string[])[]>();

/** The stems of a feature's name and of the phrases by which people ask for it, worked out once. */
function phrasesOf(market: Category, feature: CatalogueFeature): readonly (readonly string[])[] {
  const key = `${market.id} ${feature.id}`;
  const known = read.get(key) ?? [feature.name, ...feature.terms.filter((term) => term.includes(' '))].map(plainStems);
  read.set(key, known);
  return known;
}

/** Dice coefficient of two sets of words. */
function likeness(left: ReadonlySet<string>, right: readonly string[]): number {
  if (left.size === 0 || right.length === 0) return 0;
  return (2 * right.filter((term) => left.has(term)).length) / (left.size + right.length);
}

/** Known products of a market that have a feature, and how many of the market are known at all. */
export function holdersOf({ feature, market }: Canonical): { companies: CatalogueCompany[]; known: number } {
  const catalogue = openCatalogue();
  const also = market.also
    .filter(({ features }) => features.includes(feature.id))
    .flatMap(({ company }) => catalogue.company(company)?.company ?? []);
  const own = market.companies.filter(({ features }) => features.includes(feature.id));
  return { companies: [...own, ...also], known: market.companies.length + market.also.length };
}

/** Markets, beside those of an idea, in whose words several of its features are named. */
export function marketsNaming(features: readonly { name: string }[], least: number): Category[] {
  const named = new Map<string, number>();
  for (const name of new Set(features.map((feature) => normaliseText(feature.name)))) {
    for (const market of knownFeatures().byName.get(name) ?? []) named.set(market, (named.get(market) ?? 0) + 1);
  }
  const catalogue = openCatalogue();
  return [...named]
    .filter(([, count]) => count >= least)
    .flatMap(([market]) => catalogue.category(market) ?? [])
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** Products that have a feature of the same name in the other markets given. */
export const alsoHeldIn = ({ feature, market }: Canonical, markets: readonly Category[]): CatalogueCompany[] =>
  markets
    .filter(({ id }) => id !== market.id)
    .flatMap((other) => {
      const same = other.features.find(({ name }) => normaliseText(name) === normaliseText(feature.name));
      return same ? holdersOf({ feature: same, market: other, ownMarket: true }).companies : [];
    });
