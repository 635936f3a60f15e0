import type { Language, Lexicon } from './lexicon.ts';
import { endsOf, partAt } from './columns.ts';
import { editDistance, lettersIn, lettersOf, mayBeWithin } from './edits.ts';
import type { Category } from './schema.ts';
import type { Shelf } from './shelf.ts';
import { lruPer } from '#lib/lru.ts';
import { longestFrom } from './phrase-starts.ts';
import { stem, stemForeign } from './stem.ts';
import { normalise, type Token, wordsOf } from './text.ts';

type Named = {
  /** Its place among all companies. */
  company: number;
  /** Positions of its markets, its own first. */
  homes: readonly number[];
  distinctive: boolean;
};

/** The names of products in columns: for each name where its products end, and for each of these its company and whether the name is distinctive. */
export type KeptNames = {
  names: readonly string[];
  ends: Int32Array;
  companies: Int32Array;
  distinctive: Uint8Array;
  everyday: readonly string[];
};

export type ProductNames = {
  called(name: string): readonly Named[] | undefined;
  /** Names that can be meant by a mistyped word, by their first letter. */
  byStart(letter: string): readonly string[];
  /** How many words the longest name has that begins with a word, 1 where none does. */
  longestFrom(word: string): number;
  /** Words that stand for themselves where people and jobs are described. */
  everyday: ReadonlySet<string>;
};

/** A product a text names: how strongly each market is meant, and which tokens the name takes. */
export type Mention = {
  /** Its place among all companies. */
  company: number;
  homes: readonly { category: number; weight: number }[];
  strength: number;
  tokens: readonly number[];
};

const ALSO_WEIGHT = 0.5;
const SHORTEST_MISTYPED = 7;
/** "Notion for lawyers": in so short a text the first word with a capital may be a name as well. */
const SHORT_TEXT = 6;
/** A name without a comparison around it is as likely what people use today as what they want. */
export const IN_PASSING = 0.2;
/** Products that may share a first word ("QuickBooks …") and still be meant by it. */
const FAMILY = 4;
const CUES_BEFORE = new Set('like than replace replaces replacing vs versus unlike beyond beats clone cancel leave leaving quit'.split(' '));
const PAIRS_BEFORE = new Set([
  'alternative to',
  'instead of',
  'similar to',
  'switch from',
  'competitor to',
  'version of',
  'alternativa a',
  'anstatt von',
  'au lieu',
  'en vez',
  'parecido a',
  'similar a',
  'ahnlich wie',
  'alternative zu',
  'alternative a',
  'em vez',
]);
const CUES_AFTER = new Set('but for clone alternative meets style pero aber mais mas para fur pour'.split(' '));
const COMPARISONS = new Set(['wie', 'como', 'comme']);

const capitalised = (written: string) => /^\p{Lu}/u.test(written);

/** Words the catalogue writes in lower case where people and jobs are described: those are words, not names. */
function everydayWords(categories: readonly Category[]): Set<string> {
  const words = new Set<string>();
  for (const category of categories) {
    const elsewhere = Object.values(category.needs_by_language).flat();
    const told = [
      ...category.needs,
      ...elsewhere,
      ...category.use_cases,
      ...category.audience,
      ...category.features.map(({ description }) => description),
    ];
    for (const word of told.join(' ').split(/[^\p{L}\p{N}]+/u)) words.add(word);
  }
  return new Set(Array.from(words).flatMap((word) => (capitalised(word) ? [] : normalise(word))));
}

/** Every name of a product, with whether it can be taken for an everyday word. */
export function collectNames(categories: readonly Category[], lexicon: Lexicon): KeptNames {
  const everyday = everydayWords(categories);
  const isEveryday = (word: string) => isWord(word, everyday, lexicon);
  const names = new Map<string, { company: number; distinctive: boolean }[]>();
  const firstWords = new Map<string, number[]>();
  const add = (key: string, company: number, distinctive: boolean) => {
    const list = names.get(key) ?? [];
    if (list.some((named) => named.company === company)) return;
    names.set(key, [...list, { company, distinctive }]);
  };
  const isDistinctive = (words: readonly string[]) => words.join('').length >= 4 && words.some((word) => word.length >= 3 && !isEveryday(word));
  for (const [place, company] of categories.flatMap((category) => category.companies).entries()) {
    for (const former of (company.formerly ?? []).map(wordsOf)) {
      if (former.length > 0 && former.length <= 5 && isDistinctive(former)) add(former.join(' '), place, true);
    }
    const words = wordsOf(company.name);
    if (words.length === 0 || words.length > 5) continue;
    add(words.join(' '), place, isDistinctive(words));
    const [first = ''] = words;
    if (words.length > 1 && first.length >= 5 && !isEveryday(first)) firstWords.set(first, [...(firstWords.get(first) ?? []), place]);
    const [label = ''] = company.domain.split('.');
    if (label.length >= 6 && !isEveryday(label) && label === words.join('')) add(label, place, true);
  }
  for (const [word, companies] of firstWords) {
    if (companies.length <= FAMILY && !names.has(word)) for (const member of companies) add(word, member, true);
  }
  const lists = [...names.values()];
  return {
    names: [...names.keys()],
    ends: endsOf(lists.map(({ length }) => length)),
    companies: Int32Array.from(lists.flat(), ({ company }) => company),
    distinctive: Uint8Array.from(lists.flat(), ({ distinctive }) => Number(distinctive)),
    everyday: [...everyday],
  };
}

export function openNames({ names, ends, companies, distinctive, everyday }: KeptNames, shelf: Shelf): ProductNames {
  const rows = new Map(names.map((name, row) => [name, row]));
  const longestOf = longestFrom(rows);
  let likely: ReadonlyMap<string, readonly string[]> | undefined;
  return {
    called: (name) => {
      const row = rows.get(name);
      if (row === undefined) return undefined;
      const first = ends[row - 1] ?? 0;
      return Array.from(partAt(companies, ends, row), (company, at) => ({
        company,
        homes: shelf.servedBy(company),
        distinctive: distinctive[first + at] === 1,
      }));
    },
    byStart: (letter) => {
      likely ??= Map.groupBy(
        names.filter((name, row) => name.length >= SHORTEST_MISTYPED - 1 && distinctive[ends[row - 1] ?? 0] === 1),
        (name) => name.charAt(0),
      );
      return likely.get(letter) ?? [];
    },
    longestFrom: (word) => longestOf.get(word) ?? 1,
    everyday: new Set(everyday),
  };
}

const isWord = (word: string, everyday: ReadonlySet<string>, lexicon: Lexicon): boolean =>
  everyday.has(word) || lexicon.words.has(word) || lexicon.stems.has(stem(word)) || (lexicon.stopWords.get('en')?.has(word) ?? false);

function hasCue(tokens: readonly Token[], from: number, to: number): 'strong' | 'comparison' | undefined {
  const before = tokens[from - 1]?.word ?? '';
  const pair = `${tokens[from - 2]?.word ?? ''} ${before}`;
  const after = tokens[to]?.opensClause === false ? (tokens[to]?.word ?? '') : '';
  if (PAIRS_BEFORE.has(pair) || CUES_BEFORE.has(before)) return 'strong';
  if (CUES_AFTER.has(after)) return 'comparison';
  return COMPARISONS.has(before) ? 'comparison' : undefined;
}

/** Whether a word belongs to the other language that a text is written in ("avec" is then no product). */
function wordsOfLanguage(language: Language, { stopWords, translations }: Lexicon): (word: string) => boolean {
  if (language === 'en' || language === 'other') return () => false;
  const { entries } = translations[language];
  return (word) => stopWords.get(language)?.has(word) === true || entries.has(stemForeign(word, language));
}

const nearNames = lruPer<readonly Named[] | undefined>(2000);

/** A distinctive name of seven letters or more, one edit away from a word that nothing else knows. */
function mistyped(token: Token | undefined, products: ProductNames, lexicon: Lexicon): readonly Named[] | undefined {
  if (!token || token.word.length < SHORTEST_MISTYPED || isWord(token.word, products.everyday, lexicon)) return undefined;
  const { word } = token;
  return nearNames(products)(word, () => {
    const candidates = products.byStart(word.charAt(0));
    const [letters, lists] = [lettersOf(word), lettersIn(candidates)];
    const name = candidates.find((candidate, at) => mayBeWithin(1, letters, lists[at] ?? 0) && editDistance(word, candidate, 1) === 1);
    return name === undefined ? undefined : products.called(name);
  });
}

/** The words from one on as a name would have them: one, two and more of them, up to the longest name that begins so. */
function keysFrom(tokens: readonly Token[], at: number, { longestFrom: longestOf }: ProductNames): string[] {
  const keys: string[] = [];
  const longest = longestOf(tokens[at]?.word ?? '');
  for (const { word } of tokens.slice(at, at + longest)) keys.push(keys.length > 0 ? `${keys.at(-1)} ${word}` : word);
  return keys;
}

/** The products a text names, longest names first; everyday words count only when written and placed like a name. */
export function findMentions(tokens: readonly Token[], language: Language, products: ProductNames, lexicon: Lexicon): Mention[] {
  const isOwnWord = wordsOfLanguage(language, lexicon);
  const mentions: Mention[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at];
    const keys = keysFrom(tokens, at, products);
    for (let length = keys.length; length >= 1; length -= 1) {
      if (length === 1 && first && isOwnWord(first.word)) continue;
      // A word of another language is no mistyped name.
      const near = length === 1 && (language === 'en' || language === 'other') ? mistyped(first, products, lexicon) : undefined;
      const named = products.called(keys[length - 1] ?? '') ?? near;
      if (!named) continue;
      const part = tokens.slice(at, at + length);
      const cue = hasCue(tokens, at, at + length);
      const upper = part.every((token) => capitalised(token.written));
      const found = named.flatMap(({ company, homes, distinctive }): Mention[] => {
        const likely =
          distinctive ||
          (cue === 'strong' && (upper || tokens[at + length]?.word === 'but' || tokens[at + length]?.word === 'for')) ||
          (cue === 'comparison' && upper && (at > 0 ? !tokens[at]?.opensClause : tokens.length <= SHORT_TEXT));
        const strength = cue ? (distinctive ? 1 : 0.75) : IN_PASSING;
        return likely
          ? [
              {
                company,
                homes: homes.map((category, place) => ({ category, weight: place === 0 ? 1 : ALSO_WEIGHT })),
                strength: strength / Math.sqrt(named.length),
                tokens: part.map((_, offset) => at + offset),
              },
            ]
          : [];
      });
      if (found.length === 0) continue;
      mentions.push(...found);
      at += length - 1;
      break;
    }
  }
  return mentions;
}
