import { z } from 'zod';
import type { Interpretation } from '../analyst.ts';
import { ideaInBrief } from './idea-in-brief.ts';
import { MATERIAL_RULES } from '#platform/llm/material.ts';
import type { Material } from './material.ts';

const Ids = z.array(z.string()).default([]);

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
        features: Ids,
        evidence: Ids,
      }),
    )
    .default([]),
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

export const ANALYZE_SYSTEM = `You find out who is in a market and what they do, from the material alone. You know nothing about any company but what stands in the material: a product that you know from elsewhere does not exist here.

Fields of your answer:
- competitors: every product in the material that a user of this idea would otherwise use, nearest first, at most 16. Each with:
  - name: exactly as the material writes it.
  - description: one sentence on what it does and how near it comes to this idea.
  - url: its own address if the material shows it, else null. Never a guess.
  - established: true for a well-known incumbent, false for a newcomer or a small player.
  - founded, pricing, funding: only if the material says so, else null.
  - features: ids of the features it has according to the material: ids of known features, or of the ones you add below.
  - evidence: ids of the findings that name it, at least one.
- features: only features that web pages name and that none of the known features covers; the known ones are kept as they are. Each with id (a new lower-case-with-hyphens one), name (2 to 5 words), description (one sentence), asked_for (the idea says it will do this), evidence (at least one id).
- audience: 2 to 4 groups of users, as specific to this idea as the material allows.
- use_cases: 3 to 5 things they use such products for.
- market_evidence: ids that audience and use_cases rest on.

${MATERIAL_RULES}`;

const STRICT = `An earlier answer named nobody although there is material. Every known company in the material is a product that exists; name those that serve the same need, and the features the material describes. Answer with empty lists only if the material truly names no product.`;

/** The idea in brief and the findings that bear on it; `strict` after an empty answer. */
export const analyzePrompt = (about: Interpretation, material: Material, strict: boolean): string =>
  [ideaInBrief(about), material.text, ...(strict ? [STRICT] : []), 'Who is in this market, and what do they do?'].join('\n\n');
