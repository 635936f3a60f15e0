import { count, listOf, shorten } from '#lib/text.ts';
import { isFree, pricingWords } from '../pricing.ts';
import type { Cited, Competitor, MarketFeature } from '../schema.ts';
import { namesOf } from '../scoring.ts';
import { inline } from './clean-text.ts';
import { cite, deedIn, featureList, nearestNames, quoted, verb, type Landscape } from './landscape.ts';
import { featureNames } from './phrasing.ts';

const MOST = 6;
const NEARLY_ALL = 0.75;

/** What the evidence says against an idea, the heaviest first. */
export function evidenceAgainst(land: Landscape): Cited[] {
  if (land.rivals.length === 0) return [];
  return [...alreadyDone(land), ...missingStakes(land), ...costless(land), ...crowd(land), ...nobodyWants(land), ...deepPockets(land)].slice(0, MOST);
}

function alreadyDone(land: Landscape): Cited[] {
  const [first, second] = land.rivals;
  if (!first) return [];
  if (land.asked.length + land.own.length === 0) {
    const lines = [first, second].flatMap((rival) =>
      rival ? [`${rival.name} (${quoted(shorten(rival.description, 90).replace(/[.]$/, ''))})`] : [],
    );
    return [
      {
        text: `Nothing that the idea asks for was recognised among the features known in ${land.market}, so nothing shows what it would do that ${lines.join(' and ')} ${second ? 'do' : 'does'} not.`,
        evidence_ids: cite(land.rivals.slice(0, 2)),
      },
    ];
  }
  const full = land.rivals.filter((rival) => rival.overlap >= NEARLY_ALL);
  if (full.length === 0) return [];
  const has = (rival: Competitor): MarketFeature[] => land.asked.filter((feature) => feature.held_by.includes(rival.id));
  const alike = full.filter((rival) => has(rival).length === has(first).length && has(rival).every((feature) => has(first).includes(feature)));
  const lacking = land.asked.filter((feature) => !has(first).includes(feature));
  const own = land.own.map((feature) => deedIn(land, feature.name).doing);
  const left = listOf([lacking.length > 0 ? featureList(lacking) : '', ...own].filter(Boolean));
  const rest = left === '' ? `which is all that could be recognised of what is asked for` : `which leaves ${left}`;
  if (has(first).length === 0) return [];
  return [
    {
      text: `${namesOf(alike)} already ${alike.length === 1 ? 'has' : 'have'} ${featureList(has(first), 5)}, ${rest}.`,
      evidence_ids: cite(alike.slice(0, 3), has(first)),
    },
  ];
}

function missingStakes(land: Landscape): Cited[] {
  const stakes = land.features.filter((feature) => feature.tier === 'table_stakes' && !feature.asked_for && !land.touched.has(feature.id));
  if (stakes.length === 0) return [];
  const names = featureNames(stakes.slice(0, 3));
  const counted = stakes
    .slice(0, 3)
    .map((feature, place) => `${names[place]?.name ?? feature.name} (${feature.held_by.length} of ${land.rivals.length})`);
  const more = stakes.length > 3 ? ` and ${stakes.length - 3} more` : '';
  return [
    {
      text: `Most rivals in ${land.market} have ${more ? `${counted.join(', ')}${more}` : listOf(counted)}. Nothing in the idea was recognised as asking for ${verb(stakes, 'it', 'them')}, and users of ${nearestNames(land, 'or')} will expect ${verb(stakes, 'it', 'them')}.`,
      evidence_ids: cite(stakes.slice(0, 3), land.incumbents.slice(0, 2)),
    },
  ];
}

function costless(land: Landscape): Cited[] {
  const free = land.rivals.filter(isFree);
  if (free.length === 0) return [];
  const named = free.slice(0, 4).map((rival) => `${rival.name} (${pricingWords(rival.pricing ?? '')})`);
  const names = free.length > 4 ? `${named.join(', ')} and ${free.length - 4} more` : listOf(named);
  const has = land.asked.filter((feature) => free.some((rival) => feature.held_by.includes(rival.id)));
  const including = has.length > 0 ? `, ${featureList(has)} included` : '';
  return [{ text: `In ${land.market}, ${names} can be had without paying${including}.`, evidence_ids: cite(free.slice(0, 4), has) }];
}

function crowd(land: Landscape): Cited[] {
  const { rivals, incumbents } = land;
  if (rivals.length < 6) return [];
  const dated = incumbents.filter((rival): rival is Competitor & { founded: number } => rival.founded !== null);
  const oldest = [...dated].sort((left, right) => left.founded - right.founded)[0];
  const age = oldest ? ` (${oldest.name} since ${oldest.founded})` : '';
  const fresh = land.emerging.length > 0 ? ` and ${count(land.emerging.length, 'challenger')} (${namesOf(land.emerging)})` : '';
  return [
    {
      text: `In ${land.market} there are already ${count(incumbents.length, 'established rival')}${age}${fresh}.`,
      evidence_ids: cite(rivals.slice(0, 6), oldest ? [oldest] : []),
    },
  ];
}

function nobodyWants(land: Landscape): Cited[] {
  const [own] = land.own;
  const dated = land.incumbents.filter((rival) => rival.founded !== null);
  const oldest = [...dated].sort((left, right) => (left.founded ?? 0) - (right.founded ?? 0))[0];
  if (!own || !oldest) return [];
  return [
    {
      text: `${oldest.name} has been there since ${oldest.founded} and is not known to ${deedIn(land, own.name).toDo}. That may be a gap, or a sign that few want it.`,
      evidence_ids: cite([oldest], [own]),
    },
  ];
}

function deepPockets(land: Landscape): Cited[] {
  const owned = land.rivals.filter((rival) => /owned by|public \(|part of/i.test(rival.funding ?? ''));
  if (owned.length < 2) return [];
  const named = owned.slice(0, 3).map((rival) => `${rival.name} (${inline(rival.funding ?? '')})`);
  return [
    {
      text: `${owned.length > 3 ? `${named.join(', ')} and ${owned.length - 3} more` : listOf(named)} have a larger company or the stock market behind them.`,
      evidence_ids: cite(owned.slice(0, 3)),
    },
  ];
}
