import { z } from 'zod';
import { Publishing, Toast, Topic } from '#features/toasts';
import { isTimeZone } from './quiet-hours.ts';

export const PersonalUrl = z.object({ slug: z.string(), url: z.string() });
export const Ok = z.object({ ok: z.literal(true) });
export const MOST_PERSONAL_BYTES = 1024;

export const PublishRequest = z.object({
  user_id: z.string().min(1).max(400),
  topic: Topic,
  toast: Toast,
  ...Publishing,
  fallback_apns: z.boolean().default(true),
});
export type PublishRequest = z.output<typeof PublishRequest>;

export const Published = z.object({
  delivered: z.boolean(),
  transport: z.enum(['websocket', 'push', 'none']),
  session_count: z.int(),
});

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00');
const TimeZone = z.string().max(100).refine(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin');
const Afterwards = z.enum(['push', 'digest']);
export type Afterwards = z.output<typeof Afterwards>;

export const QuietHoursRequest = z
  .object({
    from: TimeOfDay,
    to: TimeOfDay,
    time_zone: TimeZone,
    afterwards: Afterwards.default('push').describe('what becomes of what came: `push` when they end, or part of the weekly `digest`'),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must differ from `from`' });
export type QuietHoursRequest = z.output<typeof QuietHoursRequest>;

export const QuietHoursAnswer = z.object({
  quiet_hours: z.object({ from: z.string(), to: z.string(), time_zone: z.string(), afterwards: Afterwards }).nullable(),
});
export const Success = z.object({ success: z.literal(true) });
