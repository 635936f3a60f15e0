import { z } from 'zod';
import { quoted, type Fence } from '#platform/llm/material.ts';

const Share = z.number().catch(0);
/** Some answer with an object for each thing. */
const Label = z.preprocess((said) => (said !== null && typeof said === 'object' && 'label' in said ? said.label : said), z.string());

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
  clarity: z.object({ user: Share, problem: Share, solution: Share }).default({ user: 0, problem: 0, solution: 0 }),
  asked_for: z.array(Label).default([]),
  not_asked_for: z.array(z.string()).default([]),
  place: z.string().nullable().default(null),
  price: z.string().nullable().default(null),
  queries: z.array(z.string()).default([]),
  known_products: z.array(z.object({ name: z.string(), url: z.string().default(''), why: z.string().default('') })).default([]),
});
export type InterpretAnswer = z.output<typeof InterpretAnswer>;

export const INTERPRET_TASK = `Task: read this idea, which somebody typed, and say what it is before its market is researched. Add nothing that the text does not say: no name, no number, no address, no feature, no user. Do not judge it.

Fields of your answer:
- contentless: true only for gibberish, greetings, questions of fact, song text, or wishes without a product in them ("an app that makes money"). A strange, bad or vague idea that still names a thing, a user or a problem is not contentless, however short. When true, leave the other texts empty.
- language: ISO 639-1 code of the idea's own language.
- normalized_idea: the idea in one clean paragraph, without typos and rambling.
- product_name: the product's own name if the text gives one, else null.
- short_title: at most three words that say what it is, such as "Learning Grocery List".
- one_line_summary: one sentence of at most 20 words.
- target_user, problem_statement, proposed_solution: one sentence each, as specific as the text; empty where it says nothing.
- category, subcategory: the market in plain words (2 to 5 words, no product names) as somebody who buys there would call it, and the niche in it.
- market_type: b2c, b2b, b2b2c, marketplace, prosumer or developer.
- clarity: 0 to 1 each, whether the text says who it is for, what hurts them, and what is to be built. 0 is "not a word", 1 is "so concrete that two people would build the same".
- asked_for: every single thing the product is said to do, in the idea's words (2 to 6 words each). Nothing that is only obvious or usual.
- not_asked_for: what the text says the product does without ("without sound" is "sound"), in its words. Never list these under asked_for.
- place, price: where it is for and what it is to cost, quoted from the text; null where it says nothing.
- queries: 3 to 4 web searches: the need in a user's words, alternatives to the obvious product, the solution with its market. When the idea is not in English, half of them in its language.
- known_products: the one field that rests on your memory and not on the text: up to ten products that exist and that somebody with this problem would use today, nearest first, those of the idea's own country included. name, url (the address of its homepage), why (half a sentence on what it does for them). Only what you are sure of; an empty list is fine. Each page is looked at before anything is said of the product.`;

/** The idea between delimiters, and the task. */
export const interpretPrompt = (idea: string, fence: Fence): string =>
  [quoted('The idea, as its author typed it', idea, fence), INTERPRET_TASK].join('\n\n');
