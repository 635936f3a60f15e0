import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { defineSchedule, scheduled, type ScheduledWork } from '#platform/schedules/schedules.ts';

const trialWatering = defineSchedule('trial.watering', z.object({ plant: z.string() }), 'once');

/** A user's own schedule: five fields of cron in the user's time zone. */
export const putWatering = ({ schedules }: Pick<AppContext, 'schedules'>, tx: Tx, userId: string, cron: string, timeZone: string): Promise<void> =>
  schedules.put(tx, trialWatering, userId, { userId, timing: { kind: 'cron', expression: cron, timeZone }, payload: { plant: 'fern' } });

export const watering = (ctx: () => AppContext): ScheduledWork =>
  scheduled(trialWatering, async ({ plant }, { at, userId }) => {
    await sql`insert into trial_waterings (owner_id, plant, at) values (${userId}, ${plant}, ${at})`.execute(ctx().db);
  });
