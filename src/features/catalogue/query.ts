import { type CatalogueIndex, isWeak, shareOf } from './catalogue-index.ts';
import { longestFrom } from './phrase-starts.ts';
import { readAlternatives, type ForeignLanguage, type Language, type Lexicon } from './lexicon.ts';
import { compoundParts } from './compounds.ts';
import { correctForeign, correctSpelling } from './spelling.ts';
import { stem, stemForeign } from './stem.ts';
import { tokenize, type Token } from './text.ts';

const NONE: ReadonlySet<number> = new Set();

/** One thing a text speaks of, with the catalogue terms that may stand for it. */
export type QueryTerm = {
  word: string;
  /** English stems, the likeliest first; the word's own stem when it has no English. */
  stems: readonly string[];
  alternatives: readonly { term: number; weight: number }[];
  /** 1 for a content word, less for a weak or a corrected one. */
  strength: number;
  /** How much the term tells: its rarity in the catalogue; that of a rare word when unknown. */
  mass: number;
  /** A word of the catalogue or of a known language; false for what may be noise. */
  real: boolean;
  /** Product talk or a number, nothing that tells a market. */
  weak: boolean;
  corrected: boolean;
};

export type Query = { language: Language; tokens: readonly Token[]; terms: readonly QueryTerm[] };

/** What a text speaks of, as English stems in its order: of each thing the likeliest. */
export const leadingStems = ({ terms }: Query): string[] => terms.flatMap(({ stems }) => stems.slice(0, 1));

/** What a synonym counts beside the word itself. */
export const SYNONYM = 0.34;
const TRANSLATED = 1;
const CORRECTED = 0.8;
/** The dictionaries hold a part of each language: a word they lack tells little about what is known. */
const UNREAD = 0.4;
/** A text of more unknown words than this is not mistyped; dictionaries of other languages hold fewer of their words. */
const MOST_CORRECTIONS = 40;
const MOST_FOREIGN_CORRECTIONS = 150;

type Draft = { word: string; choices: Map<string, number>; strength: number; real: boolean; corrected: boolean };

function withSynonyms(choices: Map<string, number>, lexicon: Lexicon): Map<string, number> {
  const all = new Map(choices);
  for (const [base, weight] of choices) {
    for (const synonym of lexicon.synonyms.get(base) ?? []) {
      all.set(synonym, Math.max(all.get(synonym) ?? 0, weight * SYNONYM));
    }
  }
  return all;
}

function finish(draft: Draft, index: CatalogueIndex, lexicon: Lexicon): QueryTerm {
  const own = [...draft.choices].sort((left, right) => right[1] - left[1]);
  const alternatives: { term: number; weight: number }[] = [];
  let known = 0;
  let near = 0;
  for (const [text, weight] of withSynonyms(draft.choices, lexicon)) {
    const term = index.vocabulary.get(text);
    if (term === undefined) continue;
    alternatives.push({ term, weight });
    const rarity = index.rarity[term] ?? 0;
    if (draft.choices.has(text)) known = Math.max(known, rarity * Math.min(1, weight / TRANSLATED));
    else near = Math.max(near, rarity);
  }
  const unknown = Math.log(1 + index.size / 1.5);
  const english = own.map(([text]) => text).filter((text) => !text.includes(':'));
  const share = english.length > 0 ? Math.max(...english.map((text) => shareOf(text, lexicon))) : 1;
  return {
    word: draft.word,
    stems: english.length > 0 ? english : own.map(([text]) => text.slice(text.indexOf(':') + 1)),
    alternatives,
    strength: draft.strength * share,
    mass: known || near || unknown,
    real: draft.real || alternatives.length > 0,
    weak: english.length > 0 && english.every((text) => isWeak(text, lexicon)),
    corrected: draft.corrected,
  };
}

function englishDraft(word: string, index: CatalogueIndex, lexicon: Lexicon, correct: boolean): Draft {
  const base = stem(word);
  const written = index.words.has(word) || lexicon.words.has(word);
  const real = written || index.vocabulary.has(base) || lexicon.stems.has(base);
  const corrected = written || !correct ? undefined : correctSpelling(word, index);
  if (real) {
    // A form never seen of a known stem may still be a mistyped word ("busness" is no bus).
    const doubted = corrected?.distance === 1 && word.length >= 7 && stem(corrected.word) !== base && (index.words.get(corrected.word) ?? 0) >= 3;
    const choices = doubted
      ? new Map([
          [base, 0.6],
          [stem(corrected.word), CORRECTED],
        ])
      : new Map([[base, 1]]);
    return { word, choices, strength: 1, real, corrected: doubted };
  }
  return corrected === undefined
    ? { word, choices: new Map([[base, 1]]), strength: 1, real: false, corrected: false }
    : {
        word,
        choices: new Map([[stem(corrected.word), CORRECTED]]),
        strength: corrected.distance > 1 ? 0.6 : 0.9,
        real: true,
        corrected: true,
      };
}

function phraseDrafts(words: readonly string[], lexicon: Lexicon): Draft[] {
  const stems = words.map(stem);
  const drafts: Draft[] = [];
  const longest = longestFrom(lexicon.synonymPhrases);
  for (let at = 0; at < stems.length; at += 1) {
    if (!longest.has(stems[at] ?? '')) continue;
    for (const length of [2, 3]) {
      const singles = lexicon.synonymPhrases.get(stems.slice(at, at + length).join(' '));
      if (!singles || singles.length === 0 || at + length > stems.length) continue;
      const choices = new Map(singles.map((single) => [single, TRANSLATED] as const));
      drafts.push({
        word: words.slice(at, at + length).join(' '),
        choices,
        strength: 0.7,
        real: true,
        corrected: false,
      });
    }
  }
  return drafts;
}

const weakPhrases = new WeakMap<Lexicon, ReadonlyMap<string | undefined, readonly (readonly string[])[]>>();

/** The weak phrases by their first stem. */
function weakPhrasesOf(lexicon: Lexicon) {
  const known = weakPhrases.get(lexicon) ?? Map.groupBy(lexicon.weakPhrases, ([start]) => start);
  weakPhrases.set(lexicon, known);
  return known;
}

function withoutWeakPhrases(words: readonly string[], lexicon: Lexicon): string[] {
  const stems = words.map(stem);
  const dropped = new Set<number>();
  const byStart = weakPhrasesOf(lexicon);
  for (const [at, start] of stems.entries()) {
    for (const phrase of byStart.get(start) ?? []) {
      if (phrase.every((part, offset) => stems[at + offset] === part)) phrase.forEach((_, offset) => dropped.add(at + offset));
    }
  }
  return words.filter((_, at) => !dropped.has(at));
}

function englishDrafts(words: readonly string[], index: CatalogueIndex, lexicon: Lexicon): Draft[] {
  const stopWords = lexicon.stopWords.get('en');
  const kept = withoutWeakPhrases(words, lexicon);
  const content = kept.filter((word) => !stopWords?.has(word) && (word.length > 1 || /\d/.test(word)));
  const known = new Map<string, Draft>();
  let unknown = 0;
  const drafts = content.map((word) => {
    const draft = known.get(word) ?? englishDraft(word, index, lexicon, unknown < MOST_CORRECTIONS);
    known.set(word, draft);
    if (!draft.real || draft.corrected) unknown += 1;
    return draft;
  });
  return [...drafts, ...phraseDrafts(kept, lexicon)];
}

function translatedDrafts(word: string, key: string, native: string, language: ForeignLanguage, lexicon: Lexicon): Draft[] {
  const { entries, exact } = lexicon.translations[language];
  const meant = exact.get(word) ?? entries.get(key);
  const alternatives = meant === undefined ? [] : readAlternatives(meant);
  const only = alternatives.length === 1 ? alternatives[0] : undefined;
  const draft = (choices: Map<string, number>, strength: number): Draft => ({
    word,
    choices,
    strength,
    real: true,
    corrected: false,
  });
  if (only && only.length > 1) {
    return only.map((part, at) =>
      draft(
        new Map(
          at === 0
            ? [
                [native, 1],
                [stem(part), TRANSLATED],
              ]
            : [[stem(part), TRANSLATED]],
        ),
        0.8,
      ),
    );
  }
  const choices = new Map([[native, 1]]);
  for (const words of alternatives) {
    for (const part of words) {
      const base = stem(part);
      choices.set(base, Math.max(choices.get(base) ?? 0, words.length === 1 ? TRANSLATED : 0.5));
    }
  }
  return [draft(choices, 1)];
}

function foreignWordDrafts(word: string, language: ForeignLanguage, index: CatalogueIndex, lexicon: Lexicon, correct: boolean): Draft[] {
  const { entries } = lexicon.translations[language];
  const base = stemForeign(word, language);
  const native = `${language}:${base}`;
  if (entries.has(base)) return translatedDrafts(word, base, native, language, lexicon);
  const simplified = word.replaceAll('ae', 'a').replaceAll('oe', 'o').replaceAll('ue', 'u');
  if (language === 'de' && simplified !== word) {
    const key = stemForeign(simplified, language);
    if (entries.has(key)) return translatedDrafts(word, key, `${language}:${key}`, language, lexicon);
  }
  const parts = language === 'de' ? compoundParts(word, lexicon) : undefined;
  if (parts) {
    return parts.flatMap((part, at) => {
      const key = stemForeign(part, language);
      return translatedDrafts(part, key, at === 0 ? native : `${language}:${key}`, language, lexicon);
    });
  }
  const english = stem(word);
  const inEnglish = index.vocabulary.has(english) || lexicon.words.has(word);
  const choices = new Map([[native, 1]]);
  if (inEnglish) choices.set(english, TRANSLATED);
  const real = inEnglish || index.vocabulary.has(native);
  const corrected = real || !correct ? undefined : correctForeign(base, language, lexicon);
  if (corrected) return translatedDrafts(word, corrected, `${language}:${corrected}`, language, lexicon);
  return [{ word, choices, strength: real ? 1 : UNREAD, real, corrected: false }];
}

function foreignDrafts(words: readonly string[], language: ForeignLanguage, index: CatalogueIndex, lexicon: Lexicon): Draft[] {
  const stopWords = lexicon.stopWords.get(language);
  const content = withoutWeakPhrases(words, lexicon).filter((word) => !stopWords?.has(word) && (word.length > 1 || /\d/.test(word)));
  const stems = content.map((word) => stemForeign(word, language));
  const { entries } = lexicon.translations[language];
  const longest = longestFrom(entries);
  const drafts: Draft[] = [];
  const known = new Map<string, Draft[]>();
  let unknown = 0;
  for (let at = 0; at < content.length;) {
    let length = Math.min(longest.get(stems[at] ?? '') ?? 1, content.length - at);
    while (length > 1 && !entries.has(stems.slice(at, at + length).join(' '))) length -= 1;
    const word = content.slice(at, at + length).join(' ');
    if (length > 1) {
      const key = stems.slice(at, at + length).join(' ');
      drafts.push(...translatedDrafts(word, key, `${language}:${stems[at] ?? ''}`, language, lexicon));
    } else {
      const read = known.get(word) ?? foreignWordDrafts(word, language, index, lexicon, unknown < MOST_FOREIGN_CORRECTIONS);
      known.set(word, read);
      if (read.some(({ real }) => !real)) unknown += 1;
      drafts.push(...read);
    }
    at += length;
  }
  return drafts;
}

function distinct(terms: readonly QueryTerm[]): QueryTerm[] {
  const seen = new Set<string>();
  return terms.filter((term) => {
    const key = term.stems[0] ?? term.word;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Reads a text of a language as query terms; `skip` holds positions of tokens that are product names. */
export function readQuery(
  text: string,
  index: CatalogueIndex,
  lexicon: Lexicon,
  { language, skip = NONE }: { language: Language; skip?: ReadonlySet<number> },
): Query {
  const tokens = tokenize(text);
  const words = tokens.filter((_, at) => !skip.has(at)).map((token) => token.word);
  const drafts = language === 'en' || language === 'other' ? englishDrafts(words, index, lexicon) : foreignDrafts(words, language, index, lexicon);
  // A word that stands there again has the same draft.
  return { language, tokens, terms: distinct([...new Set(drafts)].map((draft) => finish(draft, index, lexicon))) };
}
