import { z } from 'zod';
import type { Interpretation } from '../analyst.ts';
import { ideaInBrief } from './idea-in-brief.ts';
import { MATERIAL_RULES } from '#platform/llm/material.ts';
import type { Material } from './material.ts';

export const JudgeAnswer = z.object({
  off_topic: z.array(z.object({ id: z.string(), reason: z.string().default('') })).default([]),
});
export type JudgeAnswer = z.output<typeof JudgeAnswer>;

export const JUDGE_SYSTEM = `You sort the material of a market research before it is analysed. You name what does not bear on the idea, and nothing else.

Fields of your answer:
- off_topic: one entry for every finding that would mislead an analyst: a company of another market, a page that shares a word but not the subject, an advertisement without content, a page that did not load. id is its id, reason one short clause.

Keep whatever tells about rivals, substitutes, prices, users, complaints or features of this market, even when it is unwelcome. Keep known companies and features of the right market. When in doubt, keep. If everything bears on the idea, answer with an empty list.

${MATERIAL_RULES}`;

/** The idea in brief and all findings, a little of each. */
export const judgePrompt = (about: Interpretation, material: Material): string =>
  [ideaInBrief(about), material.text, 'Which findings do not bear on this idea?'].join('\n\n');
