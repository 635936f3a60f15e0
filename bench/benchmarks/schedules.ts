// What a tick of the schedules costs when there are ten thousand: with none due, and with all of them due at once.
import { z } from 'zod';
import { sql } from 'kysely';
import { newId } from '../../src/lib/ids.ts';
import type { Enqueue } from '#platform/jobs/queue.ts';
import { nextDue } from '#platform/schedules/schedule-store.ts';
import { defineSchedule, openSchedules, scheduled } from '#platform/schedules/schedules.ts';
import { storedTiming, type Timing } from '#platform/schedules/timing.ts';
import { median, milliseconds, percentile, report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { startInProcess, type InProcess } from '../parts/in-process.ts';

const SCHEDULES = 10_000;
const ROUNDS = 50;
const DUE_TOGETHER = 100;
/** Nothing of the installation's own falls due meanwhile. */
const START = Date.parse('2031-05-01T00:30:00Z');
const HOUR_MS = 60 * 60_000;
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];

await using kept = new AsyncDisposableStack();
for (const place of await places(kept)) await measure(place);

async function measure(place: Place): Promise<void> {
  await using service = await startInProcess({ ...place.env, ROLES: 'api' });
  const { ctx } = service;
  const kind = defineSchedule('bench.schedule', z.object({}), 'skip');
  let now = START;
  let begun = 0;
  const queue: Enqueue = {
    send: ctx.queue.send,
    sendAll: async (tx, job, payloads) => {
      begun += payloads.length;
      await ctx.queue.sendAll(tx, job, payloads);
    },
  };
  const { tick } = openSchedules(() => ({ ...ctx, queue, clock: { now: () => new Date(now) } }), [scheduled(kind, async () => {})]);
  await fill(service, kind.name);

  const looks: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) looks.push(await timed(() => nextDue(ctx.db)));
  const idle: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) idle.push(await timed(tick));
  report({
    measure: `a look at ${SCHEDULES} schedules of which none is due, on ${place.name}`,
    value: `${milliseconds(median(looks))}, p95 ${milliseconds(percentile(looks, 0.95))}; a tick ${milliseconds(median(idle))}, p95 ${milliseconds(percentile(idle, 0.95))}`,
  });

  await sql`update schedules set next_run_at = to_timestamp(${START / 1000})
    where id in (select id from schedules where kind = ${kind.name} limit ${DUE_TOGETHER})`.execute(ctx.db);
  const some = await timed(tick);
  report({
    measure: `a tick with ${begun} of ${SCHEDULES} schedules due, on ${place.name}`,
    value: `${milliseconds(some)}, ${milliseconds(some / begun)} each`,
  });

  begun = 0;
  await sql`update schedules set running_at = null`.execute(ctx.db);
  now = START + 24 * HOUR_MS;
  await sql`update schedules set next_run_at = to_timestamp(${now / 1000}) where kind = ${kind.name}`.execute(ctx.db);
  const batches = await longestWait(service, tick);
  report({
    measure: `a tick with all ${begun} schedules due at once, on ${place.name}`,
    value: `${milliseconds(batches.total)}, ${milliseconds(batches.total / begun)} each; others waited at most ${milliseconds(batches.longest)} for the database`,
  });
}

/** Schedules of as many users, spread over the hours of the day and the time zones. */
async function fill({ ctx }: InProcess, kind: string): Promise<void> {
  const rows = Array.from({ length: SCHEDULES }, (_, n) => {
    const timing: Timing = { kind: 'cron', expression: `${n % 60} ${n % 24} * * *`, timeZone: ZONES[n % ZONES.length] ?? 'UTC' };
    const next = new Date(START + HOUR_MS + (n % 1440) * 60_000);
    return { id: newId(), kind, key: `user-${n}`, owner_id: `user-${n}`, timing: JSON.parse(storedTiming.write(timing)) as unknown, next };
  });
  await sql`
    insert into schedules (id, kind, key, owner_id, timing, payload, next_run_at)
    select id, kind, key, owner_id, timing, '{}', next from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (id uuid, kind text, key text, owner_id text, timing json, next timestamptz)`.execute(ctx.db);
  await sql`analyze schedules`.execute(ctx.db);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Also asks for something else all the while, as requests do. */
async function longestWait({ database }: InProcess, work: () => Promise<unknown>): Promise<{ total: number; longest: number }> {
  const over = new AbortController();
  const total = timed(work).finally(() => over.abort());
  let longest = 0;
  while (!over.signal.aborted) longest = Math.max(longest, await timed(() => database.ping()));
  return { total: await total, longest };
}
