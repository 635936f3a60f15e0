import { z } from 'zod';
import type { Fence } from '#platform/llm/material.ts';
import type { Interpretation } from '../analyst.ts';
import { ideaInBrief } from './idea-in-brief.ts';
import type { Material } from './material.ts';

const Ids = z.array(z.string()).default([]);

/** A feature that a product has, with the words of the material that say so; an id alone where the material lists it. */
const Has = z.preprocess((said) => (typeof said === 'string' ? { id: said } : said), z.object({ id: z.string(), words: z.string().default('') }));

export const AnalyzeAnswer = z.object({
  competitors: z
    .array(
      z.object({
        name: z.string(),
        description: z.string().default(''),
        url: z.string().nullable().default(null),
        established: z.boolean().default(false),
        founded: z.number().nullable().default(null),
        pricing: z.string().nullable().default(null),
        funding: z.string().nullable().default(null),
        features: z.array(Has).default([]),
        evidence: Ids,
      }),
    )
    .default([]),
  none_because: z.string().nullable().default(null),
  features: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string().default(''),
        asked_for: z.boolean().default(false),
        evidence: Ids,
      }),
    )
    .default([]),
  audience: z.array(z.string()).default([]),
  use_cases: z.array(z.string()).default([]),
  market_evidence: Ids,
});
export type AnalyzeAnswer = z.output<typeof AnalyzeAnswer>;

export const ANALYZE_TASK = `Task: find out who is in this market and what they do, from the material alone. A product that you know from elsewhere does not exist here, and of those in the material you know nothing but what stands there.

Fields of your answer:
- competitors: every product in the material that a user of this idea would otherwise use, nearest first, at most 16; leave out those that do another job. Each with:
  - name: exactly as the material writes it.
  - description: one sentence on what it does and how near it comes to this idea.
  - url: its own address if the material shows it, else null. Never a guess.
  - established: true for a well-known incumbent, false for a newcomer or a small player.
  - founded, pricing, funding: only if the material says so, else null.
  - features: what it has according to the material: {id, words}. id is one of the idea's (A1, …), of the market's (F1, …) or of the ones you add below; words are the few words of its own entry that say so, copied exactly, empty where its entry lists the id. Weigh what its summary says before what it lists.
  - evidence: ids of the findings that name it, at least one.
- none_because: null, unless no product in the material would serve these users: then one sentence that says why.
- features: only what web pages name, or the idea asks for, and no A or F means. Each with id (a new lower-case-with-hyphens one), name (2 to 5 words), description (one sentence), asked_for (the idea says it will do this), evidence (ids, may be empty when asked for).
- audience: 2 to 4 groups of users, as specific to this idea as the material allows.
- use_cases: 3 to 5 things they use such products for.
- market_evidence: ids that audience and use_cases rest on.`;

const STRICT = `An earlier answer named nobody and gave no reason, although there is material. Every known company in the material is a product that exists; name those that serve the same need, and the features the material describes. If truly none would serve these users, say in none_because why.`;

/** What the calls of an analysis share, byte for byte: the idea in brief and the findings that bear on it. */
export const sharedPrompt = (about: Interpretation, material: Material, fence: Fence): string =>
  [ideaInBrief(about, fence), material.text].join('\n\n');

/** The idea, its findings, and the task; `strict` after an empty answer. */
export const analyzePrompt = (about: Interpretation, material: Material, strict: boolean, fence: Fence): string =>
  [sharedPrompt(about, material, fence), ANALYZE_TASK, ...(strict ? [STRICT] : [])].join('\n\n');
