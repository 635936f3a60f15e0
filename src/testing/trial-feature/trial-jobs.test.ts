import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp } from '../app.ts';
import { noteGrowth, TrialGrown } from './trial-reaction.ts';
import { painting } from './trial-run.ts';
import { putWatering, watering } from './trial-schedule.ts';

/** Just before half past nine in Berlin, on the day after a clock change. */
const BEGIN = Date.parse('2027-03-29T07:29:59.500Z');
let offset = 0;

let failures = 1;
const app = await startTestApp({
  overrides: {
    clock: { now: () => new Date(Date.now() + offset) },
    work: (ctx) => ({
      jobs: [painting.job(ctx)],
      reactions: [
        noteGrowth(ctx, 'steady'),
        noteGrowth(ctx, 'stumbling', () => {
          if (failures-- > 0) throw new Error('stumbled');
        }),
      ],
      schedules: [watering(ctx)],
    }),
  },
});
const { ctx } = app;
const { db, streams } = ctx;
const [userId, projectId] = ['gardener', randomUUID()];
beforeAll(async () => {
  await sql`create table trial_notes (event_id uuid, reaction text, number integer)`.execute(db);
  await sql`create table trial_waterings (owner_id text, plant text, at timestamptz)`.execute(db);
  await sql`create table trial_paintings (id uuid primary key, owner_id text not null, result text)`.execute(db);
});
afterAll(() => app.dispose());

const tell = async (key: string) => (await streams.read(key, 0, 100)).map(({ event }) => event);

describe('a reaction', () => {
  it('follows its event once, also when it fails at first', async () => {
    await ctx.events.publish(db, TrialGrown, { number: 7, userId, projectId });
    const notes = async () => (await sql`select reaction, number from trial_notes order by reaction`.execute(db)).rows;
    await expect.poll(notes, { timeout: 10_000 }).toEqual([
      { reaction: 'steady', number: 7 },
      { reaction: 'stumbling', number: 7 },
    ]);
  });
});

describe('a schedule of a user', () => {
  it('runs at its time in the zone of the user', async () => {
    offset = BEGIN - Date.now();
    await db.transaction().execute((tx) => putWatering(ctx, tx, userId, '30 9 * * *', 'Europe/Berlin'));
    const waterings = async () => (await sql`select owner_id, plant, at from trial_waterings`.execute(db)).rows;
    await expect.poll(waterings, { timeout: 10_000 }).toEqual([{ owner_id: userId, plant: 'fern', at: new Date('2027-03-29T07:30:00Z') }]);
  });
});

describe('a run that asks', () => {
  it('pauses without a worker and goes on with the decision', async () => {
    const id = randomUUID();
    const key = `trial:${id}`;
    await db.transaction().execute(async (tx) => {
      await sql`insert into trial_paintings (id, owner_id) values (${id}, ${userId})`.execute(tx);
      await streams.open(tx, key);
      await painting.begin(ctx, tx, { id });
    });
    const jobs = async () => (await sql`select state::text as state from jobs.job where name = 'trial-painting.run'`.execute(db)).rows;
    await expect.poll(jobs, { timeout: 10_000 }).toEqual([{ state: 'completed' }]);
    const { rows } = await sql`select question -> 'question' as question from runs where key = ${key}`.execute(db);
    expect(rows).toEqual([{ question: { of: ['red', 'blue'] } }]);
    expect(await db.transaction().execute((tx) => painting.resume(ctx, tx, key, { name: 'colour', decision: 'blue' }))).toBe(true);
    await expect.poll(() => tell(key), { timeout: 10_000 }).toContain('done');
    expect((await sql`select result from trial_paintings where id = ${id}`.execute(db)).rows).toEqual([{ result: 'painted blue' }]);
  });
});
