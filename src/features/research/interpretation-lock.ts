import { openCatalogue } from '#features/catalogue';
import { collapseSpaces, shorten } from '#lib/text.ts';
import { ContentlessIdea, type Interpretation } from './analyst.ts';
import type { Locked } from './evidence-lock.ts';
import { plain } from './grounding/plain-text.ts';
import { saidIn } from './grounding/said.ts';
import { Tally } from './grounding/tally.ts';
import { interpretIdea } from './rule-analyst/interpret.ts';

const UNKNOWN_MARKET = 'Market outside the catalogue';
const MARKET_TYPES = new Set(['b2c', 'b2b', 'b2b2c', 'marketplace', 'prosumer', 'developer']);
const LONGEST_SUMMARY = 200;

type TextField = 'normalizedIdea' | 'shortTitle' | 'oneLineSummary' | 'targetUser' | 'problemStatement' | 'proposedSolution' | 'subcategory';

/**
 * Keeps of a reading what the idea says: names, numbers and addresses that stand in it. A text with anything else gives way
 * to what the rules read in its place, and is counted. The rules' own reading passes as it is.
 * @param idea as it was typed
 */
export async function lockInterpretation(about: Interpretation, idea: string): Promise<Locked<Interpretation>> {
  let isAsked = false;
  const first = lockWith(about, idea, () => {
    isAsked = true;
    return {};
  });
  if (!isAsked) return first;
  const reading = await readByRules(idea);
  return lockWith(about, idea, () => reading);
}

/** @param byRules what the rules read, asked for where a text has a fault */
function lockWith(about: Interpretation, idea: string, byRules: () => Partial<Interpretation>): Locked<Interpretation> {
  const tally = new Tally(new Set());
  const hasMarket = about.categoryIds.length > 0;
  const market = marketWords(about.categoryIds);
  const said = saidIn([idea], market.words);
  const isSound = (text: string, isRules: () => boolean, isTitle = false): boolean => {
    const { faults } = said.keepSound(text, { isTitle });
    if (faults.length === 0 || market.labels.has(text) || isRules()) return true;
    for (const fault of faults) tally.count(fault);
    return false;
  };
  const lock = (field: TextField, otherwise: string, isTitle = false): string =>
    isSound(about[field], () => about[field] === byRules()[field], isTitle) ? about[field] : (standIn(field) ?? otherwise);
  /** What the rules say of a market that was not chosen is no reading of the idea. */
  const standIn = (field: TextField): string | undefined => (hasMarket || field !== 'subcategory' ? byRules()[field] : undefined);
  const kept = (field: 'place' | 'price'): Pick<Interpretation, 'place' | 'price'> => {
    const text = about[field];
    return text !== undefined && isSound(text, () => text === byRules()[field]) ? { [field]: text } : {};
  };
  const { place: _place, price: _price, ...rest } = about;
  return tally.locked({
    ...rest,
    ...kept('place'),
    ...kept('price'),
    unasked: (about.unasked ?? []).filter((text) => isSound(text, () => byRules().unasked?.includes(text) ?? false)),
    normalizedIdea: lock('normalizedIdea', collapseSpaces(idea)),
    productName: about.productName !== null && isSaid(idea, about.productName) ? about.productName : null,
    shortTitle: lock('shortTitle', '', true),
    oneLineSummary: lock('oneLineSummary', shorten(idea, LONGEST_SUMMARY)),
    targetUser: lock('targetUser', ''),
    problemStatement: lock('problemStatement', ''),
    proposedSolution: lock('proposedSolution', ''),
    // With a market of the catalogue these are the catalogue's own words.
    category: hasMarket || isSound(about.category, () => about.category === UNKNOWN_MARKET, true) ? about.category : UNKNOWN_MARKET,
    subcategory: lock('subcategory', '', true),
    marketType: hasMarket || MARKET_TYPES.has(about.marketType.toLowerCase()) ? about.marketType : '',
    askedFor: about.askedFor.filter(({ label }) => isSound(label, () => (byRules().askedFor ?? []).some((asked) => asked.label === label))),
  });
}

const isSaid = (idea: string, name: string): boolean => ` ${plain(idea)} `.includes(` ${plain(name)} `);

/** What a reading may call things after the markets that it chose from the catalogue, and the other words it may use of them. */
function marketWords(ids: readonly string[]): { labels: ReadonlySet<string>; words: string[] } {
  const markets = ids.flatMap((id) => openCatalogue().category(id) ?? []);
  const labels = markets.flatMap(({ name, aliases, features }) => [name, ...aliases, ...features.map((feature) => feature.name)]);
  const words = markets.flatMap(({ audience, use_cases: uses, needs }) => [...audience, ...uses, ...needs]);
  return { labels: new Set(labels), words: [...labels, ...words] };
}

async function readByRules(idea: string): Promise<Partial<Interpretation>> {
  try {
    return await interpretIdea(idea);
  } catch (error) {
    // The rules know no other script than the Latin one well enough to read every text that has something in it.
    if (error instanceof ContentlessIdea) return {};
    throw error;
  }
}
