import { afterAll, describe, expect, it, vi } from 'vitest';
import type { KeepingRun } from '#platform/runs/define-pipeline.ts';
import { startTestApp } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import type { Analysis, Finding, Gathered, Interpretation } from './analyst.ts';
import type { ResearchRun } from './research-run.ts';
import { RunFailure } from '#lib/run-failure.ts';
import { analyze } from './stages/analyze.ts';
import { judge } from './stages/judge.ts';

let searchFails = false;
const app = await startTestApp({
  overrides: {
    search: {
      provider: 'searxng',
      search: async () => {
        if (searchFails) throw new Error('the engine is down');
        return [];
      },
    },
  },
});
afterAll(() => app.dispose());

const finding = (id: string): Finding => ({
  id,
  kind: 'web',
  url: `https://example.org/${id}`,
  title: id,
  snippet: 'Something.',
  text: 'Something.',
  confidence: 0.7,
  freshness: 0.9,
  fetchedAt: new Date(0).toISOString(),
  facts: null,
});
const ID = 'b0a1d2c3-0000-4000-8000-000000000001';
const OTHER = 'b0a1d2c3-0000-4000-8000-000000000002';
const gathered = (...ids: string[]): Gathered => ({ findings: ids.map(finding), earlier: [], sources: [] });
const nothing: Analysis = { incumbents: [], emerging: [], features: [], audience: [], useCases: [], marketEvidenceIds: [] };
const interpret = { categoryIds: ['a-market'] } as unknown as Interpretation;

/** A run whose analyst does as the test says. */
const runWith = (analyst: Partial<ResearchRun['analyst']>): ResearchRun => ({ analyst, job: { idea: newIdea() } }) as unknown as ResearchRun;

function newStage() {
  const events: unknown[] = [];
  const stage = { emit: async (event: unknown) => void events.push(event), progress: async () => {} } as unknown as KeepingRun;
  return { stage, events };
}

async function failureOf(run: Promise<unknown>): Promise<unknown> {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RunFailure);
  return (error as RunFailure).error;
}

describe('an analysis', () => {
  const judged = (...ids: string[]) => ({ relevant: ids, notes: [] });

  it('of no evidence ends the run with EMPTY_OUTPUT and evidence_count 0, without asking [R315 R316 R317]', async () => {
    const ask = vi.fn();
    const error = await failureOf(analyze.run(runWith({ analyze: ask }), { interpret, search: gathered(), judge: judged() }, newStage().stage));
    expect(error).toMatchObject({ code: 'EMPTY_OUTPUT', retryable: false, evidence_count: 0 });
    expect(ask).not.toHaveBeenCalled();
  });

  it('that finds nothing in evidence is asked once more, strictly, and then ends the run [R310 R318 R319 R320 R321]', async () => {
    const asked: boolean[] = [];
    const run = runWith({
      analyze: async (_about, _findings, _stage, { strict }) => {
        asked.push(strict);
        return nothing;
      },
    });
    const { stage, events } = newStage();
    const error = await failureOf(analyze.run(run, { interpret, search: gathered(ID, OTHER), judge: judged(ID, OTHER) }, stage));
    expect(error).toMatchObject({ code: 'MODEL_EMPTY_DESPITE_EVIDENCE', retryable: false, evidence_count: 2 });
    expect(asked).toEqual([false, true]);
    expect(events).toEqual([{ event: 'retry', data: { attempt: 1, source: 'analyze' } }]);
  });

  it('that names nobody and says why is an answer, and is not asked again', async () => {
    const asked: boolean[] = [];
    const run = runWith({
      analyze: async (_about, _findings, _stage, { strict }) => {
        asked.push(strict);
        return { ...nothing, noneBecause: 'None of them is for bees.' };
      },
    });
    const { value } = await analyze.run(run, { interpret, search: gathered(ID), judge: judged(ID) }, newStage().stage);
    expect(value).toMatchObject({ incumbents: [], noneBecause: 'None of them is for bees.' });
    expect(asked).toEqual([false]);
  });

  it('where nothing was found is what the idea asks for, if its analyst can tell', async () => {
    const own: Analysis['features'][number] = {
      id: 'weigh-the-hive',
      name: 'Weigh the hive',
      description: 'Asked for by the idea.',
      tier: 'only_this_idea',
      frequency: 0,
      held_by: [],
      asked_for: true,
      evidence_ids: [],
    };
    const run = runWith({ analyzeAlone: () => ({ ...nothing, features: [own] }) });
    const { value } = await analyze.run(run, { interpret, search: gathered(ID), judge: judged() }, newStage().stage);
    expect(value.features).toEqual([own]);
    const empty = runWith({ analyzeAlone: () => nothing });
    expect(await failureOf(analyze.run(empty, { interpret, search: gathered(), judge: judged() }, newStage().stage))).toMatchObject({
      code: 'EMPTY_OUTPUT',
      evidence_count: 0,
    });
  });

  it('is given only what was judged relevant', async () => {
    const seen: string[] = [];
    const run = runWith({
      analyze: async (_about, findings) => {
        seen.push(...findings.map(({ id }) => id));
        return nothing;
      },
    });
    await failureOf(analyze.run(run, { interpret, search: gathered(ID, OTHER), judge: judged(OTHER) }, newStage().stage));
    expect(new Set(seen)).toEqual(new Set([OTHER]));
  });
});

describe('a judgement', () => {
  it('that fails leaves everything relevant [R314]', () => {
    const before = { interpret, search: gathered(ID, OTHER) };
    expect(judge.otherwise(new Error('no'), runWith({}), before)).toEqual({ relevant: [ID, OTHER], notes: [] });
  });

  it('may throw everything out, and what it names that nobody found counts for nothing', async () => {
    const before = { interpret, search: gathered(ID) };
    const judging = (relevant: string[]) => judge.run(runWith({ judge: async () => ({ relevant, notes: [] }) }), before, newStage().stage);
    expect((await judging([])).relevant).toEqual([]);
    expect((await judging(['made-up'])).relevant).toEqual([]);
    expect((await judging([ID, 'made-up'])).relevant).toEqual([ID]);
  });
});

describe('a research', () => {
  async function researched(idea: string) {
    const user = await app.user();
    const jobId = String((await user.call('POST', '/research', { idea })).body['job_id']);
    return readNdjson(`${app.url}/research/${jobId}/events`, user.token);
  }

  it('goes on without a source that fails, and says so [R309]', async () => {
    searchFails = true;
    const lines = await researched(newIdea());
    searchFails = false;
    expect(lines.at(-1)?.event).toBe('done');
    const result = lines.find(({ event }) => event === 'result')?.data as
      | { warnings: string[]; quality: { sources: Record<string, unknown>[] } }
      | undefined;
    expect(result?.quality.sources).toContainEqual(expect.objectContaining({ source: 'web', status: 'failed' }));
    expect(result?.warnings.length).toBeGreaterThan(0);
    expect(lines.filter(({ event }) => event === 'progress').map(({ data }) => data['message'])).toEqual(
      expect.arrayContaining(result?.warnings ?? ['']),
    );
  });

  it('of an unknown market ends with EMPTY_OUTPUT when the web has nothing either [R316 R317]', async () => {
    const lines = await researched('A pendulum that apologises to the floor');
    expect(lines.at(-2)).toMatchObject({ event: 'error', data: { code: 'EMPTY_OUTPUT', evidence_count: 0, retryable: false } });
  });
});
