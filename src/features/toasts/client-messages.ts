import { z } from 'zod';
import { Topic } from './schema.ts';

const Topics = z.array(Topic).min(1).max(100);

/** What clients of toasts say. */
export const ToastMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subscribe'), topics: Topics }),
  z.object({ type: z.literal('unsubscribe'), topics: Topics }),
  z.object({
    type: z.literal('client_state'),
    foreground_state: z.enum(['foreground', 'background', 'unknown']),
    overlay_mounted: z.boolean().optional(),
  }),
  z.object({ type: z.literal('ping') }),
]);

const Place = { channel: z.enum(['project', 'brief', 'build']), id: z.uuid() };

/** What clients of channels say. */
export const ChannelMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subscribe'), ...Place, after_seq: z.int().min(0).default(0) }),
  z.object({ type: z.literal('unsubscribe'), ...Place }),
  z.object({ type: z.literal('ping') }),
]);

export type ErrorFrame = { type: 'error'; code: string; message: string };

export const errorFrame = (code: string, message: string, about: Record<string, string> = {}): ErrorFrame => ({
  type: 'error',
  code,
  message,
  ...about,
});

/** What a client said, or the frame that tells it why it was not understood. */
export function understood<T>(message: z.ZodType<T>, text: string): { said: T } | { error: ErrorFrame } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { error: errorFrame('invalid_message', 'not JSON') };
  }
  const read = message.safeParse(json);
  if (read.success) return { said: read.data };
  const [issue] = read.error.issues;
  if (issue?.code === 'invalid_union' && issue.path[0] === 'type') return { error: errorFrame('unknown_type', 'no such type of message') };
  return { error: errorFrame('invalid_message', `${issue?.path.join('.') || 'message'}: ${issue?.message ?? 'not understood'}`) };
}
