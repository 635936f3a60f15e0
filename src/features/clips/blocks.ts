import { z } from 'zod';
import type { ContentBlock } from '#platform/ports/content-store/port.ts';

/** Whoever writes pages may leave anything out; what is not as expected counts as left out. */
const Text = z.string().catch('');
const Optional = z.string().min(1).nullable().catch(null);
const Count = z.number().catch(0);
const MOST_ITEMS = 500;
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) => items.slice(0, MOST_ITEMS).flatMap((each) => item.safeParse(each).data ?? []) as z.output<T>[]);

const Segment = z.object({ speaker: Text, text: Text, t: Count });
/** Audio is the key of a blob, or an address of the web. */
const Advisor = z.object({ persona: Text, text: Text, audio_key: Optional, voice_id: Optional });
const Link = z.object({ label: z.string().min(1), url: z.string().min(1) });

/** The kinds of block that are shown, by `blockType`. */
const BLOCKS = {
  hero: z.object({ eyebrow: Text, title: Text, subtitle: Text }),
  stats: z.object({ heading: Text, items: listOf(z.object({ label: Text, value: z.union([z.string(), z.number()]).transform(String) })) }),
  /** `text`: paragraphs between blank lines; `content`: what the editor of the content system makes. */
  richText: z.object({ heading: Text, text: Text, content: z.unknown().optional() }),
  featureList: z.object({ heading: Text, items: listOf(z.object({ title: Text, description: Text, tag: Text })) }),
  callToAction: z.object({ text: Text, label: Text, url: Text }),
  divider: z.object({}),
  sessionReplay: z.object({
    title: Text,
    audio_key: Optional,
    transcript_segments: listOf(Segment),
    advisors: listOf(Advisor),
    research_summary: Text,
    referrer_device_id: Optional,
    cta: Link.nullable().catch(null),
  }),
  voteClip: z.object({ question: Text, up_label: Text, down_label: Text, ack_message: Text }),
  roast_clip: z.object({ prompt: Text, ack_message: Text }),
} as const;

type Kind = keyof typeof BLOCKS;

export type ClipBlock = { [K in Kind]: { kind: K } & z.output<(typeof BLOCKS)[K]> }[Kind];
export type BlockOf<K extends Kind> = Extract<ClipBlock, { kind: K }>;

/** The blocks of a page that are known here, in their order; others are for other clients. */
export const knownBlocks = (blocks: readonly ContentBlock[]): ClipBlock[] =>
  blocks.flatMap((block) => {
    const kind = block.blockType;
    if (!isKind(kind)) return [];
    const { success, data } = BLOCKS[kind].safeParse(block);
    return success ? [{ kind, ...data } as ClipBlock] : [];
  });

const isKind = (kind: string): kind is Kind => Object.hasOwn(BLOCKS, kind);

export const blocksOf = <K extends Kind>(blocks: readonly ContentBlock[], kind: K): BlockOf<K>[] =>
  knownBlocks(blocks).filter((block): block is BlockOf<K> => block.kind === kind);
