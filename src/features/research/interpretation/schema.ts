import { z } from 'zod';

/** Words of the idea: UTF-16 units from its beginning, the end not among them, and what stands there. */
const Span = z.object({ start: z.int().min(0), end: z.int().min(1), quote: z.string() });

/** Rules quote; a model may say it in its own words, and has no span then; a user need not quote. */
const SaidBy = z.enum(['rules', 'model', 'user']);
export type SaidBy = z.output<typeof SaidBy>;

export const Statement = z.object({ text: z.string(), said_by: SaidBy, span: Span.nullable() });
export type Statement = z.output<typeof Statement>;

/** With the feature of a market that stands for it, where there is one. */
const Wish = Statement.extend({ feature_id: z.string().nullable() });
export type Wish = z.output<typeof Wish>;

const MarketReading = z.object({
  id: z.string(),
  name: z.string(),
  confidence: z.number().min(0).max(1),
  /** Whether the research is about it; the others were near. */
  chosen: z.boolean(),
  said_by: SaidBy,
  /** The words of the idea that speak for it, the most telling first. */
  words: z.array(Span),
});
export type MarketReading = z.output<typeof MarketReading>;

/** How an idea was understood. What the idea does not say is absent. */
export const IdeaInterpretation = z.object({
  user: Statement.optional(),
  pain: Statement.optional(),
  core_action: Statement.optional(),
  asked_for: z.array(Wish),
  not_asked_for: z.array(Statement),
  place: Statement.optional(),
  price: Statement.optional(),
  /** ISO 639-1 code; rests on the whole text. */
  language: Statement.optional(),
  /** At most three, those that the research is about first. */
  markets: z.array(MarketReading),
  /** Whether the market is known; what an older version understood does not say. */
  certainty: z.enum(['sure', 'unsure', 'unknown']).optional(),
});
export type IdeaInterpretation = z.output<typeof IdeaInterpretation>;

export const InterpretationAnswer = IdeaInterpretation.extend({
  job_id: z.uuid(),
  /** The research that this one corrects. */ corrects: z.uuid().nullable(),
});

const Text = z.string().trim().min(1).max(1000);
const Texts = z.array(z.string().trim().min(1).max(200)).max(20);

/** What is put right; a field that is left out stays as it was, null takes it away. */
export const Correction = z
  .strictObject({
    user: Text.nullable(),
    pain: Text.nullable(),
    core_action: Text.nullable(),
    asked_for: Texts.nullable(),
    not_asked_for: Texts.nullable(),
    place: Text.nullable(),
    price: Text.nullable(),
    language: z
      .string()
      .regex(/^[a-z]{2}$/)
      .nullable(),
    /** Ids of markets of the catalogue, best first; none means none. */
    markets: z.array(z.string().min(1).max(100)).max(3).nullable(),
  })
  .partial()
  .refine((correction) => Object.keys(correction).length > 0, 'Name at least one field to correct');
export type Correction = z.output<typeof Correction>;

export const CorrectionStarted = z.object({
  job_id: z.uuid(),
  corrects: z.uuid(),
  project_id: z.uuid().nullable(),
  status: z.literal('queued'),
  position: z.int(),
});
export const CorrectionReplayed = CorrectionStarted.omit({ status: true, position: true }).extend({ status: z.enum(['in_progress', 'completed']) });
