import type { MarketFeature } from '#features/research';
import type { BriefFeature, Cited, Priority } from '../section-content.ts';
import { first, holdersOf, rotate, stated, type Market } from './market.ts';

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
      reason: first(reason(market, feature, take)),
      evidence_ids: feature.evidence_ids,
    }));
}

function priorityOf({ artifact, gaps }: Market, feature: MarketFeature): Priority {
  if (feature.asked_for) return feature.held_by.length <= FEW_HOLDERS ? 'differentiate' : 'match';
  if (artifact.build_readiness.phase_1.some(({ id }) => id === feature.id)) return 'expected';
  return gaps.some(({ feature_ids: ids }) => ids.includes(feature.id)) ? 'option' : 'later';
}

function reason(market: Market, feature: MarketFeature, take: number): Cited[] {
  const holders = rotate(holdersOf(market, feature), take);
  const [many, of] = [holders.length, `of ${market.rivals.length} known products`];
  const text = many === 0 ? `None ${of} is recorded with it.` : `${many} ${of} ${many === 1 ? 'has' : 'have'} it.`;
  return stated(text, [feature], holders.slice(0, 3));
}
