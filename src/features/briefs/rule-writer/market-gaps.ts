import { namesOf, type Competitor } from '#features/research';
import type { MarketGap } from '../section-content.ts';
import { first, restated, rotate, stated, type Market } from './market.ts';

const NEAREST = 3;

/** Where the market leaves room, who comes nearest to closing it, and how many do without. */
export function marketGaps(market: Market, take: number): MarketGap[] {
  return rotate(market.gaps, take).flatMap((gap) => {
    const [description] = restated(gap.description, gap);
    if (!description) return [];
    const wanted = market.features.filter(({ id }) => gap.feature_ids.includes(id));
    const has = ({ id }: Competitor): boolean => wanted.some(({ held_by: holders }) => holders.includes(id));
    const having = market.rivals.filter(has);
    const without = wanted.length > 0 ? market.rivals.filter((rival) => !has(rival)) : [];
    return [
      {
        id: gap.id,
        title: gap.title,
        feature_ids: gap.feature_ids,
        nearest: (having.length > 0 ? having : market.rivals).slice(0, NEAREST).map(({ name }) => name),
        description,
        caution: first(stated(`${namesOf(without)} do without it; whether anybody misses it there is not known.`, without.slice(0, NEAREST))),
        evidence_ids: gap.evidence_ids,
      },
    ];
  });
}
