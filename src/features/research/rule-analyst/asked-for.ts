import { ASKED_FROM, marketTerms, termsOf, type CatalogueAnswer } from '#features/catalogue';
import { collapseSpaces, shorten } from '#lib/text.ts';
import { inline } from './clean-text.ts';
import { capabilitiesIn } from './capabilities.ts';

export type Asked = { label: string; featureId: string | null; /** The part of the idea that says so. */ quote: string };

const MOST_FEATURES = 8;
const MOST_CLAUSES = 5;
const LABEL = 90;
const MOSTLY = 0.5;

/** What an idea says it does: the features of its markets that it asks for, surest first, then clauses that none of them stands for. */
export function askedForOf(features: CatalogueAnswer['features'], solution: string, problem: string, language: string): Asked[] {
  const wanted = features
    .filter(({ certainty }) => certainty >= ASKED_FROM)
    .toSorted((left, right) => right.certainty - left.certainty)
    .slice(0, MOST_FEATURES);
  const asked = wanted.map(({ feature, clause }): Asked => ({ label: feature.name, featureId: feature.id, quote: clause }));
  const wishes = joinedShort(clausesOf([solution]), language === 'en' ? ' and ' : ', ').filter(
    (clause) => termsOf(clause).length >= 2 && !/^(?:i|we|my|our|it's|there|they|he|she|for|because|maybe)\b/i.test(clause),
  );
  const isSpokenFor = (wish: string): boolean => wanted.some(({ clause }) => sayTheSame(clause, wish));
  const free = wishes.filter((wish) => !isSpokenFor(wish) && !problem.includes(wish));
  const labels = free.slice(0, MOST_CLAUSES).map((wish): Asked => ({ label: shorten(inline(wish, language), LABEL), featureId: null, quote: wish }));
  return [...new Map([...asked, ...labels].map((entry) => [entry.featureId ?? entry.label, entry])).values()];
}

/** Whether one of two parts of a text is in the other, with little beside it. */
function sayTheSame(left: string, right: string): boolean {
  const [short = '', long = ''] = [left, right].map((text) => text.toLowerCase()).sort((one, other) => one.length - other.length);
  return long.includes(short) && short.length >= MOSTLY * long.length;
}

/** Clauses of a single telling word say one thing together with what follows: "photograph them, get them typed and translated". */
function joinedShort(clauses: readonly string[], link: string): string[] {
  const joined: string[] = [];
  for (const clause of clauses) {
    const last = joined.at(-1);
    if (last !== undefined && (termsOf(last).length < 2 || termsOf(clause).length < 2)) joined[joined.length - 1] = `${last}${link}${clause}`;
    else joined.push(clause);
  }
  return joined;
}

const BREAKS = /\s*(?:[,;:](?!\d)|[–—()]|\.\s|\s(?:and|then|und|dann|y|luego|et|puis|e|depois|plus|as well as|but also)\s)\s*/iu;
const LEADS =
  /^(?:(?:i|we)(?:'d| would)(?: like| love)?(?: to)?|(?:i|we) (?:want|need)(?: to)?|let me|let us|that|which(?! of)|who|where|it|to|also|and|then|should|would|could|can|will|must|they|you|we|i|the app|the tool|automatically|die|das|der|que|qui|um|zu|lets? (?:you|me|us|people|users)|helps? (?:you|me|us|people|users)|allows? (?:you|me|us|people|users) to)\s+/iu;

/** "A shared list that learns …" names the thing first and then what it does. */
const HEAD = /^(?:an?|one|the|some)\s(?:[\p{L}\d'-]+\s){1,6}?(?:that|which)\s(?!(?:i|we|you|they|he|she|it|the|our|my|people|users)\s)(?=\p{L}{2})/iu;

/** The parts of sentences that each say one thing. */
export function clausesOf(sentences: readonly string[]): string[] {
  return sentences
    .flatMap((sentence) => collapseSpaces(sentence).replace(HEAD, '').split(BREAKS))
    .map((clause) => {
      let bare = collapseSpaces(clause);
      for (let round = 0; round < 3; round += 1) bare = bare.replace(LEADS, '');
      return bare.replace(/[\s,.;:!?]+$/u, '');
    })
    .filter((clause) => clause.length > 3);
}

/** Whether a clause brings a capability into its markets that nothing in their description speaks of. */
export function isDistinctive(label: string, categoryIds: readonly string[]): boolean {
  const markets = categoryIds.flatMap((id) => marketTerms(id) ?? []);
  if (termsOf(label).length < 2 || markets.length === 0) return false;
  return capabilitiesIn(label).some(({ stems }) => markets.every(({ bag }) => ![...stems].some((term) => bag.has(term))));
}
