import { categoriesSaying } from './catalogue-index.ts';
import { type Compiled, openCompiled } from './compiled.ts';
import { detectLanguage } from './language.ts';
import { findMentions, IN_PASSING, type Mention } from './product-names.ts';
import { leadingStems, type Query, readQuery } from './query.ts';
import { tokenize } from './text.ts';
import { readable } from '#lib/readable.ts';
import { lruPer } from '#lib/lru.ts';

export type Reading = { query: Query; mentions: readonly Mention[] };

/** The stages of one research read the same few texts again and again. */
const readings = lruPer<Reading>(20);

/** What a text speaks of, and the products it names; of a long text what `readable` leaves. */
export function readText(text: string, compiled: Compiled): Reading {
  const cut = readable(text);
  return readings(compiled.index)(cut, () => readCut(cut, compiled));
}

function readCut(cut: string, { index, lexicon, products }: Compiled): Reading {
  const language = detectLanguage(cut);
  const mentions = findMentions(tokenize(cut), language, products, lexicon);
  // A name in passing may be a word after all: "living willow".
  const skip = new Set(mentions.flatMap(({ strength, tokens }) => (strength > IN_PASSING ? tokens : [])));
  return { query: readQuery(cut, index, lexicon, { language, skip }), mentions };
}

/** The telling words of a text as English stems, in order, without stop words and product names. */
export function significantTerms(text: string): string[] {
  return leadingStems(readText(text, openCompiled()).query);
}

/** In how many markets a stem stands. */
export function marketsSaying(term: string): number {
  const { index } = openCompiled();
  const id = index.vocabulary.get(term);
  return id === undefined ? 0 : categoriesSaying(index, id);
}
