import { count, listOf } from '#lib/text.ts';
import { isFree, isPaid, namesOf, pricingWords, type Competitor } from '#features/research';
import type { Cited, Closeness, MarketMap } from '../section-content.ts';
import { featuresOf, first, percent, quotedList, restated, rotate, stated, type Market } from './market.ts';

const MOST = 0.6;
const PART = 0.2;
const AUDIENCE = 6;
const SHOWN = 3;

const SEGMENTS: readonly { closeness: Closeness; title: string }[] = [
  { closeness: 'does_most', title: 'Do most of it already' },
  { closeness: 'does_part', title: 'Do a part of it' },
  { closeness: 'neighbour', title: 'Do a neighbouring job' },
];

/**
 * How near a product stands to an idea: most of it does only who has something of what the idea itself asks for. Where
 * nothing of that was recognised, coverage says no more than that it is the same market.
 */
export function closenessOf({ asked }: Market, rival: Competitor): Closeness {
  if (rival.overlap < PART) return 'neighbour';
  const isAsked = asked.some(({ held_by: holders }) => holders.includes(rival.id));
  return rival.overlap >= MOST && isAsked ? 'does_most' : 'does_part';
}

/** The market around an idea: who is in it, how near each comes, what it costs, what all of them have. */
export function marketMap(market: Market, take: number): MarketMap {
  const { artifact, rivals } = market;
  const { category, subcategory, market_type: marketType } = artifact.classification;
  return {
    category,
    subcategory,
    market_type: marketType,
    summary: [...size(market), ...nearest(market), ...money(market), ...common(market, take), ...age(market)],
    audience: artifact.market.audience.slice(0, AUDIENCE).flatMap((text) => restated(text, artifact.market)),
    segments: SEGMENTS.flatMap((segment) => segmentOf(market, segment)),
    positions: rivals.map((rival) => ({
      id: rival.id,
      name: rival.name,
      is_incumbent: rival.is_incumbent,
      overlap: Math.round(rival.overlap * 100),
      breadth: featuresOf(market, rival).length,
      evidence_ids: rival.evidence_ids,
    })),
    counts: {
      products: rivals.length,
      incumbents: market.incumbents.length,
      emerging: market.emerging.length,
      paid: rivals.filter(isPaid).length,
      free: rivals.filter(isFree).length,
      features: market.features.length,
    },
  };
}

function size({ rivals, incumbents, emerging, category }: Market): Cited[] {
  if (rivals.length === 0) return [];
  const groups = [
    incumbents.length > 0 ? `${incumbents.length} established (${namesOf(incumbents)})` : '',
    emerging.length > 0 ? `${emerging.length} emerging (${namesOf(emerging)})` : '',
  ].filter(Boolean);
  const are = rivals.length === 1 ? 'is' : 'are';
  if (groups.length === 1)
    return stated(
      `${count(rivals.length, 'product')} of ${category} ${are} known (${namesOf(rivals)}), none of them ${emerging.length === 0 ? 'emerging' : 'established'}.`,
      rivals,
    );
  return stated(`${count(rivals.length, 'product')} of ${category} ${are} known: ${listOf(groups)}.`, rivals);
}

function nearest({ rivals, title, asked }: Market): Cited[] {
  const [top, second] = rivals;
  if (!top) return [];
  if (asked.length === 0)
    return stated(
      `Nothing that ${title} asks for beyond the usual job of this market was recognised, so how near ${namesOf(rivals)} come cannot be told.`,
      rivals.slice(0, 3),
    );
  if (top.overlap < PART)
    return stated(`None of them does much of what ${title} asks for; ${top.name} comes nearest with ${percent(top.overlap)} of it.`, [top]);
  const level = rivals.filter(({ overlap }) => percent(overlap) === percent(top.overlap));
  const held = asked.filter(({ held_by: holders }) => level.every(({ id }) => holders.includes(id)));
  if (level.length > 1)
    return stated(
      `${namesOf(level)} come nearest: each covers ${percent(top.overlap)} of what was recognised in ${title}${held.length > 0 ? `, ${quotedList(held)} included` : ''}.`,
      level.slice(0, 3),
      held,
    );
  const having = held.length > 0 ? `, ${quotedList(held)} included` : '';
  const next = second && second.overlap >= PART ? `; ${second.name} follows with ${percent(second.overlap)}` : '';
  return stated(
    `${top.name} comes nearest: it covers ${percent(top.overlap)} of what was recognised in ${title}${having}${next}.`,
    [top],
    second ? [second] : [],
    held,
  );
}

function money({ rivals }: Market): Cited[] {
  const paid = rivals.filter(isPaid);
  const free = rivals.filter(isFree);
  if (paid.length === 0 && free.length === 0) return [];
  if (paid.length === 0)
    return stated(`Nobody charges: ${namesOf(free)} cost${free.length === 1 ? 's' : ''} nothing, so no price has been proven here.`, free);
  const [way = '', holders = 0] =
    [...Map.groupBy(paid, ({ pricing }) => pricing ?? '')].map(([name, group]) => [name, group.length] as const).sort((l, r) => r[1] - l[1])[0] ?? [];
  const mostly = holders > 1 ? `, ${holders} of them ${pricingWords(way)}` : `, ${namesOf(paid, 1)} ${pricingWords(paid[0]?.pricing ?? '')}`;
  const against = free.length > 0 ? `; ${namesOf(free)} cost${free.length === 1 ? 's' : ''} nothing` : '';
  return stated(`${paid.length} of ${rivals.length} charge (${namesOf(paid)})${mostly}${against}.`, paid.slice(0, 4), free.slice(0, 3));
}

function common({ features, rivals }: Market, take: number): Cited[] {
  const held = rotate(
    features.filter(({ frequency, held_by: holders }) => frequency >= 0.5 && holders.length > 1),
    take,
    SHOWN,
  );
  const rare = rotate(
    features.filter(({ held_by: holders }) => holders.length === 1),
    take,
  );
  if (held.length === 0 && rare.length === 0) return [];
  const most = held.length > 0 ? `At least half of them have ${quotedList(held)}` : 'No feature is held by half of them';
  const lone = rare[0];
  const owner = lone ? rivals.find(({ id }) => lone.held_by.includes(id)) : undefined;
  const only = lone && owner ? `; ${quotedList([lone])} is known of ${owner.name} alone` : '';
  return stated(`${most}${only}.`, held.slice(0, 3), lone ? [lone] : [], owner ? [owner] : []);
}

function age({ rivals }: Market): Cited[] {
  const dated = rivals
    .flatMap((rival) => (rival.founded === null ? [] : [{ rival, founded: rival.founded }]))
    .sort((left, right) => left.founded - right.founded);
  const [oldest, youngest] = [dated[0], dated.at(-1)];
  if (!oldest || !youngest || oldest === youngest) return [];
  return stated(
    `The oldest known is ${oldest.rival.name} (${oldest.founded}), the youngest ${youngest.rival.name} (${youngest.founded}).`,
    [oldest.rival],
    [youngest.rival],
  );
}

function segmentOf(market: Market, { closeness, title }: (typeof SEGMENTS)[number]): MarketMap['segments'] {
  const rivals = market.rivals.filter((rival) => closenessOf(market, rival) === closeness);
  if (rivals.length === 0) return [];
  return [
    {
      closeness,
      title: market.asked.length === 0 && closeness === 'does_part' ? 'Serve the same market' : title,
      rivals: rivals.map(({ id, name }) => ({ id, name })),
      note: first(shared(market, rivals)),
      evidence_ids: [...new Set(rivals.flatMap(({ evidence_ids: ids }) => ids.slice(0, 1)))],
    },
  ];
}

/** What the products of one segment have in common, or what one alone is. */
function shared({ features }: Market, rivals: readonly Competitor[]): Cited[] {
  const [only] = rivals;
  if (only && rivals.length === 1) return restated(`${only.name}: ${only.description}`, only);
  const counted = features
    .map((feature) => ({ feature, holders: rivals.filter(({ id }) => feature.held_by.includes(id)).length }))
    .filter(({ holders }) => holders > 1 && holders * 2 >= rivals.length)
    .sort((left, right) => right.holders - left.holders);
  const top = counted.slice(0, 3).map(({ feature }) => feature);
  if (top.length === 0) return stated(`${namesOf(rivals)} share no feature that most of them are known to have.`, rivals);
  return stated(`Most of ${namesOf(rivals)} have ${quotedList(top)}.`, rivals.slice(0, 3), top);
}
