import { knowledgeBase, type Topic } from './knowledge-base.ts';
import { plainStems, readStems } from './stems.ts';

export type TopicMatch = { topic: Topic; score: number };

/** What is known of a feature in words: its name counts in full, the rest supports it. */
export type FeatureWords = { name: string; description?: string; terms?: readonly string[] };

const MOST_TOPICS = 3;
/** Below this nothing is known that says how to build a feature. */
const KNOWN = 1;
/** A further topic has to come this near to the best. */
const NEAR = 0.55;
const SUPPORT = 0.3;
const QUALIFIER = 0.8;
const MOST_PHRASES = 3;
/** Words too common in feature names to tell anything alone. */
const SOFT = new Set('app online own automat built custom multipl many user share new smart simpl quick digital mobil data ai'.split(' '));

type Phrase = { topic: Topic; terms: readonly string[]; weight: number };

/** Topics that a feature comes down to, best first; empty when the library knows none. */
export function matchTopics(feature: FeatureWords): TopicMatch[] {
  const named = nameWeights(feature.name);
  const told = new Set([feature.description ?? '', ...(feature.terms ?? [])].flatMap(plainStems));
  const hits = new Map<Topic, { scores: number[]; words: Set<string> }>();
  for (const { topic, terms, weight } of phrases()) {
    if (!terms.every((term) => named.has(term) || told.has(term))) continue;
    // What the name says counts in full, what only the description says is a hint.
    const share = terms.reduce((sum, term) => sum + (named.get(term) ?? SUPPORT), 0) / terms.length;
    const hit = hits.get(topic) ?? { scores: [], words: new Set() };
    hit.scores.push(weight * share);
    for (const term of terms) if (named.has(term)) hit.words.add(term);
    hits.set(topic, hit);
  }
  const ranked = [...hits]
    .map(([topic, { scores, words }]) => ({ topic, score: bestOf(scores), words }))
    .filter(({ score }) => score >= KNOWN)
    .sort((left, right) => right.score - left.score || left.topic.id.localeCompare(right.topic.id));
  return withNewWords(ranked).map(({ topic, score }) => ({ topic, score }));
}

/** The best, and those near to it that explain a word of the name which no better one explains. */
function withNewWords<T extends TopicMatch & { words: ReadonlySet<string> }>(ranked: readonly T[]): T[] {
  const explained = new Set<string>();
  const chosen: T[] = [];
  for (const match of ranked) {
    const isNew = [...match.words].some((word) => !explained.has(word));
    if (chosen.length > 0 && (!isNew || match.score < (chosen[0]?.score ?? 0) * NEAR)) continue;
    chosen.push(match);
    for (const word of match.words) explained.add(word);
    if (chosen.length === MOST_TOPICS) break;
  }
  return chosen;
}

/** Stems of a name; what stands behind a preposition ("deposits at booking") only qualifies what stands before it. */
function nameWeights(name: string): Map<string, number> {
  const [head = '', ...tail] = name.split(/\s+(?:at|of|for|in|on|by|from|to|per|before|after|during|with|without|that|which|when)\s+/i);
  const weights = new Map<string, number>();
  for (const stem of readStems(name)) weights.set(stem, 1);
  const heads = new Set(plainStems(head));
  for (const stem of tail.flatMap(plainStems)) if (!heads.has(stem)) weights.set(stem, QUALIFIER);
  return weights;
}

/** The strongest phrase counts in full, the next ones less and less. */
const bestOf = (scores: readonly number[]): number =>
  [...scores]
    .sort((left, right) => right - left)
    .slice(0, MOST_PHRASES)
    .reduce((sum, score, place) => sum + score / 2 ** place, 0);

let read: readonly Phrase[] | undefined;

/** Every phrase of the library with how much it tells: more words tell more, words of many topics less. */
function phrases(): readonly Phrase[] {
  if (read) return read;
  const topics = [...knowledgeBase().values()];
  const all = topics.flatMap((topic) => topic.terms.map((text) => ({ topic, terms: plainStems(text) }))).filter(({ terms }) => terms.length > 0);
  // A word that is a topic's own term stays telling although longer phrases of others use it too.
  const among = (chosen: readonly Omit<Phrase, 'weight'>[]) => {
    const spread = new Map<string, Set<string>>();
    for (const { topic, terms } of chosen) for (const term of terms) spread.set(term, (spread.get(term) ?? new Set()).add(topic.id));
    return (term: string): number => (SOFT.has(term) ? 0.4 : 1) / Math.sqrt(spread.get(term)?.size ?? 1);
  };
  const anywhere = among(all);
  const alone = among(all.filter(({ terms }) => terms.length === 1));
  read = all.map(({ topic, terms }) => ({ topic, terms, weight: weightOf(terms, terms.length === 1 ? alone : anywhere) }));
  return read;
}

/** One telling word weighs 1.5; each further word adds at least one. */
function weightOf(terms: readonly string[], rarity: (term: string) => number): number {
  const sum = terms.reduce((total, term) => total + rarity(term), 0);
  return terms.length === 1 ? 1.5 * sum : terms.length + sum / 2;
}
