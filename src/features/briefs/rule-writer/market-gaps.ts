import { namesOf, type Competitor } from '#features/research';
import type { Cited, MarketGap } from '../section-content.ts';
import { first, isAudienceGap, quotedName, restated, rotate, stated, wedges, type Market } from './market.ts';

const NEAREST = 3;

/** Where the market leaves room, who comes nearest to closing it, and why it may stand open for a reason. */
export function marketGaps(market: Market, take: number): MarketGap[] {
  return rotate(wedges(market), take).flatMap((gap) => {
    const [description] = restated(gap.description, gap);
    if (!description) return [];
    const near = nearestTo(market, gap);
    return [
      {
        id: gap.id,
        title: gap.title,
        feature_ids: gap.feature_ids,
        nearest: near.slice(0, NEAREST).map(({ name }) => name),
        description,
        caution: first(caution(market, gap, near)),
        evidence_ids: gap.evidence_ids,
      },
    ];
  });
}

type Gap = Market['gaps'][number];

/** Those that have a part of what is missing, else those nearest to the idea. */
function nearestTo({ rivals, features }: Market, gap: Gap): Competitor[] {
  const holders = new Set(features.filter(({ id }) => gap.feature_ids.includes(id)).flatMap(({ held_by: ids }) => ids));
  const having = rivals.filter(({ id }) => holders.has(id));
  return having.length > 0 ? having : rivals.slice(0, NEAREST);
}

function caution({ rivals, features, asked, title, whom }: Market, gap: Gap, near: readonly Competitor[]): Cited[] {
  const [top] = near;
  if (!top) return [];
  if (isAudienceGap(gap))
    return stated(
      `${namesOf(near)} may serve ${whom} without saying so: a description that does not name them is no proof that they are badly served.`,
      near.slice(0, NEAREST),
    );
  const feature = features.find(({ id }) => gap.feature_ids.includes(id));
  if (!feature)
    return stated(`${namesOf(near)} may have it without its being recorded, or have left it out because nobody asked.`, near.slice(0, NEAREST));
  const without = rivals.filter(({ id }) => !feature.held_by.includes(id));
  const wanted = asked.includes(feature) ? '' : ` and ${title} does not ask for it`;
  return stated(
    `${namesOf(without)} do without ${quotedName(feature.name)}${wanted}: it may be missing because few want it.`,
    without.slice(0, NEAREST),
    [feature],
  );
}
