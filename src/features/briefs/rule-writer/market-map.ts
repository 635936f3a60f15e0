import { count } from '#lib/text.ts';
import { isFree, isPaid, namesOf, type Competitor } from '#features/research';
import type { Cited, Closeness, MarketMap } from '../section-content.ts';
import { askedOf, featuresOf, first, listed, percent, restated, rotate, stated, type Market } from './market.ts';

const MOST = 0.6;
const PART = 0.2;
const AUDIENCE = 6;

const SEGMENTS: readonly { closeness: Closeness; title: string }[] = [
  { closeness: 'does_most', title: 'Do most of it already' },
  { closeness: 'does_part', title: 'Do a part of it' },
  { closeness: 'neighbour', title: 'Do a neighbouring job' },
];

/**
 * How near a product stands to an idea: most of it does only who has something of what the idea itself asks for. Where
 * nothing of that was recognised, coverage says no more than that it is the same market.
 */
export function closenessOf(market: Market, rival: Competitor): Closeness {
  if (rival.overlap < PART) return 'neighbour';
  return rival.overlap >= MOST && askedOf(market, rival).held.length > 0 ? 'does_most' : 'does_part';
}

/** The market around an idea: who is in it, how near each comes, what it costs, what all of them have. */
export function marketMap(market: Market, take: number): MarketMap {
  const { artifact, rivals } = market;
  const { category, subcategory, market_type: marketType } = artifact.classification;
  return {
    category,
    subcategory,
    market_type: marketType,
    summary: [...size(market), ...nearest(market), ...money(market), ...common(market, take)],
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

const size = ({ rivals, incumbents, emerging }: Market): Cited[] =>
  stated(`${count(rivals.length, 'product is', 'products are')} known here: ${incumbents.length} established, ${emerging.length} emerging.`, rivals);

function nearest(market: Market): Cited[] {
  const { rivals, asked } = market;
  const [top] = rivals;
  if (!top || asked.length === 0) return [];
  const level = rivals.filter(({ overlap }) => percent(overlap) === percent(top.overlap));
  const covers = `${level.length === 1 ? 'comes nearest and covers' : 'come nearest; each covers'} ${percent(top.overlap)} of what is asked for`;
  return stated(`${namesOf(level)} ${covers}.`, level.slice(0, 3));
}

function money({ rivals }: Market): Cited[] {
  const paid = rivals.filter(isPaid);
  const free = rivals.filter(isFree);
  const known = [
    paid.length > 0 ? `${paid.length} of ${rivals.length} charge (${namesOf(paid)})` : '',
    free.length > 0 ? `${namesOf(free)} ${free.length === 1 ? 'costs' : 'cost'} nothing` : '',
  ].filter(Boolean);
  return known.length > 0 ? stated(`${known.join('; ')}.`, paid.slice(0, 3), free.slice(0, 3)) : [];
}

function common({ features }: Market, take: number): Cited[] {
  const held = features.filter(({ frequency, held_by: holders }) => frequency >= 0.5 && holders.length > 1);
  return stated(`At least half of them have: ${listed(rotate(held, take, 3))}.`, held.slice(0, 3));
}

function segmentOf(market: Market, { closeness, title }: (typeof SEGMENTS)[number]): MarketMap['segments'] {
  const rivals = market.rivals.filter((rival) => closenessOf(market, rival) === closeness);
  if (rivals.length === 0) return [];
  const shared = market.features.filter(({ held_by: holders }) => rivals.length > 1 && rivals.every(({ id }) => holders.includes(id)));
  const [only] = rivals;
  return [
    {
      closeness,
      title: market.asked.length === 0 && closeness === 'does_part' ? 'Serve the same market' : title,
      rivals: rivals.map(({ id, name }) => ({ id, name })),
      note: first(
        only && rivals.length === 1 ? restated(`${only.name}: ${only.description}`, only) : stated(`All of them have: ${listed(shared)}.`, shared),
      ),
      evidence_ids: [...new Set(rivals.flatMap(({ evidence_ids: ids }) => ids.slice(0, 1)))],
    },
  ];
}
