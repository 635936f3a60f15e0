import type { Category } from '#features/catalogue';
import { collapseSpaces, shorten } from '#lib/text.ts';
import type { Interpretation, Remembered } from '../analyst.ts';
import type { ChooseMarketsAnswer } from '../prompts/choose-markets.ts';
import type { InterpretAnswer } from '../prompts/interpret.ts';

const MARKETS = 3;
const QUERIES = 4;
const ASKED_FOR = 12;
const REMEMBERED = 10;

/** A model's reading of an idea, before its market is chosen. */
export function readInterpretation(idea: string, answer: InterpretAnswer): Interpretation {
  const normalizedIdea = collapseSpaces(answer.normalized_idea) || collapseSpaces(idea);
  return {
    language: /^[a-z]{2}/i.exec(answer.language)?.[0].toLowerCase() ?? 'en',
    normalizedIdea,
    productName: namedIn(idea, answer.product_name),
    shortTitle: collapseSpaces(answer.short_title).split(' ').slice(0, 3).join(' '),
    oneLineSummary: shorten(answer.one_line_summary || normalizedIdea, 200),
    targetUser: collapseSpaces(answer.target_user),
    problemStatement: collapseSpaces(answer.problem_statement),
    proposedSolution: collapseSpaces(answer.proposed_solution),
    category: collapseSpaces(answer.category),
    subcategory: collapseSpaces(answer.subcategory),
    marketType: collapseSpaces(answer.market_type),
    categoryIds: [],
    confidence: 0,
    certainty: 'unknown',
    remembered: rememberedIn(answer),
    clarity: { user: share(answer.clarity.user), problem: share(answer.clarity.problem), solution: share(answer.clarity.solution) },
    askedFor: distinct(answer.asked_for)
      .slice(0, ASKED_FOR)
      .map((label) => ({ label, featureId: null })),
    unasked: distinct(answer.not_asked_for).slice(0, ASKED_FOR),
    ...quoted('place', answer.place),
    ...quoted('price', answer.price),
    queries: queriesOf(answer.queries, normalizedIdea),
  };
}

/** The same with the markets that a model chose among the candidates, and the features of theirs that mean what is asked for. */
export function inChosenMarkets(about: Interpretation, answer: ChooseMarketsAnswer, candidates: readonly Category[]): Interpretation {
  const places = [...new Set(answer.markets.map((id) => Number(/^\W*m(\d+)\W*$/i.exec(id.trim())?.[1] ?? 0)))];
  const chosen = places.filter((place) => candidates[place - 1] !== undefined).slice(0, MARKETS);
  const markets = chosen.flatMap((place) => candidates[place - 1] ?? []);
  const [market, second] = markets;
  if (!market) return about;
  const features = new Map(
    answer.same_features.flatMap(({ asked_for: asked, feature }) => {
      const [, at = '', place = ''] = /m(\d+)\.(\d+)/i.exec(feature) ?? [];
      const id = chosen.includes(Number(at)) ? candidates[Number(at) - 1]?.features[Number(place) - 1]?.id : undefined;
      return id === undefined ? [] : [[placeOf(asked), id] as const];
    }),
  );
  return {
    ...about,
    category: market.name,
    subcategory: second?.name ?? about.subcategory,
    marketType: market.market_type,
    categoryIds: markets.map(({ id }) => id),
    confidence: share(answer.confidence),
    certainty: answer.certainty,
    askedFor: about.askedFor.map(({ label }, place) => ({ label, featureId: features.get(place + 1) ?? null })),
  };
}

/** The place that a short id of something asked for means, from 1; 0 for anything else. */
export const placeOf = (id: string): number => Number(/^\W*a(\d+)\W*$/i.exec(id.trim())?.[1] ?? 0);

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.map(collapseSpaces).filter(Boolean))];

const quoted = (field: 'place' | 'price', text: string | null): Pick<Interpretation, 'place' | 'price'> => {
  const said = collapseSpaces(text ?? '');
  return said ? { [field]: said } : {};
};

const share = (value: number): number => Math.min(1, Math.max(0, value));

/** Products with an address of the web, each name and each address once. */
function rememberedIn({ known_products: products }: InterpretAnswer): Remembered[] {
  const seen = new Set<string>();
  return products
    .flatMap(({ name, url, why }) => {
      const address = homepageOf(url);
      const called = shorten(collapseSpaces(name), 80);
      return address && called ? [{ name: called, url: address, why: shorten(why, 200) }] : [];
    })
    .filter(({ name, url }) => [name.toLowerCase(), url].every((key) => !seen.has(key)) && seen.add(name.toLowerCase()) && seen.add(url))
    .slice(0, REMEMBERED);
}

/** An address without whatever a page could be told by it. */
function homepageOf(written: string): string | undefined {
  const text = written.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !['http:', 'https:'].includes(url.protocol) || !url.hostname.includes('.')) return undefined;
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** A name counts only when the text itself has it. */
const namedIn = (idea: string, name: string | null): string | null =>
  name && idea.toLowerCase().includes(name.trim().toLowerCase()) ? collapseSpaces(name) || null : null;

function queriesOf(queries: readonly string[], idea: string): string[] {
  const asked = [...new Set(queries.map((query) => shorten(query, 160)).filter(Boolean))].slice(0, QUERIES);
  return asked.length > 0 ? asked : [shorten(idea, 120)];
}
