import { marketTerms, NEAR_FROM, termsOf } from '#features/catalogue';
import { listOf, shorten } from '#lib/text.ts';
import type { Analysis, Finding, Interpretation } from '../analyst.ts';
import type { Competitor, MarketFeature } from '../schema.ts';
import { namesOf } from '../scoring.ts';
import { inline } from './clean-text.ts';
import { headOfPhrase } from './introductions.ts';
import { deedOf, featureNames, ofOthers, type Deed } from './phrasing.ts';
import { isPlace, isPlural, pluralOf } from './somebody.ts';

/** A market as the sentences of a report need it: who, what, and what the idea asks for. */
export type Landscape = {
  about: Interpretation;
  findings: readonly Finding[];
  rivals: readonly Competitor[];
  incumbents: readonly Competitor[];
  emerging: readonly Competitor[];
  features: readonly MarketFeature[];
  /** Asked for and known in the market. */
  asked: readonly MarketFeature[];
  /** Asked for and known of nobody. */
  own: readonly MarketFeature[];
  /** Asked for in words that no known feature stands for: nothing is recorded of them either way. */
  unrecorded: readonly string[];
  /** Ids of features that the idea's words touch, whether or not it can be said to ask for them. */
  touched: ReadonlySet<string>;
  market: string;
  /** `12 known rivals`. */
  total: string;
  /** Whom the idea is for, as it can stand inside a sentence. */
  whom: string;
};

export function landscapeOf(about: Interpretation, analysis: Analysis, findings: readonly Finding[]): Landscape {
  const rivals = byCoverage([...analysis.incumbents, ...analysis.emerging]);
  const asked = analysis.features.filter((feature) => feature.asked_for);
  return {
    about,
    findings,
    rivals,
    incumbents: analysis.incumbents,
    emerging: analysis.emerging,
    features: analysis.features,
    asked: asked.filter((feature) => feature.held_by.length > 0),
    own: asked.filter((feature) => feature.held_by.length === 0),
    unrecorded: unrecordedOf(about, asked),
    touched: new Set(nearIn(findings)),
    market: about.categoryIds.length > 0 ? `the ${inline(about.category)} market` : 'a market outside the catalogue',
    total: `${rivals.length} known ${rivals.length === 1 ? 'rival' : 'rivals'}`,
    whom: whomOf(about, analysis.audience),
  };
}

/** Nearest to the idea first; among equals the more prominent one, which stands first in the analysis. */
const byCoverage = (rivals: readonly Competitor[]): Competitor[] => [...rivals].sort((left, right) => right.overlap - left.overlap);

function whomOf(about: Interpretation, audience: readonly string[]): string {
  const named = inline(shorten(about.targetUser, 70), about.language).replace(/…$/, '');
  if (about.language !== 'en' && about.clarity.user >= 0.5) return `people like “${named}”`;
  if (about.clarity.user >= 0.9) return asMany(ofOthers(headOf(named)));
  if (about.clarity.user >= 0.5) return othersLike(bareOf(ofOthers(named)));
  const [first] = audience;
  return first ? inline(first) : 'the people it is meant for';
}

/** "couples who always buy milk twice" are couples; "people who …" stay whole. */
function headOf(named: string): string {
  const [head = named] = named.split(/\s+(?:who|that|which|whose)\s+/i);
  return /^(?:people|anyone|someone|those|folks|everyone|users)$/i.test(head) ? named : head;
}

/** "Two-person law firm" are people at one, "family" are families; who is named as many stays as it is. */
function asMany(named: string): string {
  const head = headOfPhrase(named);
  const last = head.split(' ').at(-1) ?? '';
  if (/^(?:people|any|every|some|those|users|folks|all|my|\d)/i.test(named) || isPlural(last)) return named;
  return isPlace(last) || /^their\s/i.test(named) ? othersLike(bareOf(named)) : named.replace(head, head.replace(/\S+$/, pluralOf));
}

/** Without the article that makes one of many. */
const bareOf = (named: string): string => named.replace(/^an?\s/i, '');

/** The writer's own kind: "freelance translator" are freelance translators, "40-seat bistro" people at one. */
function othersLike(named: string): string {
  if (/^their\s/i.test(named)) return `people with ${named.replace(/^their\s/i, /s$/i.test(named) ? '' : 'a ')}`;
  const head = headOfPhrase(named);
  const rest = named.slice(head.length);
  if (isPlural(head.split(' ').at(-1) ?? '')) return named;
  if (/(?:er|or|ist|ian|eur|(?<!m)ent|eer|student|coach|nurse|chef|accountant)$/i.test(head)) return `${pluralOf(head)}${rest}`;
  return `people ${/\b(?:team|crew|department|group)$/i.test(head) ? 'in' : 'at'} ${pluralOf(head)}${rest}`;
}

/** Features with at least one telling word of their own in a text. */
function touchedBy(text: string, categoryIds: readonly string[]): string[] {
  const terms = new Set(termsOf(text));
  const markets = categoryIds.flatMap((id) => marketTerms(id) ?? []);
  return markets.flatMap(({ features, core }) =>
    features.filter(({ units }) => units.flat().some((term) => terms.has(term) && !core.has(term))).map(({ feature }) => feature.id),
  );
}

const nearIn = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ facts }) => (facts?.kind === 'feature' && facts.certainty >= NEAR_FROM ? [facts.featureId] : []));

function unrecordedOf(about: Interpretation, asked: readonly MarketFeature[]): string[] {
  const own = new Set(asked.filter((feature) => feature.held_by.length === 0).map((feature) => feature.name.toLowerCase()));
  return about.askedFor
    .filter(({ label, featureId }) => featureId === null && !own.has(label.toLowerCase()) && touchedBy(label, about.categoryIds).length === 0)
    .map(({ label }) => label.replace(/…$/, ''));
}

/** `ten couples`, or `ten people like these (…)` where the words for them are no plain plural. */
export function several(amount: string, { whom }: Landscape): string {
  const words = whom.split(' ');
  const isPlural =
    words.length <= 8 && words.some((word) => /[^s']s$|^(?:people|children|men|women|parents|kids|staff)$/i.test(word)) && !/[“(]/.test(whom);
  return isPlural ? `${amount} ${whom}` : `${amount} ${whom.startsWith('people ') ? whom : `people like these (${whom})`}`;
}

/** The nearest rivals by name, two at most: what somebody would hold the idea against. */
export const nearestNames = ({ rivals }: Pick<Landscape, 'rivals'>, last = 'and'): string =>
  listOf(
    rivals.slice(0, 2).map(({ name }) => name),
    last,
  );

export const quoted = (name: string): string => `“${name.replaceAll(/[“”"]/g, '')}”`;

/** `real-time sharing, expiry dates and 2 more`. */
export const featureList = (features: readonly { name: string }[], shown = 3): string => namesOf(featureNames(features), shown);

/** A clause of the idea as its sentences need it. */
export const deedIn = ({ about }: Landscape, clause: string): Deed => deedOf(clause, about.language);

/** `has` or `have`, `is` or `are`, by how many there are. */
export const verb = (things: readonly unknown[], one: string, many: string): string => (things.length === 1 ? one : many);

export const holdersOf = ({ rivals }: Landscape, feature: MarketFeature): Competitor[] =>
  rivals.filter((rival) => feature.held_by.includes(rival.id));
export const othersOf = ({ rivals }: Landscape, feature: MarketFeature): Competitor[] =>
  rivals.filter((rival) => !feature.held_by.includes(rival.id));

/** Evidence of several things at once, each id once. */
export const cite = (...of: readonly (readonly { evidence_ids: string[] }[])[]): string[] =>
  [...new Set(of.flatMap((things) => things.flatMap((thing) => thing.evidence_ids.slice(0, 1))))].slice(0, 14);
