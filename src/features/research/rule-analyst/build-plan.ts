import type { BuildItem, MarketFeature } from '../schema.ts';
import { namesOf } from '../scoring.ts';
import { nearFeatures } from './gaps.ts';
import { cite, deedIn, holdersOf, verb, type Landscape } from './landscape.ts';

const FIRST = 7;
const LATER = 8;
const STAKES = 3;

/** What to build first: what the idea is about and what every rival has anyway; and what can wait. */
export function buildPlan(land: Landscape): { phase1: BuildItem[]; phase2: BuildItem[] } {
  const core = [...land.own, ...[...land.asked].sort((left, right) => left.frequency - right.frequency)];
  const near = land.own
    .slice(0, 1)
    .flatMap((own) => nearFeatures(land, own))
    .filter((feature) => !feature.asked_for);
  const stakes = land.features.filter((feature) => !feature.asked_for && feature.tier === 'table_stakes' && !near.includes(feature)).slice(0, STAKES);
  const needed =
    stakes.length > 0
      ? stakes
      : land.features.filter((feature) => !feature.asked_for && feature.held_by.length > 0).slice(0, core.length >= 2 ? 1 : 2);
  const first = [...new Set([...core.slice(0, FIRST - needed.length - near.length), ...near, ...needed])];
  const rest = [...core, ...land.features].filter((feature, place, all) => !first.includes(feature) && all.indexOf(feature) === place);
  return {
    phase1: first.map((feature) => item(land, feature, true, near.includes(feature))),
    phase2: rest.slice(0, LATER).map((feature) => item(land, feature, false, false)),
  };
}

function item(land: Landscape, feature: MarketFeature, isFirst: boolean, isNear: boolean): BuildItem {
  return {
    id: feature.id,
    label: feature.name,
    reason: isNear ? groundOf(land, feature) : reasonOf(land, feature, isFirst),
    evidence_ids: cite([feature], holdersOf(land, feature).slice(0, 3)),
  };
}

/** What comes closest to the idea's own point is what it is built upon. */
function groundOf(land: Landscape, feature: MarketFeature): string {
  const [own] = land.own;
  const holders = holdersOf(land, feature);
  return `The ground for ${own ? deedIn(land, own.name).doing : land.about.shortTitle}; ${namesOf(holders)} ${verb(holders, 'has', 'have')} it (${holders.length} of ${land.total}).`;
}

function reasonOf(land: Landscape, feature: MarketFeature, isFirst: boolean): string {
  const holders = holdersOf(land, feature);
  const share = `${holders.length} of ${land.total}`;
  const names = `${namesOf(holders)} ${holders.length === 1 ? 'has' : 'have'} it`;
  if (holders.length === 0)
    return `The point of the idea, and none of ${namesOf(land.rivals)} is known to have it. Without it ${land.about.shortTitle} is one more of them.`;
  if (feature.asked_for) return `The idea asks for it. ${names} (${share}).`;
  const isNear = land.touched.has(feature.id);
  if (isFirst)
    return `${names} (${share}), so users of ${land.rivals[0]?.name ?? 'a rival'} will expect it${isNear ? ', and the idea comes near to it' : ', though nothing in the idea was recognised as asking for it'}.`;
  if (feature.tier === 'rare') return `${names} (${share}): a way to stand out later, not a reason to choose ${land.about.shortTitle} at first.`;
  return `${names} (${share}). ${isNear ? 'The idea comes near to it' : 'Not recognised in the idea'}; it can wait until ${land.about.shortTitle} has users.`;
}
