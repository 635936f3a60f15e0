import { z } from 'zod';
import type { Fence } from '#platform/llm/material.ts';
import type { Interpretation } from '../analyst.ts';
import { ideaInBrief } from './idea-in-brief.ts';
import type { Material } from './material.ts';

export const JudgeAnswer = z.object({
  off_topic: z.array(z.object({ id: z.string(), reason: z.string().default('') })).default([]),
});
export type JudgeAnswer = z.output<typeof JudgeAnswer>;

export const JUDGE_TASK = `Task: sort these web pages before they are analysed. You name what does not bear on the idea, and nothing else.

Fields of your answer:
- off_topic: one entry for every page that would mislead an analyst: a company of another market, a page that shares a word but not the subject, an advertisement without content, a page that did not load. id is its id, reason one short clause.

Keep whatever tells about rivals, substitutes, prices, users, complaints or features of this market, even when it is unwelcome. When in doubt, keep. If everything bears on the idea, answer with an empty list.`;

/** The idea in brief, a little of each page, and the task. */
export const judgePrompt = (about: Interpretation, material: Material, fence: Fence): string =>
  [ideaInBrief(about, fence), material.text, JUDGE_TASK].join('\n\n');
