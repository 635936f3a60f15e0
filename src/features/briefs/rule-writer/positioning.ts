import { isFree, namesOf, type Competitor } from '#features/research';
import type { Cited, Positioning } from '../section-content.ts';
import { askedOf, first, holdersOf, listed, restated, rotate, stated, type Market } from './market.ts';

const AGAINST = 3;
const PILLARS = 4;

/** What the idea can claim beside whom, and what will be said against it. */
export function positioning(market: Market, take: number): Positioning {
  const { artifact, rivals } = market;
  return {
    target_user: artifact.idea.target_user || (artifact.market.audience[0] ?? ''),
    category: artifact.product_category,
    statement: first(statement(market, take)),
    pillars: pillars(market, take),
    against: rivals
      .slice(0, AGAINST)
      .map((rival) => ({ rival_id: rival.id, name: rival.name, line: first(line(market, rival)), evidence_ids: rival.evidence_ids })),
    objections: objections(market),
  };
}

function statement(market: Market, take: number): Cited[] {
  const { rivals, features, claims } = market;
  const near = rotate(rivals.slice(0, 4), take).slice(0, 2);
  if (claims.length === 0) return stated(`Nothing that was found sets the idea apart from ${namesOf(near)} yet.`, near);
  // Asked for once more, it begins with another gap, or with whom it stands beside.
  const [gap] = rotate([...claims, null, null], take);
  if (!gap) return stated(`It stands beside ${namesOf(near)}.`, near);
  const meant = features.filter(({ id }) => gap.feature_ids.includes(id));
  if (meant.length === 0) return restated(`${gap.title}.`, gap);
  const holders = rivals.filter((rival) => meant.some((feature) => holdersOf(market, feature).includes(rival)));
  const who = holders.length > 0 ? `only ${namesOf(holders)} ${holders.length === 1 ? 'is' : 'are'}` : 'none is';
  return stated(`Of ${rivals.length} known products ${who} recorded with: ${listed(meant)}.`, [gap], holders.slice(0, 3));
}

function pillars({ claims, artifact }: Market, take: number): Cited[] {
  const gaps = rotate(claims, take).flatMap((gap) => restated(gap.description, gap));
  const reasons = artifact.recommendation.reasons_for.filter(({ text }) => !gaps.some((gap) => gap.text.includes(text)));
  return [...gaps, ...reasons.map(({ text, evidence_ids: ids }) => ({ text, evidence_ids: ids }))].slice(0, PILLARS);
}

function line(market: Market, rival: Competitor): Cited[] {
  const { missing } = askedOf(market, rival);
  if (market.asked.length === 0) return [];
  return missing.length > 0
    ? stated(`${rival.name} is not recorded with: ${listed(missing)}.`, [rival], missing.slice(0, 3))
    : stated(`${rival.name} has everything that is asked for.`, [rival]);
}

/** What the research found against the idea, with the price that stands against any other. */
function objections({ artifact, rivals }: Market): Cited[] {
  const found = artifact.evidence_against.length > 0 ? artifact.evidence_against : artifact.recommendation.reasons_against;
  const free = rivals.filter(isFree).filter(({ name }) => !found.some(({ text }) => text.includes(name)));
  const price = stated(`${namesOf(free)} ${free.length === 1 ? 'costs' : 'cost'} nothing.`, free.slice(0, 3));
  return [...found.map(({ text, evidence_ids: ids }) => ({ text, evidence_ids: ids })), ...price];
}
