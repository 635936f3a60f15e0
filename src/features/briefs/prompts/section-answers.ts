import { z } from 'zod';
import type { SectionType } from '../states.ts';

const Ids = z.array(z.string()).default([]);
export const Statement = z.object({ text: z.string(), evidence: Ids });
export type Statement = z.output<typeof Statement>;
const Statements = z.array(Statement).default([]);
const Perhaps = Statement.nullish().transform((value) => value ?? null);

const RivalsAnswer = z.object({
  rivals: z.array(z.object({ id: z.string(), strengths: Statements, weaknesses: Statements, meaning: Perhaps })).default([]),
});

/** What a model is asked for: sentences to the places of a section. Facts are filled in from the research. */
export const ANSWERS = {
  market_map: z.object({ summary: Statements, segments: z.array(z.object({ closeness: z.string(), note: Perhaps })).default([]) }),
  incumbents: RivalsAnswer,
  emerging: RivalsAnswer,
  features: z.object({ features: z.array(z.object({ id: z.string(), reason: Perhaps })).default([]) }),
  market_gaps: z.object({ gaps: z.array(z.object({ id: z.string(), description: Perhaps, caution: Perhaps })).default([]) }),
  positioning: z.object({
    statement: Perhaps,
    pillars: Statements,
    against: z.array(z.object({ rival_id: z.string(), line: Perhaps })).default([]),
    objections: Statements,
  }),
  mvp_angle: z.object({
    wedge: Perhaps,
    build_first: z.array(z.object({ id: z.string(), reason: Perhaps })).default([]),
    leave_out: z.array(z.object({ id: z.string(), reason: Perhaps })).default([]),
    risks: Statements,
  }),
} as const satisfies Record<SectionType, z.ZodType>;

export type Answers = { [S in SectionType]: z.output<(typeof ANSWERS)[S]> };
