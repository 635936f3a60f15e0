import { isFree, namesOf, type Competitor } from '#features/research';
import type { Cited, Positioning } from '../section-content.ts';
import { claims, closes, first, isAudienceGap, percent, quotedList, restated, rotate, stated, type Market } from './market.ts';

const AGAINST = 3;
const PILLARS = 4;

/** What the idea can claim beside whom, and what will be said against it. */
export function positioning(market: Market, take: number): Positioning {
  const { artifact, rivals, category } = market;
  return {
    target_user: artifact.idea.target_user || (artifact.market.audience[0] ?? ''),
    category,
    statement: first(statement(market, take)),
    pillars: pillars(market, take),
    against: rivals
      .slice(0, AGAINST)
      .map((rival) => ({ rival_id: rival.id, name: rival.name, line: first(line(market, rival, take)), evidence_ids: rival.evidence_ids })),
    objections: objections(market),
  };
}

function statement(market: Market, take: number): Cited[] {
  const { title, category, whom, rivals } = market;
  const [gap] = rotate(claims(market), take);
  if (!gap) {
    const near = rotate(rivals.slice(0, 4), take).slice(0, 2);
    return stated(
      `Nothing that was found sets ${title} apart from ${namesOf(near)} yet; until something does, it competes on price and on who sells it.`,
      near,
    );
  }
  const [rival] = rotate(rivals.filter((other) => !closes(market, other, gap)).slice(0, AGAINST), take);
  if (isAudienceGap(gap)) {
    const covers = rival && market.asked.length > 0 ? `, which covers ${percent(rival.overlap)} of what it asks for,` : '';
    const beside = rival ? `; ${rival.name}${covers} describes itself as “${described(rival)}”` : '';
    return stated(`${title} is ${category} made for ${whom}${beside}.`, [gap], rival ? [rival] : []);
  }
  if (gap.feature_ids.length === 0) return stated(`${title} is ${category} for ${whom} that starts from one gap: ${gap.title}.`, [gap]);
  const meant = market.features.filter(({ id }) => gap.feature_ids.includes(id));
  const holders = rivals.filter((other) => closes(market, other, gap));
  const known =
    holders.length > 0
      ? `which of ${rivals.length} known products only ${namesOf(holders)} ${holders.length === 1 ? 'has' : 'have'}`
      : `which none of ${rivals.length} known products has`;
  const beside = rival ? `; ${rival.name}, the nearest without it, covers ${percent(rival.overlap)} of what was recognised` : '';
  return stated(`For ${whom}, ${title} is ${category} with ${quotedList(meant)}, ${known}${beside}.`, [gap], rival ? [rival] : [], holders);
}

const described = (rival: Competitor): string => rival.description.replace(/[.\s]+$/, '');

function pillars(market: Market, take: number): Cited[] {
  const gaps = rotate(claims(market), take).flatMap((gap) => restated(`${gap.title}. ${gap.description}`, gap));
  const reasons = market.artifact.recommendation.reasons_for.filter(({ text }) => !gaps.some((gap) => gap.text.includes(text)));
  return [...gaps, ...reasons.map(({ text, evidence_ids: ids }) => ({ text, evidence_ids: ids }))].slice(0, PILLARS);
}

function line(market: Market, rival: Competitor, take: number): Cited[] {
  const { asked, title, whom } = market;
  const missing = asked.filter(({ held_by: holders }) => !holders.includes(rival.id));
  if (missing.length > 0)
    return stated(
      `Unlike ${rival.name}, of which nothing of the kind is recorded, ${title} is to have ${quotedList(rotate(missing, take))}.`,
      [rival],
      missing,
    );
  if (market.gaps.some(isAudienceGap))
    return stated(`${rival.name} is described as “${described(rival)}”; ${title} is for ${whom} and can say so.`, [rival]);
  if (asked.length === 0)
    return stated(`How ${title} differs from ${rival.name} (“${described(rival)}”) was not recognised: the idea has to say it before a buyer asks.`, [
      rival,
    ]);
  return stated(`${rival.name} (“${described(rival)}”) has all that was recognised in ${title}: here only doing it better or cheaper counts.`, [
    rival,
  ]);
}

/** What the research found against the idea, with the price that stands against any other. */
function objections({ artifact, rivals, title }: Market): Cited[] {
  const found = artifact.evidence_against.length > 0 ? artifact.evidence_against : artifact.recommendation.reasons_against;
  const free = rivals.filter(isFree);
  const isSaid = free[0] !== undefined && found.some(({ text }) => text.includes(free[0]?.name ?? ''));
  const price =
    free.length > 0 && !isSaid ? stated(`Why pay for ${title} when ${namesOf(free)} cost${free.length === 1 ? 's' : ''} nothing?`, free) : [];
  return [...found.map(({ text, evidence_ids: ids }) => ({ text, evidence_ids: ids })), ...price];
}
