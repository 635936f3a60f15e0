import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { startTestApp } from '#testing/app.ts';
import { newGate } from '#testing/factories.ts';
import type { Database } from '../db/database.ts';
import { openMetrics } from '../observability/metrics.ts';
import { defineJob, worked, type Job, type WorkedJob } from './define-job.ts';
import { jobTopic, openQueue } from './queue.ts';
import { startWorker } from './worker.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { database, db, wakeups, log } = app.ctx;
const metrics = openMetrics();
afterAll(() => app.dispose());

const Payload = z.object({ id: z.string() });
type Payload = z.output<typeof Payload>;

const newJob = (more: Partial<Job<Payload>> = {}): Job<Payload> => defineJob({ name: `test.${randomUUID().slice(0, 8)}`, payload: Payload, ...more });

/** A queue of its own over the same tables, with the given jobs. */
async function newQueue(jobs: readonly Job<Payload>[], over: Database = database) {
  const queue = openQueue(over, { roles: new Set(['worker']) }, log);
  await queue.start(jobs as readonly Job[]);
  return queue;
}

async function working(jobs: readonly WorkedJob[], concurrency = 4) {
  const queue = await newQueue(jobs.map(({ job }) => job as Job<Payload>));
  const worker = startWorker({ queue, wakeups, log, metrics }, jobs, concurrency);
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
    expect(await queue.takeBackLost()).toEqual([]);
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
});
