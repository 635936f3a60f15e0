import { z } from 'zod';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { defineSchedule } from '#platform/schedules/schedules.ts';
import { settingsOf } from './settings-store.ts';

/** `key` is its own: that of the owner whom it was made for. */
export const weeklyDigest = defineSchedule('notifications.digest', z.object({ key: z.string() }), 'once');

/** Mondays at nine, on the user's clock. */
const WEEKLY = '0 9 * * 1';

/** Sees to it that what is to be told is, once a week; who has nothing to be told has no schedule. */
export async function planDigest(ctx: Needs<'schedules'>, tx: Tx, userId: string): Promise<void> {
  if (!(await ctx.schedules.find(tx, weeklyDigest, userId))) await putDigest(ctx, tx, userId);
}

/** The schedule on the clock that the user has by now. */
export async function moveDigest(ctx: Needs<'schedules'>, tx: Tx, userId: string): Promise<void> {
  if (await ctx.schedules.find(tx, weeklyDigest, userId)) await putDigest(ctx, tx, userId);
}

async function putDigest({ schedules }: Needs<'schedules'>, tx: Tx, userId: string): Promise<void> {
  const { time_zone: timeZone } = await settingsOf(tx, userId);
  await schedules.put(tx, weeklyDigest, userId, { userId, timing: { kind: 'cron', expression: WEEKLY, timeZone }, payload: { key: userId } });
}
