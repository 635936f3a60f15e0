import { isFree, isPaid, namesOf, type Competitor } from '#features/research';
import type { Cited, Rival } from '../section-content.ts';
import { closenessOf } from './market-map.ts';
import { askedOf, featuresOf, first, listed, percent, restated, rotate, stated, type Market } from './market.ts';

const MOST_RIVALS = 12;
const USUAL = 0.5;

/** Products one by one: what each is recorded with, where it leaves room, and what that means for the idea. */
export const rivalSection = (market: Market, rivals: readonly Competitor[], take: number): Rival[] =>
  rivals.slice(0, MOST_RIVALS).map((rival) => ({
    id: rival.id,
    name: rival.name,
    url: rival.url,
    description: rival.description,
    founded: rival.founded,
    pricing: rival.pricing,
    funding: rival.funding,
    overlap: rival.overlap,
    strengths: strengths(market, rival, take),
    weaknesses: weaknesses(market, rival, take),
    meaning: first(meaning(market, rival)),
    evidence_ids: rival.evidence_ids,
  }));

function strengths(market: Market, rival: Competitor, take: number): Cited[] {
  const { held } = askedOf(market, rival);
  const own = featuresOf(market, rival).filter(({ asked_for: isAsked }) => !isAsked);
  const alone = own.filter(({ held_by: holders }) => holders.length === 1);
  return [
    ...stated(`Has what is asked for: ${listed(held)}.`, held),
    ...stated(`No other known product is recorded with: ${listed(rotate(alone, take))}.`, alone.slice(0, 3)),
    ...(own.length > 0 ? restated(`Recorded with ${own.length + held.length} of the ${market.features.length} features known here.`, rival) : []),
  ];
}

function weaknesses(market: Market, rival: Competitor, take: number): Cited[] {
  const { missing } = askedOf(market, rival);
  const usual = market.features.filter(
    ({ frequency, asked_for: isAsked, held_by: holders }) => frequency >= USUAL && !isAsked && !holders.includes(rival.id),
  );
  const free = isPaid(rival) ? market.rivals.filter(isFree) : [];
  return [
    ...stated(`Not recorded with: ${listed(missing)}.`, missing),
    ...stated(`Not recorded with what most have: ${listed(rotate(usual, take))}.`, usual.slice(0, 3)),
    ...stated(`It charges, while ${namesOf(free)} ${free.length === 1 ? 'costs' : 'cost'} nothing.`, free.slice(0, 3)),
  ];
}

function meaning(market: Market, rival: Competitor): Cited[] {
  const isNearest = market.asked.length > 0 && market.rivals.every(({ overlap }) => overlap <= rival.overlap);
  if (isNearest && closenessOf(market, rival) === 'does_most')
    return restated(`It covers ${percent(rival.overlap)} of what is asked for already: this is whom the idea is held against.`, rival);
  return [];
}
