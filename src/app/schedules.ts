import { z } from 'zod';
import { requeueAliases } from '#features/auth';
import { sweepBilling } from '#features/billing';
import { sendDigest, weeklyDigest } from '#features/notifications';
import { listWaitingUsers, replayRequests } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import { defineSchedule, scheduled, type ScheduledWork, type Schedules } from '#platform/schedules/schedules.ts';
import { retention } from './retention.ts';

const sweep = defineSchedule('platform.sweep', z.object({}), 'once');

/** Everything that comes back by itself. @param ctx read when a run begins */
export const scheduledWork = (ctx: () => AppContext): readonly ScheduledWork[] => [
  scheduled(sweep, () => sweepUp(ctx())),
  scheduled(weeklyDigest, async ({ key }, { at, userId }) => {
    if (userId !== null) await sendDigest(ctx(), { userId, key, at });
  }),
];

/** Puts the schedules of the installation itself; one that is there keeps its next run. */
export const putSchedules = ({ db }: AppContext, schedules: Schedules): Promise<void> =>
  schedules.put(db, sweep, 'hourly', { userId: null, timing: { kind: 'cron', expression: '17 * * * *', timeZone: 'UTC' }, payload: {} });

async function sweepUp(ctx: AppContext): Promise<void> {
  const removed: Record<string, number> = {};
  for (const { what, remove } of retention) removed[what] = await remove(ctx);
  // A request whose owner changed, or whose replay was lost, is found again here.
  for (const userId of await listWaitingUsers(ctx.db)) await replayRequests(ctx, userId);
  await requeueAliases(ctx);
  await sweepBilling(ctx);
  ctx.log.info({ removed }, 'swept what is old');
}
