import { sql } from 'kysely';
import { z } from 'zod';
import { newId } from '../../lib/ids.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Db, Tx } from '../db/database.ts';
import { defineDocument, type Document, type Upcasts } from '../documents/define-document.ts';
import { defineJob, worked, type WorkedJob } from '../jobs/define-job.ts';
import type { Enqueue } from '../jobs/queue.ts';
import type { Logger } from '../observability/log.ts';
import type { Wakeups } from '../streams/wakeups.ts';
import {
  advanceSchedules,
  deleteSchedule,
  endRun,
  findRunning,
  findSchedule,
  lockDue,
  nextDue,
  putSchedule,
  type ScheduleRow,
} from './schedule-store.ts';
import { checkTiming, nextRun, storedTiming, type Timing } from './timing.ts';

/** What becomes of runs whose time passed while nothing was running: none, one in place of all, or each of them in turn. */
export type MissedRuns = 'skip' | 'once' | 'all';

/** One kind of work that comes back by itself. */
export type Schedule<P = unknown> = { name: string; payload: z.ZodType<P>; missed: MissedRuns; stored: Document<P> };

type Versions = { version?: number; upcasts?: Upcasts };

/** @param payload an object; where its shape changes, `version` is raised and `upcasts` lift what is stored */
export const defineSchedule = <P>(
  name: string,
  payload: z.ZodType<P>,
  missed: MissedRuns = 'once',
  { version = 1, upcasts = {} }: Versions = {},
): Schedule<P> => ({ name, payload, missed, stored: defineDocument(`payload of schedule ${name}`, payload, { version, upcasts }) });

/** A kind together with what it does; `at` is the moment the run was due. */
export type ScheduledWork = {
  schedule: Schedule;
  run(payload: unknown, run: { at: Date; userId: string | null; signal: AbortSignal }): Promise<void>;
};

export const scheduled = <P>(
  schedule: Schedule<P>,
  run: (payload: P, details: { at: Date; userId: string | null; signal: AbortSignal }) => Promise<void>,
): ScheduledWork => ({ schedule: schedule as Schedule, run: (payload, details) => run(schedule.stored.read(payload), details) });

export type Schedules = {
  /**
   * Creates the schedule of a kind and key, or changes the one that is there. In the caller's transaction.
   * @param options.userId whom it belongs to; null for the installation
   * @throws AppError 422 when the timing cannot be understood or never comes
   */
  put<P>(tx: Db | Tx, schedule: Schedule<P>, key: string, options: { userId: string | null; timing: Timing; payload: P }): Promise<void>;
  find(db: Db | Tx, schedule: Pick<Schedule, 'name'>, key: string): Promise<ScheduleRow | null>;
  remove(tx: Db | Tx, schedule: Pick<Schedule, 'name'>, key: string): Promise<void>;
};

type Needs = { db: Db; queue: Enqueue; wakeups: Wakeups; clock: { now(): Date }; log: Logger };

const Due = z.object({ id: z.string(), kind: z.string(), at: z.coerce.date() });
/** However many fall due at once, most of a process's places stay free for others. */
const AT_ONCE_IN_ONE_PROCESS = 32;
const scheduleRun = defineJob({ name: 'schedule.run', payload: Due, concurrency: AT_ONCE_IN_ONE_PROCESS });

const TOPIC = 'schedules';
/** In the caller's transaction: whoever hears of it sees the row. */
const wake = (tx: Db | Tx) => sql`select pg_notify('groundwork', ${TOPIC})`.execute(tx);

/** Schedules that one transaction of a tick begins. */
const AT_ONCE = 500;
const LONGEST_SLEEP_MS = 30_000;
/** A run that begins later than this after its time counts as missed. */
const MISSED_AFTER_MS = 60_000;

/** Schedules, the job that works them, and the tick, which any number of nodes may keep up at once. */
export function openSchedules(
  needs: () => Needs,
  works: readonly ScheduledWork[],
): { schedules: Schedules; job: WorkedJob; tick(): Promise<number> } {
  const byKind = new Map(works.map((work) => [work.schedule.name, work]));
  return {
    schedules: {
      put: async (tx, { name, payload, stored }, key, { userId, timing, payload: given }) => {
        checkTiming(timing);
        const row = {
          id: newId(),
          kind: name,
          key,
          owner_id: userId,
          timing: storedTiming.write(timing),
          payload: stored.write(payload.parse(given)),
        };
        await putSchedule(tx, { ...row, next_run_at: nextRun(timing, needs().clock.now()) });
        await wake(tx);
      },
      find: (db, { name }, key) => findSchedule(db, name, key),
      remove: (tx, { name }, key) => deleteSchedule(tx, name, key),
    },
    job: worked(
      scheduleRun,
      async ({ id, at }, { signal }) => {
        const { db } = needs();
        const row = await findRunning(db, id, at);
        if (!row) return;
        await byKind.get(row.kind)?.run(row.payload, { at, userId: row.owner_id, signal });
        await endRun(db, id, at, null);
        await wake(needs().db);
      },
      async ({ id, at }, error) => {
        await endRun(needs().db, id, at, messageOf(error));
        await wake(needs().db);
      },
    ),
    tick: () => tick(needs(), byKind),
  };
}

/** Begins what is due; gives how many schedules were due. Of several nodes each takes what no other holds. */
async function tick({ db, queue, clock }: Needs, byKind: ReadonlyMap<string, ScheduledWork>): Promise<number> {
  let seen = 0;
  for (;;) {
    const count = await db.transaction().execute(async (tx) => {
      const now = clock.now();
      const due = await lockDue(tx, now, AT_ONCE);
      const steps = due.map((row) => stepOf(row, byKind.get(row.kind)?.schedule.missed ?? 'skip', now));
      if (steps.length > 0) await advanceSchedules(tx, steps);
      const begun = steps.flatMap(({ id, kind, runningAt }) => (runningAt ? [{ id, kind, at: runningAt }] : []));
      await queue.sendAll(tx, scheduleRun, begun);
      return due.length;
    });
    seen += count;
    if (count < AT_ONCE) return seen;
  }
}

function stepOf({ id, kind, timing: stored, next_run_at }: ScheduleRow, missed: MissedRuns, now: Date) {
  const timing = storedTiming.read(stored);
  const at = next_run_at ?? now;
  const late = now.getTime() - at.getTime() > MISSED_AFTER_MS;
  return {
    id,
    kind,
    runningAt: late && missed === 'skip' ? null : at,
    nextRunAt: nextRun(timing, late && missed !== 'all' ? now : at),
  };
}

/** Keeps the tick up until stopped: asleep until the next schedule is due, at most half a minute. */
export function keepTicking(needs: Needs, tickOnce: () => Promise<number>): () => Promise<void> {
  const stopping = new AbortController();
  const changed = needs.wakeups.subscribe(TOPIC, { patient: true });
  const loop = async () => {
    while (!stopping.signal.aborted) {
      let sleep = LONGEST_SLEEP_MS;
      try {
        const next = await nextDue(needs.db);
        const until = next ? next.getTime() - needs.clock.now().getTime() : LONGEST_SLEEP_MS;
        if (until <= 0) await tickOnce();
        sleep = Math.max(0, Math.min(LONGEST_SLEEP_MS, until));
      } catch (error) {
        if (!stopping.signal.aborted) needs.log.error({ err: error }, 'the schedules could not be read');
      }
      await changed.next(AbortSignal.any([stopping.signal, AbortSignal.timeout(sleep)]));
    }
  };
  const running = loop();
  return async () => {
    stopping.abort();
    await running;
    changed.close();
  };
}
