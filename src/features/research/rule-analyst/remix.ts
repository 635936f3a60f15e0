import { marketTerms, openCatalogue, shareIn, stemsOf, termsOf, type Category } from '#features/catalogue';
import { listOf, shorten } from '#lib/text.ts';
import type { Pivot, RemixInput } from '../analyst.ts';
import type { Competitor, MarketFeature } from '../schema.ts';
import { namesOf } from '../scoring.ts';
import { capabilitiesIn } from './capabilities.ts';
import { capital, inline } from './clean-text.ts';
import { deedOf, featureName } from './phrasing.ts';

const PIVOTS = 3;
/** Share of the first market's score from which another one is close by. */
const NEAR_MARKET = 0.75;

/** Three ways on from an idea: another wedge, a narrower audience, the neighbouring market or another buyer; each towards a gap. */
export function remixIdea(about: RemixInput): Pivot[] {
  const rare = rareFeatures(about);
  const pivots = [
    wedge(about, rare[0]),
    audience(about, rare[1] ?? rare[0]),
    neighbour(about),
    ...rare.slice(2).map((feature) => wedge(about, feature)),
    gapPivot(about),
  ];
  return pivots.filter((pivot) => pivot !== undefined).slice(0, PIVOTS);
}

/** Features that one to a third of the rivals have, those the idea does not ask for and comes near to first. */
function rareFeatures({ idea, categoryIds, features, competitors }: RemixInput): MarketFeature[] {
  const most = Math.max(2, competitors.length / 3);
  const core = new Set(categoryIds.flatMap((id) => [...(marketTerms(id)?.core ?? [])]));
  const wanted = new Set([...termsOf(idea).filter((term) => !core.has(term)), ...capabilitiesIn(idea).flatMap(({ kin }) => [...kin])]);
  const fit = (feature: MarketFeature): number => stemsOf(`${feature.name} ${feature.description}`).filter((term) => wanted.has(term)).length;
  const isTechnical = (name: string): boolean => /self.?host|open.?source|\bapi\b|open code/i.test(name);
  return features
    .filter((feature) => feature.held_by.length > 0 && feature.held_by.length <= most && !isTechnical(feature.name))
    .sort(
      (left, right) =>
        Number(left.asked_for) - Number(right.asked_for) ||
        fit(right) - fit(left) ||
        left.frequency - right.frequency ||
        left.id.localeCompare(right.id),
    );
}

const nameOf = (about: RemixInput, ids: readonly string[]): Competitor[] => about.competitors.filter((rival) => ids.includes(rival.id));
const without = (about: RemixInput, ids: readonly string[]): Competitor[] => about.competitors.filter((rival) => !ids.includes(rival.id));
const marketOf = (about: RemixInput): Category | undefined => about.categoryIds.flatMap((id) => openCatalogue().category(id) ?? [])[0];
const marketName = (about: RemixInput): string => (marketOf(about) ? inline(marketOf(about)?.name ?? '') : about.shortTitle);
const whomOf = (about: RemixInput): string => (/^not said/i.test(about.targetUser) ? (about.audience[0] ?? 'its users') : about.targetUser);

function wedge(about: RemixInput, feature: MarketFeature | undefined): Pivot | undefined {
  if (!feature) return undefined;
  const holders = nameOf(about, feature.held_by);
  return {
    idea: `${about.shortTitle} built around ${featureName(feature.name)} (${inline(feature.description)}), for ${inline(whomOf(about))}.`,
    rationale: `Of ${about.competitors.length} known rivals only ${namesOf(holders)} ${holders.length === 1 ? 'has' : 'have'} ${featureName(feature.name)}.`,
    differentiation: `${namesOf(without(about, feature.held_by), 4)} are not known to have ${featureName(feature.name)}. Against ${namesOf(holders)} it has to be the centre, not one feature among many.`,
  };
}

function audience(about: RemixInput, feature: MarketFeature | undefined): Pivot | undefined {
  const own = new Set(termsOf(about.targetUser));
  const addressed = new Set(about.competitors.flatMap((rival) => stemsOf(rival.description)));
  const fit = (line: string): number => shareIn(termsOf(line), addressed) + (termsOf(line).some((term) => own.has(term)) ? 2 : 0);
  const narrower = [...(marketOf(about)?.audience ?? about.audience)].sort((left, right) => fit(left) - fit(right))[0];
  if (!narrower) return undefined;
  const naming = about.competitors.filter((rival) => shareIn(termsOf(narrower), new Set(stemsOf(rival.description))) >= 0.5);
  const core = feature ? `, with ${featureName(feature.name)} fitted to how they work` : '';
  return {
    idea: `${about.shortTitle} only for ${inline(narrower)}${core}.`,
    rationale:
      naming.length === 0
        ? `${capital(narrower)} belong to ${marketName(about)}, yet none of ${about.competitors.length} known rivals is described as made for them.`
        : `Only ${namesOf(naming)} ${naming.length === 1 ? 'is' : 'are'} described as made for ${inline(narrower)}, out of ${about.competitors.length} known rivals.`,
    differentiation: `${namesOf(about.competitors.filter((rival) => !naming.includes(rival)))} are not described as made for ${inline(narrower)}${feature ? `, and ${namesOf(without(about, feature.held_by), 2)} are not known to have ${featureName(feature.name)}` : ''}.`,
  };
}

function neighbour(about: RemixInput): Pivot | undefined {
  const answer = openCatalogue().search(about.idea, { limit: 4 });
  const [first] = answer.categories;
  const near = answer.categories.find(
    ({ category, score }) => !about.categoryIds.includes(category.id) && score >= NEAR_MARKET * (first?.score ?? 1),
  );
  const other =
    near?.category ?? sharedNeighbour(about) ?? answer.categories.find(({ category }) => !about.categoryIds.includes(category.id))?.category;
  if (!other) return undefined;
  const rivals = other.companies.slice(0, 3);
  const known = new Set(other.companies.map(({ id }) => id));
  const carried = about.features.filter((feature) => feature.asked_for).sort((left, right) => left.frequency - right.frequency)[0];
  const own = carried?.held_by.length === 0 ? `${deedOf(carried.name).toDo} and ` : '';
  const kept = carried && own === '' ? `, with ${featureName(carried.name)}` : '';
  const both = about.competitors.filter((rival) => known.has(rival.id));
  return {
    idea: `${about.shortTitle} taken into ${inline(other.name)}: ${own}${inline(other.use_cases[0] ?? other.name)}, for ${inline(other.audience[0] ?? whomOf(about))}${kept}.`,
    rationale:
      both.length > 0
        ? `${namesOf(both)} already ${both.length === 1 ? 'stands' : 'stand'} in both ${marketName(about)} and ${inline(other.name)}, so one leads into the other.`
        : `The catalogue's nearest other market to ${about.shortTitle} is ${inline(other.name)}; none of ${namesOf(about.competitors)} is known to serve it.`,
    differentiation: `In ${inline(other.name)} the rivals are ${listOf(rivals.map(({ name }) => name))}; ${carried ? (carried.held_by.length === 0 ? deedOf(carried.name).doing : featureName(carried.name)) : about.shortTitle} would be carried over from ${marketName(about)}.`,
  };
}

/** The market that shares most companies with the idea's own. */
function sharedNeighbour(about: RemixInput): Category | undefined {
  const catalogue = openCatalogue();
  const shared = new Map<string, number>();
  for (const { id } of about.competitors) {
    for (const market of catalogue.marketsOf(id)) if (!about.categoryIds.includes(market)) shared.set(market, (shared.get(market) ?? 0) + 1);
  }
  const [best] = [...shared].sort(([left, one], [right, other]) => other - one || left.localeCompare(right));
  return best && catalogue.category(best[0]);
}

/** When the market shows no rare feature: straight from a gap that the report names. */
function gapPivot(about: RemixInput): Pivot | undefined {
  const [gap] = about.whitespaces;
  if (!gap) return undefined;
  return {
    idea: `${about.shortTitle} reduced to one gap: ${shorten(gap.title, 120)}.`,
    rationale: gap.description,
    differentiation: `${namesOf(about.competitors, 4)} leave this open as far as is known.`,
  };
}
