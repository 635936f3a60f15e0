import { count } from '#lib/text.ts';
import { isFree, isPaid, namesOf, pricingWords, type Competitor } from '#features/research';
import type { Cited, Rival } from '../section-content.ts';
import { closenessOf } from './market-map.ts';
import { claims, closes, featuresOf, first, holdersOf, isAudienceGap, percent, quotedList, restated, rotate, stated, type Market } from './market.ts';

const NAMED = 3;
/** Words that begin what is written of money and are no names. */
const ORDINARY =
  /^(?:Owned|Part|Venture|Private|Privately|Public|Publicly|Backed|Bootstrapped|Independent|Open|Non|Nonprofit|Acquired|Listed|Subsidiary|Community|Founder|Self|Family)\b/;
const MOST_RIVALS = 12;

/** Products one by one: what each is good at, where it leaves room, and what that means for the idea. */
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
    strengths: [...asked(market, rival), ...breadth(market, rival, take), ...standing(rival)],
    weaknesses: [...unasked(market, rival), ...lacking(market, rival, take), ...price(market, rival)],
    meaning: first(meaning(market, rival, take)),
    evidence_ids: rival.evidence_ids,
  }));

function asked({ asked: wanted, title }: Market, rival: Competitor): Cited[] {
  const held = wanted.filter(({ held_by: holders }) => holders.includes(rival.id));
  return held.length > 0 ? stated(`${rival.name} has ${quotedList(held)}, which ${title} asks for.`, [rival], held) : [];
}

/** How much it has, the rarest first: those are what its users would miss most. */
function breadth(market: Market, rival: Competitor, take: number): Cited[] {
  const own = featuresOf(market, rival).filter((feature) => !feature.asked_for);
  if (own.length === 0) return [];
  const rarest = [...own].sort((left, right) => left.held_by.length - right.held_by.length);
  const shown = rotate(rarest, take, NAMED).slice(0, NAMED);
  const alone = rarest.find((feature) => feature.held_by.length === 1);
  const only = alone ? ` No other known product has ${quotedList([alone])}.` : '';
  const total = featuresOf(market, rival).length;
  const list = shown.length === total ? `: ${quotedList(shown)}` : `, among them ${quotedList(shown)}`;
  return stated(
    `${rival.name} has ${total} of the ${market.features.length} features known here${list}.${only}`,
    [rival],
    shown,
    alone ? [alone] : [],
  );
}

function standing(rival: Competitor): Cited[] {
  const since = rival.founded === null ? '' : `on the market since ${rival.founded}`;
  const money = (rival.funding ?? '').replace(ORDINARY, (word) => word.toLowerCase());
  const parts = [since, money].filter(Boolean);
  return parts.length > 0 ? restated(`${rival.name}: ${parts.join('; ')}.`, rival) : [];
}

function unasked(market: Market, rival: Competitor): Cited[] {
  const missing = market.asked.filter(({ held_by: holders }) => !holders.includes(rival.id));
  const features =
    missing.length > 0
      ? stated(`Nothing is recorded of ${quotedList(missing)} at ${rival.name}, which ${market.title} asks for.`, [rival], missing)
      : [];
  const audience = market.gaps.find(isAudienceGap);
  const people = audience
    ? stated(`${rival.name} describes itself as “${rival.description.replace(/[.\s]+$/, '')}”; ${market.whom} are not named.`, [rival])
    : [];
  return [...features, ...people];
}

/** What most of the others have and it does not. */
function lacking(market: Market, rival: Competitor, take: number): Cited[] {
  const common = market.features.filter((feature) => feature.frequency >= 0.4 && !feature.asked_for && !feature.held_by.includes(rival.id));
  const shown = rotate(common, take, 2).slice(0, 2);
  const [top] = shown;
  if (!top) return [];
  return stated(
    `${rival.name} is not known to have ${quotedList(shown)}, which ${namesOf(holdersOf(market, top))} ${holdersOf(market, top).length === 1 ? 'has' : 'have'}.`,
    [rival],
    shown,
  );
}

function price({ rivals }: Market, rival: Competitor): Cited[] {
  const free = rivals.filter((other) => isFree(other) && other.id !== rival.id);
  if (!isPaid(rival) || free.length === 0) return [];
  return stated(
    `${rival.name} charges ${pricingWords(rival.pricing ?? '')}, while ${namesOf(free)} cost${free.length === 1 ? 's' : ''} nothing.`,
    [rival],
    free.slice(0, 3),
  );
}

function meaning(market: Market, rival: Competitor, take: number): Cited[] {
  const { title } = market;
  const [gap] = rotate(
    claims(market).filter((claim) => !closes(market, rival, claim)),
    take,
  );
  const on = gap ? [gap] : [];
  const reason = gap ? `the reason to leave it would be ${reasonOf(market, gap)}` : 'nothing that was found is a reason to leave it yet';
  if (market.asked.length === 0)
    return stated(
      `${rival.name} serves the same market; what ${title} does differently was not recognised in the idea${gap ? `, and ${reason}` : ''}.`,
      [rival],
      on,
    );
  const closeness = closenessOf(market, rival);
  if (closeness === 'does_most')
    return stated(`Whoever uses ${rival.name} has ${percent(rival.overlap)} of ${title} already; ${reason}.`, [rival], on);
  if (closeness === 'does_part')
    return stated(`${rival.name} covers ${percent(rival.overlap)} of what was recognised in ${title}; ${reason}.`, [rival], on);
  const own = featuresOf(market, rival).length;
  return stated(
    `${rival.name} does a neighbouring job with ${count(own, 'known feature')}: less a rival to ${title} today than one that could become it.`,
    [rival],
  );
}

/** A gap as somebody's reason to change. */
function reasonOf({ features, whom }: Market, gap: Market['gaps'][number]): string {
  if (isAudienceGap(gap)) return `a product made for ${whom}`;
  if (gap.feature_ids.length === 0) return `this gap: ${gap.title}`;
  return `${quotedList(features.filter(({ id }) => gap.feature_ids.includes(id)))}, which it is not known to have`;
}
