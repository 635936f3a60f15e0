import { openCatalogue } from '#features/catalogue';
import { readable } from '#lib/readable.ts';
import type { Analysis, Finding } from '../analyst.ts';
import { isFree, isPaid } from '../pricing.ts';
import { addressesIn, plainAddress, siteOf } from './addresses.ts';
import { unknownName, type Known, type NamesFree } from './names.ts';
import { KnownNumbers, numbersIn } from './numbers.ts';
import { plain, sentencesOf } from './plain-text.ts';

/** What is wrong with a sentence: it names something that no source has, or counts what nobody counted. */
export type Fault = 'fabricated' | 'unsupported';

/** What a sentence may say that no source has: numbers; products that the idea itself names; places; tools and channels that exist. */
export type Freedom = { numbersAreFree?: boolean; ideaIsFree?: boolean } & NamesFree;

export type Grounds = {
  ids: ReadonlySet<string>;
  /** Each finding with all its text in plain form. */
  byId: ReadonlyMap<string, { finding: Finding; text: string }>;
  addresses: ReadonlySet<string>;
  numbers: KnownNumbers;
  /** Adds what was established otherwise: names of locked entries, explanations of computed parts. */
  addText(text: string): void;
  /** Adds the idea's own words and numbers; a product that it names is still none that was found, unless a sentence is free to name it. */
  addIdea(text: string): void;
  faultOf(sentence: string, options?: Freedom): Fault | undefined;
};

/** What the findings say, prepared once for all the sentences that are held against them. */
export function groundsOf(findings: readonly Finding[]): Grounds {
  const texts = findings.map((finding) => allTextOf(finding));
  const byId = new Map(findings.map((finding, index) => [finding.id, { finding, text: ` ${plain(texts[index] ?? '')} ` }]));
  const urls = findings.flatMap(addressesOf);
  // What the catalogue writes was checked; a page may write any address into its text.
  const written = findings.flatMap(({ kind }, index) => (kind === 'web' ? [] : addressesIn(texts[index] ?? '')));
  const sites = new Set([...urls, ...written].map(siteOf));
  const numbers = new KnownNumbers();
  const markets = marketTexts(findings);
  for (const text of [...texts, ...markets]) numbers.addText(text);
  const words = new Set<string>();
  const known = knownTexts([...[...byId.values()].map(({ text }) => text), ...markets.map((text) => ` ${plain(text)} `)], words);
  let idea = '';
  return {
    ids: new Set(byId.keys()),
    byId,
    addresses: new Set(urls.map(plainAddress)),
    numbers,
    addText: (text) => {
      known.add(plain(text));
      numbers.addText(text);
    },
    addIdea: (text) => {
      const said = plain(readable(text));
      idea += ` ${said} `;
      for (const word of said.split(' ')) words.add(word);
      numbers.addText(text);
    },
    faultOf: (sentence, { numbersAreFree = false, ideaIsFree = false, ...free } = {}) => {
      if (addressesIn(sentence).some((address) => !sites.has(siteOf(address)))) return 'fabricated';
      const named = ideaIsFree ? { words, hasPhrase: (phrase: string) => known.hasPhrase(phrase) || idea.includes(` ${phrase} `) } : known;
      if (unknownName(sentence, named, { countriesAreFree: true, ...free })) return 'fabricated';
      if (!numbersAreFree && numbersIn(sentence).some((number) => !numbers.has(number))) return 'unsupported';
      return undefined;
    },
  };
}

function knownTexts(texts: string[], words: Set<string>): Known & { add(text: string): void } {
  const add = (text: string): void => {
    for (const word of text.split(' ')) words.add(word);
  };
  for (const text of texts) add(text);
  let all = texts.join('|');
  const answers = new Map<string, boolean>();
  return {
    words,
    hasPhrase: (phrase) => {
      const known = answers.get(phrase);
      if (known !== undefined) return known;
      const found = all.includes(` ${phrase} `);
      answers.set(phrase, found);
      return found;
    },
    add: (text) => {
      add(text);
      all += `| ${text} `;
      answers.clear();
    },
  };
}

/** Sentences without fault, and what the others were. */
export function keepSound(text: string, grounds: Grounds, options?: Freedom): { text: string; faults: Fault[] } {
  if (!grounds.faultOf(text, options)) return { text, faults: [] };
  const faults: Fault[] = [];
  const kept = sentencesOf(text).filter((sentence) => {
    const fault = grounds.faultOf(sentence, options);
    if (fault) faults.push(fault);
    return !fault;
  });
  return { text: kept.join(' '), faults };
}

/** What the catalogue writes of the markets that the findings belong to: their names, users and uses. */
function marketTexts(findings: readonly Finding[]): string[] {
  const ids = new Set(findings.flatMap(({ facts }) => (facts ? [facts.categoryId] : [])));
  const markets = [...ids].flatMap((id) => openCatalogue().category(id) ?? []);
  return markets.map(({ name, audience, use_cases: useCases }) => [name, ...audience, ...useCases].join(' . '));
}

function allTextOf({ url, title, snippet, text, facts }: Finding): string {
  const host = url ? (URL.parse(url)?.hostname ?? '') : '';
  return [title, snippet, text, host, facts ? factsText(facts) : ''].join(' . ');
}

function factsText(facts: NonNullable<Finding['facts']>): string {
  if (facts.kind === 'company')
    return [facts.name, facts.domain, facts.founded, facts.pricing, facts.funding, facts.summary, facts.standing].join(' . ');
  return [facts.name, facts.description].join(' . ');
}

function addressesOf({ url, facts }: Finding): string[] {
  const own = url ? [url] : [];
  return facts?.kind === 'company' ? [...own, `https://${facts.domain}`] : own;
}

/** Lets sentences use what can be counted in an analysis: rivals, holders, shares, tiers and findings by kind. */
export function addCounts({ numbers }: Grounds, analysis: Analysis, findings: readonly Finding[]): void {
  const { incumbents, emerging, features } = analysis;
  const rivals = [...incumbents, ...emerging];
  const sets = [rivals, incumbents, emerging];
  numbers.allowLists(rivals.length);
  numbers.addCounts(0, 1, features.length, findings.length, ...sets.map((set) => set.length));
  for (const feature of features) {
    const holders = new Set(feature.held_by);
    for (const set of sets) {
      const held = set.filter((rival) => holders.has(rival.id)).length;
      numbers.addCounts(held, set.length - held);
      if (set.length > 0) numbers.addShares(held / set.length, 1 - held / set.length);
    }
    numbers.addShares(feature.frequency);
  }
  for (const rival of rivals) {
    numbers.addShares(rival.overlap, 1 - rival.overlap);
    numbers.addCounts(rival.features.length);
  }
  addGroups(numbers, analysis, rivals, findings);
}

function addGroups(numbers: KnownNumbers, { features }: Analysis, rivals: Analysis['incumbents'], findings: readonly Finding[]): void {
  const asked = features.filter((feature) => feature.asked_for);
  numbers.addCounts(asked.length, features.length - asked.length);
  for (const group of [
    ...Map.groupBy(features, (feature) => feature.tier).values(),
    ...Map.groupBy(rivals, (rival) => rival.pricing).values(),
    rivals.filter(isFree),
    rivals.filter(isPaid),
    ...Map.groupBy(findings, (finding) => finding.kind).values(),
  ]) {
    numbers.addCounts(group.length);
  }
  for (const rival of rivals) {
    const held = asked.filter((feature) => feature.held_by.includes(rival.id)).length;
    numbers.addCounts(held, asked.length - held);
  }
  numbers.addCounts(new Set(findings.map(({ url }) => siteOf(url)).filter(Boolean)).size);
}
