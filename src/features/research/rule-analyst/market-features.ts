import { marketTerms, rarityOf, stemsOf, termsOf } from '#features/catalogue';
import { slugify } from '#lib/text.ts';
import type { Finding, Interpretation } from '../analyst.ts';
import type { Competitor, MarketFeature } from '../schema.ts';
import { capital } from './clean-text.ts';

const CITED = 8;
const TABLE_STAKES = 0.6;
const COMMON = 0.3;
/** Share of what a wish says, each word by how rare it is, from which a firm's own description says the same. */
const SAYS_SAME = 0.6;

/** Features whose names are the same words in two markets are one: their ids, each with the id that stands for it. */
export function sameFeatures(findings: readonly Finding[]): Map<string, string> {
  const first = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const { facts } of findings) {
    if (facts?.kind !== 'feature') continue;
    const name = stemsOf(facts.name).join(' ');
    ids.set(facts.featureId, first.get(name) ?? facts.featureId);
    if (!first.has(name)) first.set(name, facts.featureId);
  }
  return ids;
}

/** Every feature of the markets found and everything else that is asked for, each with the rivals that are recorded with it. */
export function marketFeatures(
  about: Interpretation,
  rivals: readonly Competitor[],
  findings: readonly Finding[],
  names: ReadonlyMap<string, string> = sameFeatures(findings),
): MarketFeature[] {
  const asked = new Set(about.askedFor.flatMap(({ featureId }) => (featureId ? (names.get(featureId) ?? featureId) : [])));
  const described = describedBy(rivals, about.categoryIds);
  const known = new Map<string, MarketFeature>();
  for (const { id, facts } of findings) {
    if (facts?.kind !== 'feature') continue;
    const featureId = names.get(facts.featureId) ?? facts.featureId;
    const earlier = known.get(featureId);
    if (earlier) {
      earlier.evidence_ids = [...new Set([id, ...earlier.evidence_ids])];
      continue;
    }
    const isAsked = asked.has(featureId);
    const wishes = about.askedFor.flatMap((wish) => (wish.featureId === facts.featureId ? [wish.quote ?? wish.label] : []));
    const says = isAsked ? described.some([...phrasesOf(facts.categoryId, facts.featureId), ...wishes]) : new Set<string>();
    const holders = rivals.filter((rival) => rival.features.includes(featureId) || says.has(rival.id));
    if (holders.length > 0 || isAsked)
      known.set(featureId, featureWith({ id: featureId, name: facts.name, description: facts.description }, holders, rivals, isAsked, id));
  }
  const own = about.askedFor.flatMap(({ label, featureId }) => (featureId === null ? [ownFeature(label, described.some([label]), rivals)] : []));
  return [...known.values(), ...new Map(own.map((feature) => [feature.id, feature])).values()].sort(
    (left, right) => right.frequency - left.frequency || Number(right.asked_for) - Number(left.asked_for) || left.name.localeCompare(right.name),
  );
}

type Named = Pick<MarketFeature, 'id' | 'name' | 'description'>;

function featureWith(
  named: Named,
  holders: readonly Competitor[],
  rivals: readonly Competitor[],
  isAsked: boolean,
  evidenceId?: string,
): MarketFeature {
  const frequency = rivals.length > 0 ? holders.length / rivals.length : 0;
  const looked = holders.length > 0 || evidenceId ? holders : rivals;
  return {
    ...named,
    tier: tierOf(frequency),
    frequency,
    held_by: holders.map(({ id }) => id),
    asked_for: isAsked,
    evidence_ids: [...new Set([...(evidenceId ? [evidenceId] : []), ...looked.flatMap((rival) => rival.evidence_ids.slice(0, 1))])].slice(
      0,
      evidenceId ? undefined : CITED,
    ),
  };
}

/** What the idea asks for in words that no feature of a market stands for: it is recorded of those whose own description says it. */
const ownFeature = (label: string, says: ReadonlySet<string>, rivals: readonly Competitor[]): MarketFeature =>
  featureWith(
    { id: slugify(label, 48) || 'asked-for', name: capital(label), description: 'In the words of the idea.' },
    rivals.filter(({ id }) => says.has(id)),
    rivals,
    true,
  );

export function tierOf(frequency: number): MarketFeature['tier'] {
  if (frequency >= TABLE_STAKES) return 'table_stakes';
  if (frequency >= COMMON) return 'common';
  return frequency > 0 ? 'rare' : 'only_this_idea';
}

function phrasesOf(market: string, id: string): string[] {
  const feature = marketTerms(market)?.features.find((entry) => entry.feature.id === id)?.feature;
  return feature ? [feature.name, ...feature.terms] : [];
}

/** Which rivals' own descriptions say one of some phrases; what the whole market speaks of tells none of them from another. */
function describedBy(rivals: readonly Competitor[], markets: readonly string[]): { some(phrases: readonly string[]): Set<string> } {
  const core = new Set(markets.flatMap((id) => [...(marketTerms(id)?.core ?? [])]));
  const lines = rivals.map(({ id, description }) => ({ id, said: new Set([...termsOf(description), ...stemsOf(description)]) }));
  const says = (phrase: string, said: ReadonlySet<string>): boolean => {
    const terms = termsOf(phrase).filter((term) => !core.has(term));
    const mass = (of: readonly string[]): number => of.reduce((sum, term) => sum + rarityOf(term), 0);
    const whole = mass(terms);
    return terms.length >= 2 && whole > 0 && mass(terms.filter((term) => said.has(term))) >= SAYS_SAME * whole;
  };
  return { some: (phrases) => new Set(lines.filter(({ said }) => phrases.some((phrase) => says(phrase, said))).map(({ id }) => id)) };
}
