import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stem, stemForeign } from './stem.ts';
import { normalise, wordsOf } from './text.ts';

export type ForeignLanguage = 'es' | 'de' | 'fr' | 'pt';
export type Language = 'en' | ForeignLanguage | 'other';
export const FOREIGN_LANGUAGES: readonly ForeignLanguage[] = ['es', 'de', 'fr', 'pt'];

/** English alternatives of a word, each of one or more words: as one text, since there are tens of thousands of them. */
type Alternatives = string;
const BETWEEN = '/';
type Translations = {
  /** Stem of a word, or stems of a phrase joined by a space. */
  entries: ReadonlyMap<string, Alternatives>;
  /** The exact word or words, which go before their stem where they mean less than it: "pays" is a country, "payer" is to pay. */
  exact: ReadonlyMap<string, Alternatives>;
};

export type Lexicon = {
  stopWords: ReadonlyMap<string, ReadonlySet<string>>;
  /** Stems of words that product talk is full of: they hardly tell one market from another. */
  weakStems: ReadonlySet<string>;
  /** Stems of everyday words that tell a little less than their rarity says. */
  softStems: ReadonlySet<string>;
  weakPhrases: readonly (readonly string[])[];
  synonyms: ReadonlyMap<string, ReadonlySet<string>>;
  /** Phrases of several stems, joined by a space, to the single stems of their group. */
  synonymPhrases: ReadonlyMap<string, readonly string[]>;
  translations: Readonly<Record<ForeignLanguage, Translations>>;
  /** English words known to be words, in or out of the catalogue. */
  words: ReadonlySet<string>;
  stems: ReadonlySet<string>;
};

const folder = join(import.meta.dirname, 'data/lexicon');

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}

/** The alternatives as lists of words. */
export const readAlternatives = (alternatives: Alternatives): string[][] => alternatives.split(BETWEEN).map((words) => words.split(' '));

function readTranslations(language: ForeignLanguage, stopWords: ReadonlySet<string>): Translations {
  const entries = new Map<string, Set<string>>();
  const written = new Map<string, { key: string; alternatives: string[] }>();
  for (const [native, english] of Object.entries(readJson(language) as Record<string, string>)) {
    const words = wordsOf(native);
    const content = words.filter((word) => !stopWords.has(word));
    // What is left of "al mismo tiempo" without its small words says something else.
    if (content.length === 1 && words.length > 1) continue;
    const stems = content.map((word) => stemForeign(word, language));
    const alternatives = english.split(BETWEEN).flatMap((words) => wordsOf(words).join(' ') || []);
    if (stems.length === 0 || alternatives.length === 0) continue;
    const key = stems.join(' ');
    written.set(content.join(' '), { key, alternatives });
    entries.set(key, new Set([...(entries.get(key) ?? []), ...alternatives]));
  }
  const differs = [...written].filter(([, { key, alternatives }]) => entries.get(key)?.size !== alternatives.length);
  return {
    entries: new Map([...entries].map(([key, alternatives]) => [key, [...alternatives].join(BETWEEN)])),
    exact: new Map(differs.map(([words, { alternatives }]) => [words, alternatives.join(BETWEEN)])),
  };
}

function readSynonyms(groups: readonly (readonly string[])[]): Pick<Lexicon, 'synonyms' | 'synonymPhrases'> {
  const synonyms = new Map<string, Set<string>>();
  const synonymPhrases = new Map<string, string[]>();
  for (const group of groups) {
    const members = group.map((entry) => wordsOf(entry).map(stem));
    const singles = members.flatMap((stems) => (stems.length === 1 ? stems : []));
    for (const stems of members) {
      const key = stems.join(' ');
      if (stems.length > 1) {
        synonymPhrases.set(key, [...(synonymPhrases.get(key) ?? []), ...singles]);
        continue;
      }
      const others = synonyms.get(key) ?? new Set<string>();
      for (const other of singles) if (other !== key) others.add(other);
      synonyms.set(key, others);
    }
  }
  return { synonyms, synonymPhrases };
}

/** Stop words, synonyms, translations and known words, from the files. */
export function readLexicon(): Lexicon {
  const lists = readJson('stop-words') as Record<string, readonly string[]>;
  const stopWords = new Map(
    Object.entries(lists)
      .filter(([name]) => !/^(?:weak|soft)/.test(name))
      .map(([name, list]) => [name, new Set(list.map(normalise))] as const),
  );
  const groups = readJson('synonyms') as readonly (readonly string[])[];
  const none: ReadonlySet<string> = new Set();
  const translations = {
    es: readTranslations('es', stopWords.get('es') ?? none),
    de: readTranslations('de', stopWords.get('de') ?? none),
    fr: readTranslations('fr', stopWords.get('fr') ?? none),
    pt: readTranslations('pt', stopWords.get('pt') ?? none),
  };
  const words = new Set((readJson('words') as readonly string[]).flatMap((line) => line.split(' ')));
  for (const word of groups.flat().flatMap(wordsOf)) words.add(word);
  for (const language of FOREIGN_LANGUAGES) {
    for (const alternatives of translations[language].entries.values()) for (const word of readAlternatives(alternatives).flat()) words.add(word);
  }
  const weak = lists['weak'] ?? [];
  const soft = lists['soft'] ?? [];
  for (const word of [...weak, ...soft]) words.add(word);
  return {
    stopWords,
    weakStems: new Set(weak.map(stem)),
    softStems: new Set(soft.map(stem)),
    weakPhrases: (lists['weak_phrases'] ?? []).map((phrase) => wordsOf(phrase).map(stem)),
    ...readSynonyms(groups),
    translations,
    words,
    stems: new Set([...words].map(stem)),
  };
}
