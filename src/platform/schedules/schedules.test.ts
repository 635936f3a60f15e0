import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp } from '#testing/app.ts';
import { defineSchedule, keepTicking, openSchedules, scheduled, type MissedRuns } from './schedules.ts';
import type { Timing } from './timing.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db, wakeups, log } = app.ctx;
afterAll(() => app.dispose());

const Payload = z.object({ note: z.string() });
const HOURLY: Timing = { kind: 'cron', expression: '0 * * * *', timeZone: 'UTC' };

/** Schedules of one kind under a clock of their own; jobs are kept until `work` runs them. */
function trial(missed: MissedRuns = 'once', start = '2031-05-01T08:30:00Z') {
  let now = new Date(start);
  const jobs: { payload: unknown }[] = [];
  const runs: string[] = [];
  let failing = false;
  const kind = defineSchedule(`trial-${randomUUID()}`, Payload, missed);
  const needs = {
    db,
    wakeups,
    log,
    clock: { now: () => now },
    queue: {
      send: async () => {},
      sendAll: async (_tx: unknown, _job: unknown, payloads: readonly unknown[]) => {
        for (const payload of payloads) jobs.push({ payload: JSON.parse(JSON.stringify(payload)) });
      },
    },
  };
  const opened = openSchedules(
    () => needs,
    [
      scheduled(kind, async ({ note }, { at }) => {
        if (failing) throw new Error('the tool is away');
        runs.push(`${note} ${at.toISOString().slice(8, 16)}`);
      }),
    ],
  );
  const details = { signal: new AbortController().signal, attempt: 1 };
  return {
    ...opened,
    kind,
    needs,
    jobs,
    runs,
    put: (key: string, timing: Timing) => opened.schedules.put(db, kind, key, { userId: 'u', timing, payload: { note: key } }),
    at: async (moment: string) => {
      now = new Date(moment);
      await opened.tick();
    },
    work: async () => {
      for (const { payload } of jobs.splice(0)) await opened.job.run(payload, details);
    },
    fail: async () => {
      failing = true;
      for (const { payload } of jobs.splice(0)) {
        await opened.job.run(payload, details).catch((error: unknown) => opened.job.exhausted(payload, error));
      }
      failing = false;
    },
  };
}

describe('a schedule', () => {
  it('runs at its times, each once', async () => {
    const { put, at, work, runs } = trial();
    await put('a', HOURLY);
    await at('2031-05-01T08:59:59Z');
    await work();
    expect(runs).toEqual([]);
    for (const moment of ['2031-05-01T09:00:00Z', '2031-05-01T09:00:05Z', '2031-05-01T10:00:01Z']) {
      await at(moment);
      await work();
    }
    expect(runs).toEqual(['a 01T09:00', 'a 01T10:00']);
  });

  it('of a moment runs once and is over', async () => {
    const { put, at, work, runs, schedules, kind } = trial();
    await put('a', { kind: 'moment', at: '2031-05-01T09:00:00Z' });
    await at('2031-05-01T09:00:00Z');
    await work();
    await at('2031-06-01T09:00:00Z');
    await work();
    expect(runs).toEqual(['a 01T09:00']);
    expect(await schedules.find(db, kind, 'a')).toMatchObject({ next_run_at: null, running_at: null, last_error: null });
  });

  it('takes a new timing in the place of the old one, and stops when it is removed', async () => {
    const { put, at, work, runs, schedules, kind } = trial();
    await put('a', HOURLY);
    await put('a', { kind: 'moment', at: '2031-05-01T12:00:00Z' });
    await at('2031-05-01T11:00:00Z');
    await work();
    expect(runs).toEqual([]);
    await at('2031-05-01T12:00:00Z');
    await schedules.remove(db, kind, 'a');
    await work();
    expect(runs).toEqual([]);
  });

  it('begins no run before the one before it has ended', async () => {
    const { put, at, work, runs, jobs } = trial();
    await put('a', HOURLY);
    await at('2031-05-01T09:00:00Z');
    await at('2031-05-01T10:00:00Z');
    expect(jobs).toHaveLength(1);
    await work();
    await at('2031-05-01T10:00:30Z');
    await work();
    expect(runs).toEqual(['a 01T09:00', 'a 01T10:00']);
  });

  it('goes on after a run that failed for good, and says why it failed', async () => {
    const { put, at, work, fail, runs, schedules, kind } = trial();
    await put('a', HOURLY);
    await at('2031-05-01T09:00:00Z');
    await fail();
    expect(await schedules.find(db, kind, 'a')).toMatchObject({ last_error: 'the tool is away' });
    await at('2031-05-01T10:00:00Z');
    await work();
    expect(runs).toEqual(['a 01T10:00']);
    expect(await schedules.find(db, kind, 'a')).toMatchObject({ last_error: null });
  });
});

describe('runs that were missed', () => {
  it.each<[MissedRuns, string[]]>([
    ['skip', ['a 01T13:00']],
    ['once', ['a 01T09:00', 'a 01T13:00']],
    ['all', ['a 01T09:00', 'a 01T10:00', 'a 01T11:00', 'a 01T12:00', 'a 01T13:00']],
  ])('are made up for as the policy %s says', async (missed, expected) => {
    const { put, at, work, runs } = trial(missed);
    await put('a', HOURLY);
    for (let tick = 0; tick < 6; tick += 1) {
      await at('2031-05-01T12:30:00Z');
      await work();
    }
    await at('2031-05-01T13:00:00Z');
    await work();
    expect(runs).toEqual(expected);
  });
});

describe('a moment that was missed', () => {
  it.each<[MissedRuns, string[]]>([
    ['skip', []],
    ['once', ['a 01T09:00']],
    ['all', ['a 01T09:00']],
  ])('is made up for as the policy %s says', async (missed, expected) => {
    const { put, at, work, runs } = trial(missed);
    await put('a', { kind: 'moment', at: '2031-05-01T09:00:00Z' });
    for (const moment of ['2031-05-01T12:30:00Z', '2031-05-02T12:30:00Z']) {
      await at(moment);
      await work();
    }
    expect(runs).toEqual(expected);
  });
});

describe('runs that a clock change touches, missed over night', () => {
  it.each<[string, string, string, string[]]>([
    ['that is skipped', '2027-03-27T20:00:00Z', '2027-03-29T06:00:00Z', ['a 28T01:00', 'a 29T00:30']],
    ['that comes twice', '2027-10-30T20:00:00Z', '2027-11-01T06:00:00Z', ['a 31T00:30', 'a 01T01:30']],
  ])('are made up for once a day: a time %s', async (_change, start, end, expected) => {
    const { put, at, work, runs } = trial('all', start);
    await put('a', { kind: 'cron', expression: '30 2 * * *', timeZone: 'Europe/Berlin' });
    for (let tick = 0; tick < 4; tick += 1) {
      await at(end);
      await work();
    }
    expect(runs).toEqual(expected);
  });
});

describe('several nodes', () => {
  it('share what falls due at once, in more than one transaction', async () => {
    const { put, at, tick, jobs, kind } = trial();
    const count = 1200;
    await put('k', HOURLY);
    await sql`
      insert into schedules (id, kind, key, owner_id, timing, payload, next_run_at)
      select gen_random_uuid(), kind, 'k' || n, owner_id, timing, payload, next_run_at
        from schedules cross join generate_series(2, ${count}) n where kind = ${kind.name}`.execute(db);
    await Promise.all([at('2031-05-01T09:00:00Z'), tick(), tick()]);
    const begun = jobs.map(({ payload }) => (payload as { id: string }).id);
    expect([begun.length, new Set(begun).size]).toEqual([count, count]);
  });

  it('begin each run once', async () => {
    const { put, at, tick, work, runs } = trial();
    const keys = Array.from({ length: 40 }, (_, index) => `k${String(index)}`);
    for (const key of keys) await put(key, HOURLY);
    await at('2031-05-01T08:59:00Z');
    const nodes = Array.from({ length: 4 }, () => tick());
    await Promise.all([at('2031-05-01T09:00:00Z'), ...nodes]);
    await work();
    expect(runs.toSorted()).toEqual(keys.map((key) => `${key} 01T09:00`).toSorted());
  });
});

describe('the tick', () => {
  it('wakes for what is put while it sleeps', async () => {
    const { put, needs, tick, jobs } = trial('once', new Date().toISOString());
    const stop = keepTicking({ ...needs, clock: { now: () => new Date() } }, tick);
    await put('a', { kind: 'moment', at: new Date(Date.now() + 150).toISOString() });
    needs.clock.now = () => new Date();
    await expect.poll(() => jobs.length).toBe(1);
    await stop();
  });
});

describe('the payload of a schedule', () => {
  it('is read in whatever version it was stored, also from before there were versions', () => {
    const kind = defineSchedule('trial-versions', Payload, 'once', { version: 2, upcasts: { 1: ({ text }) => ({ note: text }) } });
    const seen: unknown[] = [];
    const { run } = scheduled(kind, async (payload) => void seen.push(payload));
    const details = { at: new Date(), userId: null, signal: new AbortController().signal };
    for (const stored of [{ text: 'a' }, { v: 1, text: 'b' }, { v: 2, note: 'c' }]) void run(stored, details);
    expect(seen).toEqual([{ note: 'a' }, { note: 'b' }, { note: 'c' }]);
  });

  it('is stored with its version, which its work does not see', async () => {
    const { put, kind } = trial();
    await put('versioned', HOURLY);
    const { rows } = await sql`select payload from schedules where kind = ${kind.name}`.execute(db);
    expect(rows).toEqual([{ payload: { v: 1, note: 'versioned' } }]);
  });
});
