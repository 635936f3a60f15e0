import type { Category } from '#features/catalogue';
import { collapseSpaces, shorten } from '#lib/text.ts';
import type { Interpretation } from '../analyst.ts';
import { candidateMarkets, type InterpretAnswer } from '../prompts/interpret.ts';

const MARKETS = 2;
const QUERIES = 4;
const ASKED_FOR = 12;

/** A model's reading of an idea with everything that refers to the catalogue held against it. */
export function readInterpretation(idea: string, answer: InterpretAnswer): Interpretation {
  const candidates = candidateMarkets(idea);
  const markets = [...new Set(answer.category_ids)].flatMap((id) => candidates.find((market) => market.id === id) ?? []).slice(0, MARKETS);
  const [market] = markets;
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
    category: market?.name ?? collapseSpaces(answer.category),
    subcategory: collapseSpaces(answer.subcategory) || (markets[1]?.name ?? ''),
    marketType: market?.market_type ?? collapseSpaces(answer.market_type),
    categoryIds: markets.map(({ id }) => id),
    confidence: share(answer.confidence),
    clarity: { user: share(answer.clarity.user), problem: share(answer.clarity.problem), solution: share(answer.clarity.solution) },
    askedFor: answer.asked_for
      .map(({ label, feature_id: id }) => ({ label: collapseSpaces(label), featureId: id !== null && hasFeature(markets, id) ? id : null }))
      .filter(({ label }) => label !== '')
      .slice(0, ASKED_FOR),
    unasked: answer.not_asked_for.map(collapseSpaces).filter(Boolean).slice(0, ASKED_FOR),
    ...quoted('place', answer.place),
    ...quoted('price', answer.price),
    queries: queriesOf(answer.queries, normalizedIdea),
  };
}

const quoted = (field: 'place' | 'price', text: string | null): Pick<Interpretation, 'place' | 'price'> => {
  const said = collapseSpaces(text ?? '');
  return said ? { [field]: said } : {};
};

const share = (value: number): number => Math.min(1, Math.max(0, value));

const hasFeature = (markets: readonly Category[], id: string): boolean =>
  markets.some((market) => market.features.some((feature) => feature.id === id));

/** A name counts only when the text itself has it. */
const namedIn = (idea: string, name: string | null): string | null =>
  name && idea.toLowerCase().includes(name.trim().toLowerCase()) ? collapseSpaces(name) || null : null;

function queriesOf(queries: readonly string[], idea: string): string[] {
  const asked = [...new Set(queries.map((query) => shorten(query, 160)).filter(Boolean))].slice(0, QUERIES);
  return asked.length > 0 ? asked : [shorten(idea, 120)];
}
