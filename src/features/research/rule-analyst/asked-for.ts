import { ASKED_FROM, termsOf, type CatalogueAnswer } from '#features/catalogue';
import { collapseSpaces } from '#lib/text.ts';

export type Asked = { label: string; featureId: string | null; /** The part of the idea that says so. */ quote: string };

const MOST_FEATURES = 8;
const MOST_CLAUSES = 4;
const LONGEST = 90;
const MOSTLY = 0.5;

/**
 * What an idea says it does: the features of its markets that it asks for, surest first, then clauses of what it wishes for
 * that none of them stands for, in its own words.
 * @param wishes sentences that say of themselves that they wish for something
 */
export function askedForOf(features: CatalogueAnswer['features'], wishes: readonly string[]): Asked[] {
  const wanted = features
    .filter(({ certainty }) => certainty >= ASKED_FROM)
    .toSorted((left, right) => right.certainty - left.certainty)
    .slice(0, MOST_FEATURES);
  const asked = wanted.map(({ feature, clause }): Asked => ({ label: feature.name, featureId: feature.id, quote: clause }));
  const isSpokenFor = (wish: string): boolean => wanted.some(({ clause }) => sayTheSame(clause, wish));
  const own = clausesOf(wishes)
    .filter((clause) => clause.length <= LONGEST && termsOf(clause).length >= 2 && !isSpokenFor(clause))
    .slice(0, MOST_CLAUSES)
    .map((clause): Asked => ({ label: clause, featureId: null, quote: clause }));
  return [...new Map([...asked, ...own].map((entry) => [entry.featureId ?? entry.label, entry])).values()];
}

/** Whether one of two parts of a text is in the other, with little beside it. */
function sayTheSame(left: string, right: string): boolean {
  const [short = '', long = ''] = [left, right].map((text) => text.toLowerCase()).sort((one, other) => one.length - other.length);
  return long.includes(short) && short.length >= MOSTLY * long.length;
}

const BREAKS = /\s*(?:[,;:](?!\d)|[–—()]|\.\s|\s(?:and|then|und|dann|y|luego|et|puis|e|depois|plus)\s)\s*/iu;
const LEADS =
  /^(?:(?:that|which|who|where|it|also|and|then|should|would|could|can|will|must|they|you|die|das|der|que|qui|um|zu|lets? (?:you|me|us|people|users)|helps? (?:you|me|us|people|users)|allows? (?:you|me|us|people|users) to)\s+)+/iu;
/** "A shared list that learns …" names the thing first and then what it does. */
const HEAD = /^(?:an?|one|the|some)\s(?:[\p{L}\d'-]+\s){1,6}?(?:that|which)\s(?!(?:i|we|you|they|he|she|it|the|our|my|people|users)\s)(?=\p{L}{2})/iu;
/** Who speaks of themselves tells what is so. */
const TOLD = /^(?:i|we|my|our|it's|there|he|she|for|because|maybe|if|ich|wir|mein\w*|yo|mi|je|nous|mon|ma|eu|meu|minha)(?!\p{L})/iu;

/** The parts of sentences that each say one thing; the first names the thing itself where it does nothing more. */
function clausesOf(sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence) => {
    const flat = collapseSpaces(sentence);
    const parts = flat
      .replace(HEAD, '')
      .split(BREAKS)
      .map((part) => part.replace(LEADS, '').replace(/[\s,.;:!?]+$/u, ''));
    const rest = parts[0] !== undefined && flat.startsWith(parts[0]) ? parts.slice(1) : parts;
    return rest.filter((part) => part.length > 3 && !TOLD.test(part));
  });
}
