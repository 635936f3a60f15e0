import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { AppContext } from '#platform/context.ts';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { gatedSearch, newGate, newIdea, payFor, warmQueues } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { readArtifact } from './research-store.ts';
import { researching } from './run-research.ts';
import { STAGES } from './states.ts';

const gate = newGate();
// Without a worker: the test itself takes the jobs up.
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { search: gatedSearch(gate) } });
await warmQueues(app.ctx);
afterAll(() => app.dispose());

const never = new AbortController().signal;

async function queued(): Promise<{ user: TestUser; jobId: string }> {
  const user = await app.user();
  const answer = await user.call('POST', '/research', { idea: newIdea() });
  return { user, jobId: String(answer.body['job_id']) };
}

/** A context whose n-th write of stage events also ends the process that runs: the write itself is kept. */
function cutAfter(writes: number): { ctx: AppContext; signal: AbortSignal } {
  const cut = new AbortController();
  let left = writes;
  const ctx: AppContext = {
    ...app.ctx,
    streams: {
      ...app.ctx.streams,
      appending: (...args) => {
        left -= 1;
        if (left === 0) cut.abort();
        return app.ctx.streams.appending(...args);
      },
    },
  };
  return { ctx, signal: cut.signal };
}

async function storyOf(user: TestUser, jobId: string): Promise<string[]> {
  const lines = await readNdjson(`${app.url}/research/${jobId}/events`, user.token);
  return lines
    .filter(({ event }) => event !== 'progress')
    .map(({ event, data }) => (event === 'stage' ? `${String(data['name'])} ${String(data['status'])}` : event));
}

const WHOLE = [
  'stream_start',
  ...STAGES.flatMap((stage) => [`${stage} started`, `${stage} completed`, ...(stage === 'interpret' ? ['interpretation'] : [])]),
  'result',
  'done',
];

const countOf = async (jobId: string): Promise<Record<string, number>> => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from cards where research_job_id = ${jobId}) as cards,
           (select count(*)::int from checkpoints where run_key = ${`research:${jobId}`}) as checkpoints,
           (select count(*)::int from stream_events where stream_key = ${`research:${jobId}`} and event = 'result') as results`.execute(app.ctx.db);
  return rows[0] ?? {};
};

describe('a research that nobody works yet', () => {
  it('is told its place behind everybody who waits [R210 R264]', async () => {
    const waiting = async (): Promise<unknown> => (await (await app.user()).call('POST', '/research', { idea: newIdea() })).body['position'];
    const { rows } = await sql<{ before: number }>`select count(*)::int as before from research_jobs where status = 'queued'`.execute(app.ctx.db);
    const before = rows[0]?.before ?? 0;
    expect([await waiting(), await waiting(), await waiting()]).toEqual([before + 1, before + 2, before + 3]);
  });
});

describe('a research whose worker stops', () => {
  it.each(STAGES.map((stage, index) => [stage, index + 1] as const))(
    'at the start of %s goes on from there, with no event twice [R237 R242 R252]',
    async (stage, writes) => {
      const { user, jobId } = await queued();
      const cut = cutAfter(writes);
      await expect(researching.work(cut.ctx, { jobId }, cut.signal)).rejects.toThrow();
      expect((await user.call('GET', `/research/${jobId}/status`)).body).toMatchObject({ status: 'running', pipeline_stage: stage });
      expect(await countOf(jobId)).toEqual({ cards: 0, checkpoints: writes - 1, results: 0 });
      await researching.work(app.ctx, { jobId }, never);
      expect(await storyOf(user, jobId)).toEqual(WHOLE);
      expect((await user.call('GET', `/research/${jobId}/status`)).body).toMatchObject({ status: 'completed', pipeline_stage: 'priorities_picked' });
      expect(await countOf(jobId)).toEqual({ cards: 6, checkpoints: 0, results: 1 });
    },
  );

  it('in the middle of a stage repeats that stage alone, with no event twice', async () => {
    const { user, jobId } = await queued();
    const release = gate.close();
    const cut = new AbortController();
    const first = researching.work(app.ctx, { jobId }, cut.signal);
    await vi.waitFor(() => expect(gate.entered()).toBeGreaterThan(0));
    const calls = gate.entered();
    cut.abort();
    await expect(first).rejects.toThrow();
    release();
    await researching.work(app.ctx, { jobId }, never);
    expect(gate.entered()).toBeLessThanOrEqual(calls * 2);
    expect(await storyOf(user, jobId)).toEqual(WHOLE);
  });

  it('is not run again once it is over', async () => {
    const { user, jobId } = await queued();
    await researching.work(app.ctx, { jobId }, never);
    const before = await user.call('GET', `/research/${jobId}/status`);
    await researching.work(app.ctx, { jobId }, never);
    expect((await user.call('GET', `/research/${jobId}/status`)).body).toEqual(before.body);
    expect(await countOf(jobId)).toEqual({ cards: 6, checkpoints: 0, results: 1 });
  });
});

describe('two workers with the same research', () => {
  it('leave what the later one wrote, and only that', async () => {
    const { user, jobId } = await queued();
    const release = gate.close();
    const zombie = researching.work(app.ctx, { jobId }, never);
    await vi.waitFor(() => expect(gate.entered()).toBeGreaterThan(0));
    const calls = gate.entered();
    const heir = researching.work(app.ctx, { jobId }, never);
    await vi.waitFor(() => expect(gate.entered()).toBeGreaterThan(calls));
    release();
    await Promise.all([zombie, heir]);
    expect(await storyOf(user, jobId)).toEqual(WHOLE);
    expect(await countOf(jobId)).toEqual({ cards: 6, checkpoints: 0, results: 1 });
  });

  it('leave a job deleted that was deleted while they ran', async () => {
    const user = await app.user();
    const project = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    const started = await user.call('POST', '/research', { idea: newIdea(), project_id: project });
    const jobId = String(started.body['job_id']);
    const release = gate.close();
    const run = researching.work(app.ctx, { jobId }, never);
    await vi.waitFor(() => expect(gate.entered()).toBeGreaterThan(0));
    await user.call('DELETE', `/projects/${project}`);
    release();
    await run;
    expect((await user.call('GET', `/research/${jobId}/status`)).status).toBe(404);
    expect(await countOf(jobId)).toEqual({ cards: 0, checkpoints: 0, results: 0 });
  });
});

describe('a research whose model is no longer there', () => {
  const begunByModel = async (jobId: string) => {
    const engine = JSON.stringify({ analyst: 'model', provider: 'llm_a', model: 'm-1' });
    await sql`update research_jobs set engine = ${engine}::json where id = ${jobId}`.execute(app.ctx.db);
  };

  it('goes on by the rules, with a warning in its artifact, while nothing was paid for', async () => {
    const { user, jobId } = await queued();
    await begunByModel(jobId);
    await researching.work(app.ctx, { jobId }, never);
    expect((await user.call('GET', `/research/${jobId}/status`)).body).toMatchObject({ status: 'completed' });
    const artifact = await readArtifact(app.ctx.db, jobId);
    expect(artifact?.engine).toEqual({ analyst: 'rule', provider: null, model: null });
    expect(artifact?.warnings).toContain('The model m-1 is no longer configured; the rules did this instead.');
  });

  it('fails and can be tried again once an answer was paid for [R256]', async () => {
    const { user, jobId } = await queued();
    await begunByModel(jobId);
    await payFor(app.ctx, `research:${jobId}`);
    await researching.work(app.ctx, { jobId }, never);
    expect((await user.call('GET', `/research/${jobId}/status`)).body).toMatchObject({
      status: 'failed',
      error: { code: 'LLM_FAILED', retryable: true },
    });
    expect((await app.ctx.streams.read(`research:${jobId}`, 0, 9)).map(({ event }) => event).slice(-2)).toEqual(['error', 'done']);
  });
});
