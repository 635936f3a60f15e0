import { z } from 'zod';
import { knowsMarket, namesOf, ResearchArtifact, type Competitor } from '#features/research';
import { listOf, shorten } from '#lib/text.ts';

const NEAREST = 3;
const UNKNOWN = 6;
const LONGEST_IDEA = 400;

const Verdict = ResearchArtifact.shape.recommendation.shape.verdict;

/** What a brief opens with, so that its first page says what matters. */
export const Opening = z.object({
  idea: z.string(),
  /** Null where the market is not known well enough to judge. */
  verdict: z.object({ word: Verdict, score: z.number().nullable(), rationale: z.string() }).nullable(),
  /** The three rivals that matter, the nearest first. */
  rivals: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      url: z.string().nullable(),
      pricing: z.string().nullable(),
      overlap: z.number(),
      description: z.string(),
    }),
  ),
  /** What speaks for now, where anything that was found does. */
  why_now: z.array(z.string()),
  not_known: z.array(z.string()),
});
export type Opening = z.input<typeof Opening>;

/** Whoever entered within so many years speaks for a market that moves now. */
const RECENT_YEARS = 2;

/** @param now for what counts as recent */
export function openingOf(artifact: ResearchArtifact, now: Date): Opening {
  const { recommendation, incumbents, emerging, assumptions, features } = artifact;
  const { score }: { score: number | null } = recommendation;
  const isKnown = knowsMarket(artifact);
  const rivals = [...incumbents, ...emerging].sort((left, right) => right.overlap - left.overlap).slice(0, NEAREST);
  const entrants = [...incumbents, ...emerging].filter((rival) => isEntrant(rival, now));
  const unheld = features.filter(({ asked_for: isAsked, held_by: holders }) => isAsked && holders.length === 0).map(({ name }) => name);
  const unpriced = rivals.filter(({ pricing }) => pricing === null).map(({ name }) => name);
  return {
    idea: shorten(artifact.product_idea, LONGEST_IDEA),
    verdict: isKnown ? { word: recommendation.verdict, score, rationale: recommendation.rationale } : null,
    rivals: rivals.map(({ id, name, url, pricing, overlap, description }) => ({ id, name, url, pricing, overlap, description })),
    why_now: entrants.length > 0 ? [`${namesOf(entrants)} entered this market within the last two years.`] : [],
    not_known: [
      ...(isKnown ? [] : ['Which market this is.']),
      ...assumptions.map(({ text }) => text),
      ...(unheld.length > 0 ? [`Whether anybody has: ${listOf(unheld)}. Nobody known is recorded with it.`] : []),
      ...(unpriced.length > 0 ? [`What ${listOf(unpriced)} cost.`] : []),
    ].slice(0, UNKNOWN),
  };
}

const isEntrant = ({ founded }: Competitor, now: Date): boolean => founded !== null && now.getFullYear() - founded <= RECENT_YEARS;
