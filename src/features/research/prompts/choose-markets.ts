import { z } from 'zod';
import { marketsNear, openCatalogue, type Category } from '#features/catalogue';
import type { Fence } from '#platform/llm/material.ts';
import type { Interpretation } from '../analyst.ts';
import { ideaInBrief } from './idea-in-brief.ts';

const CANDIDATES = 15;
/** So many from each way of looking. */
const BY_MEANING = 8;
const BY_WORDS = 5;
const SHOWN_AUDIENCE = 2;
const SHOWN_USES = 2;

export const ChooseMarketsAnswer = z.object({
  markets: z.array(z.string()).default([]),
  certainty: z.enum(['sure', 'unsure']).catch('sure'),
  confidence: z.number().catch(0.8),
  same_features: z.array(z.object({ asked_for: z.string(), feature: z.string() })).default([]),
});
export type ChooseMarketsAnswer = z.output<typeof ChooseMarketsAnswer>;

export const CHOOSE_MARKETS_TASK = `Task: choose the markets of the list above that this idea is really in. The list came from a search and may hold none that fits: a market that shares a word, a group of users or a place with the idea is not its market. It fits when its products do the idea's own job for the idea's own users, so that these users would otherwise buy one of them.

Fields of your answer:
- markets: ids (M1, M2, …) of those that fit, best first. Usually one, at most three. None when none fits: an empty list is a good answer.
- certainty: "unsure" when the idea may as well be in one of several of them, or you cannot tell; else "sure".
- confidence: 0 to 1, how sure you are of the first one.
- same_features: only for markets that you chose: asked_for is the id (A1, A2, …) of something the idea says it will do, feature the id (M1.2) of the feature that means the same. Leave out what no feature means.`;

/**
 * The markets of the catalogue that a model may choose from: those of the products that it named, those near to what it
 * understood, and those near to the words of the idea, at most fifteen.
 */
export function candidateMarkets(about: Interpretation, idea: string): Category[] {
  const catalogue = openCatalogue();
  const near = (text: string, limit: number): Category[] =>
    marketsNear(text)
      .slice(0, limit)
      .flatMap(([id]) => catalogue.category(id) ?? []);
  const homes = (about.remembered ?? []).flatMap(({ name, url }) => {
    const known = catalogue.companyCalled(name) ?? (url ? catalogue.companyCalled(url) : undefined);
    return known ? [known.category] : [];
  });
  const often = [...Map.groupBy(homes, ({ id }) => id).values()].sort((left, right) => right.length - left.length).flatMap(([first]) => first ?? []);
  const understood = [about.oneLineSummary, about.category, ...about.askedFor.map(({ label }) => label)].join('. ');
  const found = [
    ...near(`${about.category}. ${about.subcategory}`, BY_WORDS),
    ...often.slice(0, BY_WORDS),
    ...near(understood, BY_MEANING),
    ...near(about.queries.join('. '), BY_WORDS),
    ...near(`${about.targetUser} ${about.problemStatement}`, BY_WORDS),
    ...near(idea, BY_WORDS),
    ...near(understood, CANDIDATES),
  ];
  return [...new Map(found.map((market) => [market.id, market])).values()].slice(0, CANDIDATES);
}

/** The idea in brief, the markets to choose from with what they are and do, and the task. */
export function chooseMarketsPrompt(about: Interpretation, candidates: readonly Category[], fence: Fence): string {
  const lines = candidates.map(({ name, audience, use_cases: uses, features }, at) => {
    const what = `for ${audience.slice(0, SHOWN_AUDIENCE).join(', ')}: ${uses.slice(0, SHOWN_USES).join('; ')}`;
    return `M${at + 1} ${name} (${what}). Features: ${features.map((feature, place) => `M${at + 1}.${place + 1} ${feature.name}`).join(', ')}`;
  });
  return [ideaInBrief(about, fence), `Markets of the catalogue, which may all be wrong:\n${lines.join('\n')}`, CHOOSE_MARKETS_TASK].join('\n\n');
}
