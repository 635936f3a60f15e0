import { namesOf, type MarketFeature } from '#features/research';
import type { BriefFeature, Cited, Priority } from '../section-content.ts';
import { first, holdersOf, percent, quotedName, restated, rotate, stated, type Market } from './market.ts';

const MOST_FEATURES = 20;
const FEW_HOLDERS = 2;
const ORDER: readonly Priority[] = ['differentiate', 'match', 'expected', 'option', 'later'];

/** What the idea should do about each feature of its market, the most important first. */
export function featureSection(market: Market, take: number): BriefFeature[] {
  return market.features
    .map((feature) => ({ feature, priority: priorityOf(market, feature) }))
    .sort((left, right) => ORDER.indexOf(left.priority) - ORDER.indexOf(right.priority) || right.feature.frequency - left.feature.frequency)
    .slice(0, MOST_FEATURES)
    .map(({ feature, priority }) => ({
      id: feature.id,
      name: feature.name,
      description: feature.description,
      tier: feature.tier,
      held_by: holdersOf(market, feature).map(({ name }) => name),
      frequency: feature.frequency,
      asked_for: feature.asked_for,
      priority,
      reason: first(reason(market, feature, priority, take)),
      evidence_ids: feature.evidence_ids,
    }));
}

function priorityOf({ artifact, gaps }: Market, feature: MarketFeature): Priority {
  if (feature.asked_for) return feature.held_by.length <= FEW_HOLDERS ? 'differentiate' : 'match';
  if (artifact.build_readiness.phase_1.some(({ id }) => id === feature.id)) return 'expected';
  return gaps.some(({ feature_ids: ids }) => ids.includes(feature.id)) ? 'option' : 'later';
}

function reason(market: Market, feature: MarketFeature, priority: Priority, take: number): Cited[] {
  const { title, whom, rivals, artifact } = market;
  const holders = holdersOf(market, feature);
  const names = namesOf(rotate(holders, take));
  const has = holders.length === 1 ? 'has' : 'have';
  const name = quotedName(feature.name);
  if (priority === 'differentiate')
    return holders.length === 0
      ? stated(`No known product has ${name}: it can set ${title} apart, once ${whom} are shown to want it.`, [feature], rivals.slice(0, 2))
      : stated(`Only ${names} ${has} ${name}: doing it better for ${whom} can set ${title} apart.`, [feature], holders);
  if (priority === 'match')
    return stated(
      `${names} ${has} ${name} as well (${percent(feature.frequency)} of the known products): needed to be compared at all, won by nothing but doing it better.`,
      [feature],
      holders.slice(0, 3),
    );
  const planned = [...artifact.build_readiness.phase_1, ...artifact.build_readiness.phase_2].find(({ id }) => id === feature.id);
  if (planned && take === 0) return restated(planned.reason, planned);
  if (priority === 'option')
    return stated(
      `Only ${names} ${has} ${name} and ${title} does not ask for it: cheap to ask ${whom} about, not yet worth building.`,
      [feature],
      holders,
    );
  const why = priority === 'expected' ? `whoever comes from ${names} will look for it` : `${title} can begin without it`;
  return stated(`${holders.length} of ${rivals.length} known products (${names}) ${has} ${name}; ${why}.`, [feature], holders.slice(0, 3));
}
