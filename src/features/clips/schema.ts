import { z } from 'zod';
import { listEnvelope, Timestamp } from '#platform/http/vocabulary.ts';

const Block = z.looseObject({
  blockType: z.string().meta({
    description: '`hero`, `stats`, `richText`, `featureList`, `callToAction`, `divider`, `sessionReplay`, `voteClip`, `roast_clip`; others may come',
  }),
});

export const ClipPage = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  description: z.string(),
  og_image_url: z.string().nullable(),
  blocks: z.array(Block),
  published: z.boolean(),
  sort_order: z.number(),
  research: z.record(z.string(), z.unknown()).nullable(),
});

const Advisor = z.object({
  persona: z.string(),
  text: z.string(),
  audio_url: z.string().nullable(),
  voice_id: z.string().nullable(),
});

const Session = z.object({
  audio_url: z.string().nullable(),
  transcript_segments: z.array(z.object({ speaker: z.string(), text: z.string(), t: z.number() })),
  advisors: z.array(Advisor),
  research_summary: z.string(),
  referrer_device_id: z.string().nullable(),
  cta: z.object({ label: z.string(), url: z.string() }).nullable(),
});

export const Playable = z.object({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  sessions: z.array(Session),
  /** Whether every recording has an address that can be played. */
  signed_urls_wired: z.boolean(),
});
export type Playable = z.output<typeof Playable>;

export const SentToMe = z.object({ ok: z.literal(true), slug: z.string(), to: z.string() });

export const LONGEST_COMMENT = 200;

const Vote = z.int().min(-1).max(1);
const Comment = z.string().max(LONGEST_COMMENT).optional();
export const CastVote = z.object({ vote: Vote.meta({ description: '1, -1, or 0 to take the vote back' }), comment: Comment });
/** The same from a form, whose fields are texts. */
export const Ballot = z.object({
  vote: z.enum(['1', '-1', '0']).transform(Number),
  // Browsers count a new line as one character and send two.
  comment: z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n'))
    .pipe(z.string().max(LONGEST_COMMENT))
    .optional(),
});
export const Voted = z.object({ ok: z.boolean(), total_up: z.int(), total_down: z.int(), ack_message: z.string() });
export type Voted = z.output<typeof Voted>;

export const Roasted = z.object({ ok: z.literal(true), ack_message: z.string() });

export const Roasts = listEnvelope(
  z.object({
    id: z.uuid(),
    sent_at: Timestamp,
    content_type: z.string(),
    size: z.int(),
    audio_url: z.string().nullable().meta({ description: 'holds for 5 minutes' }),
  }),
);

export const Comments = listEnvelope(z.object({ vote: z.int(), comment: z.string(), voted_at: Timestamp }));

/** A page as an operator writes it. */
export const PutClip = z.object({
  title: z.string().min(1).max(300),
  description: z.string().max(2000).default(''),
  og_image_url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  blocks: z.array(Block).max(200),
  published: z.boolean().default(true),
  sort_order: z.number().default(0),
  research: z.record(z.string(), z.unknown()).nullable().default(null),
  project_id: z.uuid().nullable().default(null),
});
export const OperatedClip = ClipPage.extend({ project_id: z.string().nullable() });
export const KeptRecording = z.object({ key: z.string(), content_type: z.string(), size: z.int() });
