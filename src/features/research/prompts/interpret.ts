import { z } from 'zod';
import { openCatalogue, type Category } from '#features/catalogue';
import { MATERIAL_RULES, quoted } from '#platform/llm/material.ts';

// As many markets as the catalogue is searched for afterwards: another choice would find nothing.
const CANDIDATES = 3;

const Share = z.number().catch(0);

export const InterpretAnswer = z.object({
  contentless: z.boolean().default(false).describe('true only when the text says nothing a product could be made of'),
  language: z.string().default('en').describe('ISO 639-1 code of the language of the idea'),
  normalized_idea: z.string().default(''),
  product_name: z.string().nullable().default(null),
  short_title: z.string().default(''),
  one_line_summary: z.string().default(''),
  target_user: z.string().default(''),
  problem_statement: z.string().default(''),
  proposed_solution: z.string().default(''),
  category: z.string().default(''),
  subcategory: z.string().default(''),
  market_type: z.string().default(''),
  category_ids: z.array(z.string()).default([]),
  confidence: Share.describe('0 to 1'),
  clarity: z.object({ user: Share, problem: Share, solution: Share }).default({ user: 0, problem: 0, solution: 0 }),
  asked_for: z.array(z.object({ label: z.string(), feature_id: z.string().nullable().default(null) })).default([]),
  not_asked_for: z.array(z.string()).default([]),
  place: z.string().nullable().default(null),
  price: z.string().nullable().default(null),
  queries: z.array(z.string()).default([]),
});
export type InterpretAnswer = z.output<typeof InterpretAnswer>;

export const INTERPRET_SYSTEM = `You read a product idea that somebody typed and say what it is, before a market research. You add nothing that the text does not say and you do not judge it. Write English, whatever language the idea is in; keep names as they are.

Fields of your answer:
- contentless: true only for gibberish, greetings, or wishes without a product in them ("an app that makes money"). A strange, bad or vague idea that still names a thing, a user or a problem is not contentless. When true, leave the other texts empty.
- language: ISO 639-1 code of the idea's own language.
- normalized_idea: the idea in one clean paragraph, without typos and rambling.
- product_name: the product's own name if the text gives one, else null.
- short_title: at most three words that say what it is, such as "Learning Grocery List".
- one_line_summary: one sentence of at most 20 words.
- target_user, problem_statement, proposed_solution: one sentence each, as specific as the text; empty where it says nothing.
- category_ids: ids of the candidate markets that the idea is really in, best first, at most two, only from the list; empty when none fits.
- category, subcategory, market_type: the market in plain words, the niche in it, and b2c, b2b, b2b2c, marketplace, prosumer or developer.
- confidence: 0 to 1, how sure the market is.
- clarity: 0 to 1 each, whether the text says who it is for, what hurts them, and what is to be built. 0 is "not a word", 1 is "so concrete that two people would build the same".
- asked_for: every single thing the product is said to do, in the idea's words (2 to 6 words each), with the id of the candidate feature that means the same, else null. Nothing that is only obvious or usual.
- not_asked_for: what the text says the product does without ("without sound" is "sound"), in its words. Never list these under asked_for.
- place, price: where it is for and what it is to cost, quoted from the text; null where it says nothing.
- queries: 3 to 4 web searches: the need in a user's words, alternatives to the obvious product, the solution with its market. When the idea is not in English, half of them in its language.

${MATERIAL_RULES}`;

/** The markets of the catalogue that a model may choose from. */
export const candidateMarkets = (idea: string): Category[] =>
  openCatalogue()
    .search(idea, { limit: CANDIDATES })
    .categories.map(({ category }) => category);

/** The idea between delimiters, with the nearest markets of the catalogue to choose from. */
export function interpretPrompt(idea: string): string {
  const candidates = candidateMarkets(idea).map(
    (category) => `- ${category.id}: ${category.name}. Features: ${category.features.map(({ id, name }) => `${id} (${name})`).join(', ')}`,
  );
  return [
    quoted('The idea, as its author typed it', idea),
    candidates.length > 0 ? `Candidate markets, which may all be wrong:\n${candidates.join('\n')}` : 'There are no candidate markets.',
    'What is this idea?',
  ].join('\n\n');
}
