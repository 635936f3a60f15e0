import { marketTerms, openCatalogue, shareIn, stemsOf, termsOf, type Category } from '#features/catalogue';
import type { Pivot, RemixInput } from '../analyst.ts';
import type { Competitor, MarketFeature } from '../schema.ts';
import { namesOf } from '../scoring.ts';
import { capital, inline, quoted } from './clean-text.ts';

const PIVOTS = 3;

/** Three ways on from an idea: another wedge, a narrower audience, a neighbouring market; each towards a gap. */
export function remixIdea(about: RemixInput): Pivot[] {
  const rare = rareFeatures(about);
  const pivots = [
    wedge(about, rare[0]),
    audience(about),
    ...neighbours(about).slice(0, 1),
    ...rare.slice(1).map((feature) => wedge(about, feature)),
    ...neighbours(about).slice(1),
  ];
  return pivots.filter((pivot) => pivot !== undefined).slice(0, PIVOTS);
}

/** Features that one to a third of the rivals have, those the idea does not ask for and comes near to first. */
function rareFeatures({ idea, categoryIds, features, competitors }: RemixInput): MarketFeature[] {
  const most = Math.max(2, competitors.length / 3);
  const core = new Set(categoryIds.flatMap((id) => [...(marketTerms(id)?.core ?? [])]));
  const wanted = new Set(termsOf(idea).filter((term) => !core.has(term)));
  const fit = (feature: MarketFeature): number => stemsOf(`${feature.name} ${feature.description}`).filter((term) => wanted.has(term)).length;
  return features
    .filter((feature) => feature.held_by.length > 0 && feature.held_by.length <= most)
    .sort(
      (left, right) =>
        Number(left.asked_for) - Number(right.asked_for) ||
        fit(right) - fit(left) ||
        left.frequency - right.frequency ||
        left.id.localeCompare(right.id),
    );
}

const marketOf = (about: RemixInput): Category | undefined => about.categoryIds.flatMap((id) => openCatalogue().category(id) ?? [])[0];
const known = (about: RemixInput): string => (about.competitors.length > 0 ? namesOf(about.competitors) : 'what exists');

function wedge(about: RemixInput, feature: MarketFeature | undefined): Pivot | undefined {
  if (!feature) return undefined;
  const holds = ({ id }: Competitor): boolean => feature.held_by.includes(id);
  const [holders, others] = [about.competitors.filter(holds), about.competitors.filter((rival) => !holds(rival))];
  return {
    idea: `The same, built around ${quoted(feature.name)}: ${inline(feature.description)}.`,
    rationale: `Of ${about.competitors.length} known rivals only ${namesOf(holders)} ${holders.length === 1 ? 'is' : 'are'} recorded with ${quoted(feature.name)}.`,
    differentiation: `It is not recorded of ${namesOf(others, 4)}.`,
  };
}

function audience(about: RemixInput): Pivot | undefined {
  const described = (line: string): Competitor[] =>
    about.competitors.filter((rival) => shareIn(termsOf(line), new Set(stemsOf(rival.description))) >= 0.5);
  const lines = marketOf(about)?.audience ?? about.audience;
  const narrower = lines.toSorted((left, right) => described(left).length - described(right).length)[0];
  if (!narrower) return undefined;
  const naming = described(narrower);
  const others = about.competitors.filter((rival) => !naming.includes(rival));
  return {
    idea: `The same only for one group: ${inline(narrower)}.`,
    rationale: `${capital(narrower)}: ${naming.length === 0 ? `no description of ${about.competitors.length} known rivals names them` : `only the descriptions of ${namesOf(naming)} name them`}.`,
    differentiation: `${namesOf(others)} ${others.length === 1 ? 'is' : 'are'} not described as made for them.`,
  };
}

/** The nearest other markets. */
function neighbours(about: RemixInput): Pivot[] {
  return openCatalogue()
    .search(about.idea, { limit: 4 })
    .categories.filter(({ category }) => !about.categoryIds.includes(category.id))
    .map(({ category }) => ({
      idea: `Taken into another market, ${inline(category.name)}: ${inline(category.use_cases[0] ?? category.name)}.`,
      rationale: `${category.name} is the market whose words come next to those of the idea.`,
      differentiation: `There it meets ${namesOf(category.companies)} instead of ${known(about)}.`,
    }));
}
