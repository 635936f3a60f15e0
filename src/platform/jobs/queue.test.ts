import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { startTestApp } from '#testing/app.ts';
import { newGate } from '#testing/factories.ts';
import type { Database } from '../db/database.ts';
import { openMetrics } from '../observability/metrics.ts';
import { defineJob, worked, type Job, type WorkedJob } from './define-job.ts';
import { SetAside } from './job-strikes.ts';
import { jobTopic, openQueue } from './queue.ts';
import { MOST_DEFERRALS, RetryLater } from './retry-later.ts';
import { startWorker } from './worker.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { database, db, wakeups, log } = app.ctx;
const metrics = openMetrics();
afterAll(() => app.dispose());

/** Of pg-boss 12.35; `outlook.ts` reads its table. */
const SCHEMA_VERSION = 43;

const Payload = z.object({ id: z.string() });
type Payload = z.output<typeof Payload>;

const newJob = (more: Partial<Job<Payload>> = {}): Job<Payload> => defineJob({ name: `test.${randomUUID().slice(0, 8)}`, payload: Payload, ...more });

/** A queue of its own over the same tables, with the given jobs. */
async function newQueue(jobs: readonly Job<Payload>[], over: Database = database) {
  const queue = openQueue(over, log);
  await queue.start(jobs as readonly Job[]);
  return queue;
}

async function working(jobs: readonly WorkedJob[], concurrency = 4) {
  const queue = await newQueue(jobs.map(({ job }) => job as Job<Payload>));
  const worker = startWorker({ database, queue, wakeups, log, metrics }, jobs, concurrency);
  return {
    queue,
    stop: async (graceMs: number) => {
      await worker.stop(graceMs);
      await queue.stop();
    },
  };
}

async function statesOf(name: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`select state::text as state from jobs.job where name = ${name} order by created_on`.execute(db);
  return rows.map(({ state }) => state);
}

/** As if a process had gone down while the job kept it from answering. */
const strike = (job: Job<Payload>, id: string) =>
  sql`insert into job_strikes (job_id, process_id)
    select id, ${randomUUID()} from jobs.job where name = ${job.name} and data ->> 'id' = ${id}`.execute(db);

describe('enqueuing', () => {
  it('is undone with its transaction', async () => {
    const job = newJob();
    const queue = await newQueue([job]);
    await queue.send(db, job, { id: 'kept' });
    const undone = db.transaction().execute(async (tx) => {
      await queue.send(tx, job, { id: 'lost' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const { rows } = await sql<{ id: string }>`select data ->> 'id' as id from jobs.job where name = ${job.name}`.execute(db);
    expect(rows).toEqual([{ id: 'kept' }]);
    await queue.stop();
  });

  it('is visible with the rest of its transaction, not before', async () => {
    const job = newJob();
    const queue = await newQueue([job]);
    await queue.send(db, job, { id: 'first' });
    await db.transaction().execute(async (tx) => {
      await queue.send(tx, job, { id: 'second' });
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from jobs.job where name = ${job.name}`.execute(tx);
      expect(rows).toEqual([{ count: 2 }]);
    });
    expect(await statesOf(job.name)).toEqual(['created', 'created']);
    await queue.stop();
  });

  it('of many jobs is one statement, undone with its transaction like one', async () => {
    const job = newJob();
    const queue = await newQueue([job]);
    await queue.sendAll(db, job, []);
    await queue.sendAll(db, job, [{ id: 'a' }, { id: 'b' }]);
    const undone = db.transaction().execute(async (tx) => {
      await queue.sendAll(tx, job, [{ id: 'c' }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const { rows } = await sql<{ id: string }>`select data ->> 'id' as id from jobs.job where name = ${job.name} order by 1`.execute(db);
    expect(rows).toEqual([{ id: 'a' }, { id: 'b' }]);
    await queue.stop();
  });

  it('uses the caller’s connection alone, from the first job on', async () => {
    const job = newJob();
    let outside = 0;
    const counting: Database = {
      ...database,
      query: (text, values) => {
        outside += 1;
        return database.query(text, values);
      },
    };
    const queue = await newQueue([job], counting);
    outside = 0;
    await queue.send(db, job, { id: 'first' });
    expect(outside).toBe(0);
    await queue.stop();
  });
});

describe('a queue that is there already', () => {
  const settingsOf = async (name: string) =>
    (await sql`select retry_limit, retry_delay, expire_seconds, updated_on from jobs.queue where name = ${name}`.execute(db)).rows[0];

  it('takes over the options that changed', async () => {
    const job = newJob({ timeoutSeconds: 60 });
    await (await newQueue([job])).stop();
    await sql`update jobs.queue set retry_limit = 2, retry_delay = 9 where name = ${job.name}`.execute(db);
    const queue = await newQueue([{ ...job, timeoutSeconds: 120 }]);
    expect(await settingsOf(job.name)).toMatchObject({ retry_limit: 1000, retry_delay: 0, expire_seconds: 120 });
    await queue.send(db, job, { id: 'a' });
    const { rows } = await sql`select expire_seconds from jobs.job where name = ${job.name}`.execute(db);
    expect(rows).toEqual([{ expire_seconds: 120 }]);
    await queue.stop();
  });

  it('is left alone when nothing changed', async () => {
    const job = newJob();
    await (await newQueue([job])).stop();
    const before = await settingsOf(job.name);
    await (await newQueue([job])).stop();
    expect(await settingsOf(job.name)).toEqual(before);
  });
});

describe('looking at the queue', () => {
  it('reads tables of the version that it was written for', async () => {
    const queue = await newQueue([]);
    expect(await queue.boss.schemaVersion()).toBe(SCHEMA_VERSION);
    await queue.stop();
  });

  it('says which kinds are due, which have lost a worker, and when there is more', async () => {
    const [due, later, lost] = [newJob(), newJob(), newJob()];
    const queue = await newQueue([due, later, lost]);
    await queue.send(db, due, { id: 'a' });
    await queue.send(db, later, { id: 'b' }, { startAfter: new Date(Date.now() + 3000) });
    await queue.send(db, lost, { id: 'c' });
    await queue.boss.fetch(lost.name);
    const own = (names: readonly string[]) => [due, later, lost].map(({ name }) => name).filter((name) => names.includes(name));
    const before = await queue.look();
    expect([own(before.due), own(before.lost)]).toEqual([[due.name], []]);
    expect(before.nextInMs).toBeGreaterThan(0);
    expect(before.nextInMs).toBeLessThan(3000);
    await sql`update jobs.job set heartbeat_on = heartbeat_on - interval '11 seconds' where name = ${lost.name}`.execute(db);
    expect(own((await queue.look()).lost)).toEqual([lost.name]);
    await queue.takeBack([lost.name]);
    const after = await queue.look();
    expect([own(after.due), own(after.lost)]).toEqual([[due.name, lost.name], []]);
    for (const { name } of [due, later, lost]) await sql`delete from jobs.job where name = ${name}`.execute(db);
    await queue.stop();
  });
});

describe('a worker', () => {
  it('works what is sent, at once and with the payload', async () => {
    const job = newJob();
    const seen: string[] = [];
    const { queue, stop } = await working([worked(job, async ({ id }) => void seen.push(id))]);
    for (const id of ['a', 'b', 'c']) await queue.send(db, job, { id });
    await expect.poll(() => statesOf(job.name), { timeout: 10_000 }).toEqual(['completed', 'completed', 'completed']);
    expect(seen.sort()).toEqual(['a', 'b', 'c']);
    await stop(0);
  });

  it('works no more at once than it may', async () => {
    const job = newJob();
    const gate = newGate();
    const release = gate.close();
    const { queue, stop } = await working([worked(job, () => gate.pass())], 2);
    for (const id of ['a', 'b', 'c', 'd', 'e']) await queue.send(db, job, { id });
    await expect.poll(() => statesOf(job.name), { timeout: 10_000 }).toContain('active');
    await expect.poll(() => gate.entered()).toBe(2);
    expect((await statesOf(job.name)).filter((state) => state === 'active')).toHaveLength(2);
    release();
    await expect.poll(() => statesOf(job.name), { timeout: 10_000 }).toEqual(Array.from({ length: 5 }, () => 'completed'));
    await stop(0);
  });

  it('tries again what threw, and gives up with a last word when its tries are used up', async () => {
    const [lucky, hopeless] = [newJob(), newJob({ retries: 1 })];
    const attempts: number[] = [];
    const last: string[] = [];
    const { queue, stop } = await working([
      worked(lucky, async (_payload, { attempt }) => {
        attempts.push(attempt);
        if (attempt === 1) throw new Error('once');
      }),
      worked(
        hopeless,
        async () => Promise.reject(new Error('always')),
        async ({ id }, error) => void last.push(`${id}: ${(error as Error).message}`),
      ),
    ]);
    await queue.send(db, lucky, { id: 'a' });
    await queue.send(db, hopeless, { id: 'b' });
    await expect.poll(() => statesOf(lucky.name), { timeout: 20_000 }).toEqual(['completed']);
    await expect.poll(() => statesOf(hopeless.name), { timeout: 20_000 }).toEqual(['cancelled']);
    expect(attempts).toEqual([1, 2]);
    expect(last).toEqual(['b: always']);
    await stop(0);
  });

  it('works no more at once than it may, of all kinds together', async () => {
    const [one, other] = [newJob(), newJob()];
    const gate = newGate();
    const release = gate.close();
    const { queue, stop } = await working(
      [one, other].map((job) => worked(job, () => gate.pass())),
      3,
    );
    for (const job of [one, other]) for (const id of ['a', 'b', 'c']) await queue.send(db, job, { id });
    const states = async () => [...(await statesOf(one.name)), ...(await statesOf(other.name))];
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBe(3);
    expect((await states()).filter((state) => state === 'active')).toHaveLength(3);
    release();
    await expect.poll(states, { timeout: 10_000 }).toEqual(Array.from({ length: 6 }, () => 'completed'));
    await stop(0);
  });

  it('works no more of a kind than that allows, and others beside it', async () => {
    const [narrow, wide] = [newJob({ concurrency: 1 }), newJob()];
    const gate = newGate();
    const release = gate.close();
    const { queue, stop } = await working([worked(narrow, () => gate.pass()), worked(wide, async () => {})], 4);
    for (const id of ['a', 'b']) await queue.send(db, narrow, { id });
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBe(1);
    for (const id of ['c', 'd']) await queue.send(db, wide, { id });
    await expect.poll(() => statesOf(wide.name), { timeout: 10_000 }).toEqual(['completed', 'completed']);
    expect((await statesOf(narrow.name)).sort()).toEqual(['active', 'created']);
    release();
    await expect.poll(() => statesOf(narrow.name), { timeout: 10_000 }).toEqual(['completed', 'completed']);
    await stop(0);
  });

  it('works others in the place of one that waits for its next try', async () => {
    const job = newJob();
    const seen: string[] = [];
    const { queue, stop } = await working(
      [
        worked(job, async ({ id }, { attempt }) => {
          seen.push(`${id}${attempt}`);
          if (id === 'fails' && attempt === 1) throw new Error('once');
        }),
      ],
      1,
    );
    await queue.send(db, job, { id: 'fails' });
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(1);
    await queue.send(db, job, { id: 'next' });
    await expect.poll(() => statesOf(job.name), { timeout: 10_000 }).toEqual(['completed', 'completed']);
    expect(seen).toEqual(['fails1', 'next1', 'fails2']);
    await stop(0);
  });

  it('comes back to a job at the moment that it named, which is no failed try and holds no place', async () => {
    const job = newJob({ retries: 1 });
    const seen: string[] = [];
    const at = new Date(Date.now() + 700);
    let begun = Number.NaN;
    const { queue, stop } = await working(
      [
        worked(job, async ({ id }, { attempt }) => {
          seen.push(`${id}${attempt}`);
          if (id === 'next') return;
          if (attempt === 1) throw new RetryLater(at);
          if (attempt === 2) begun = Date.now();
          if (attempt < 4) throw new RetryLater(new Date(0));
        }),
      ],
      1,
    );
    await queue.send(db, job, { id: 'busy' });
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(1);
    await queue.send(db, job, { id: 'next' });
    await expect.poll(() => statesOf(job.name), { timeout: 20_000 }).toEqual(['completed', 'completed']);
    expect(seen).toEqual(['busy1', 'next1', 'busy2', 'busy3', 'busy4']);
    // The database's clock says when.
    expect(begun).toBeGreaterThan(at.getTime() - 50);
    await stop(0);
  });

  it('counts a job that has put itself off too often as failed', async () => {
    const job = newJob({ retries: 0 });
    const last: unknown[] = [];
    const { queue, stop } = await working([
      worked(
        job,
        () => Promise.reject(new RetryLater(new Date(0))),
        async (_payload, error) => void last.push(error),
      ),
    ]);
    await db.transaction().execute(async (tx) => {
      await queue.send(tx, job, { id: 'a' });
      // As if it had done so before.
      await sql`insert into job_deferrals (job_id, times) select id, ${MOST_DEFERRALS - 1} from jobs.job where name = ${job.name}`.execute(tx);
      await sql`update jobs.job set retry_count = ${MOST_DEFERRALS - 1} where name = ${job.name}`.execute(tx);
    });
    await expect.poll(() => statesOf(job.name), { timeout: 10_000 }).toEqual(['cancelled']);
    expect(last).toEqual([expect.any(RetryLater)]);
    await stop(0);
  });

  it('finds a job that may begin later when its time has come', async () => {
    const job = newJob();
    const { queue, stop } = await working([worked(job, async () => {})]);
    await queue.send(db, job, { id: 'a' }, { startAfter: new Date(Date.now() + 900) });
    await expect.poll(() => statesOf(job.name), { timeout: 10_000 }).toEqual(['completed']);
    await stop(0);
  });

  it('lets short work end when it is stopped', async () => {
    const job = newJob();
    const gate = newGate();
    const release = gate.close();
    const { queue, stop } = await working([worked(job, () => gate.pass())]);
    await queue.send(db, job, { id: 'a' });
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBe(1);
    const stopped = stop(20_000);
    release();
    await stopped;
    expect(await statesOf(job.name)).toEqual(['completed']);
  });

  it('gives the rest back when it is stopped, and the next one takes it up', async () => {
    const job = newJob();
    const gate = newGate();
    gate.close();
    const first = await working([worked(job, (_payload, { signal }) => gate.pass(signal))]);
    await first.queue.send(db, job, { id: 'a' });
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBe(1);
    await first.stop(0);
    expect(await statesOf(job.name)).toEqual(['retry']);
    const seen: number[] = [];
    const second = await working([worked(job, async (_payload, { attempt }) => void seen.push(attempt))]);
    await expect.poll(() => statesOf(job.name), { timeout: 20_000 }).toEqual(['completed']);
    expect(seen).toEqual([2]);
    await second.stop(0);
  });

  it('takes up what a worker had whose heartbeat ended, and tells the others', async () => {
    const job = newJob();
    const gate = newGate();
    gate.close();
    const seen: number[] = [];
    const { queue, stop } = await working([
      worked(job, async (_payload, { attempt, signal }) => {
        seen.push(attempt);
        if (attempt === 1) await gate.pass(signal);
      }),
    ]);
    await queue.send(db, job, { id: 'a' });
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBe(1);
    const told = vi.fn();
    const detach = wakeups.on(jobTopic(job.name), told);
    expect((await queue.look()).lost).toEqual([]);
    await sql`update jobs.job set heartbeat_on = heartbeat_on - interval '11 seconds' where name = ${job.name}`.execute(db);
    await expect.poll(() => statesOf(job.name), { timeout: 10_000 }).toEqual(['completed']);
    expect(seen).toEqual([1, 2]);
    expect(told).toHaveBeenCalled();
    detach();
    await stop(0);
  });

  it('tells the others of what it failed and of what it gave back', async () => {
    const job = newJob();
    const gate = newGate();
    gate.close();
    const { queue, stop } = await working([
      worked(job, async (_payload, { attempt, signal }) => (attempt === 1 ? Promise.reject(new Error('once')) : gate.pass(signal))),
    ]);
    const told = vi.fn();
    const detach = wakeups.on(jobTopic(job.name), told);
    await queue.send(db, job, { id: 'a' });
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBe(1);
    expect(told).toHaveBeenCalledTimes(2);
    await stop(0);
    await expect.poll(() => told.mock.calls.length).toBe(3);
    detach();
  });

  it('gives up a payload that no longer has the right shape', async () => {
    const job = newJob({ retries: 0 });
    const { queue, stop } = await working([worked(job, async () => {})]);
    await queue.send(db, job, { wrong: true } as never);
    const settled = expect.poll(() => statesOf(job.name), { timeout: 5000 }).toEqual(['cancelled']);
    await settled.finally(() => stop(0));
  });

  it('sets aside what took two processes down, and goes on with the rest', async () => {
    const job = newJob();
    const gate = newGate();
    gate.close();
    const first = await working([worked(job, (_payload, { signal }) => gate.pass(signal))]);
    for (const id of ['twice', 'once', 'never']) await first.queue.send(db, job, { id });
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBe(3);
    for (const id of ['twice', 'twice', 'once']) await strike(job, id);
    await first.stop(0);

    const [seen, last]: [string[], unknown[]] = [[], []];
    const second = await working([
      worked(
        job,
        async ({ id }) => void seen.push(id),
        async ({ id }, error) => void last.push(id, error),
      ),
    ]);
    await expect.poll(async () => (await statesOf(job.name)).sort(), { timeout: 20_000 }).toEqual(['cancelled', 'completed', 'completed']);
    expect(seen.sort()).toEqual(['never', 'once']);
    expect(last).toEqual(['twice', expect.any(SetAside)]);
    const left = sql`select 1 from job_strikes s join jobs.job j on j.id = s.job_id where j.name = ${job.name}`;
    await expect.poll(async () => (await left.execute(db)).rows).toEqual([]);
    await second.stop(0);
  });

  it('works what took a process down once alone', async () => {
    const job = newJob();
    const gate = newGate();
    gate.close();
    const first = await working([worked(job, (_payload, { signal }) => gate.pass(signal))]);
    for (const id of ['a', 'once', 'b', 'c']) await first.queue.send(db, job, { id });
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBe(4);
    await strike(job, 'once');
    await first.stop(0);

    const atWork = new Set<string>();
    const beside: string[] = [];
    const second = await working([
      worked(job, async ({ id }) => {
        atWork.add(id);
        for (let turn = 0; turn < 5; turn += 1) {
          if (atWork.has('once')) beside.push(...[...atWork].filter((other) => other !== 'once'));
          await statesOf(job.name);
        }
        atWork.delete(id);
      }),
    ]);
    await expect.poll(() => statesOf(job.name), { timeout: 20_000 }).toEqual(Array.from({ length: 4 }, () => 'completed'));
    expect(beside).toEqual([]);
    await second.stop(0);
  });
});
