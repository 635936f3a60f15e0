import { afterAll, describe, expect, it } from 'vitest';
import type { ResearchArtifact } from '#features/research';
import { startTestApp } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { answerWhatFollows } from '#testing/scripted-followers.ts';
import { startScriptedModel } from '#testing/scripted-model-server.ts';

const model = await startScriptedModel({ answer: answerWhatFollows });
const app = await startTestApp({ env: { LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted' } });
afterAll(async () => {
  await app.dispose();
  await model[Symbol.asyncDispose]();
});

/** About what a tokeniser would count. */
const TOKEN = 4;
const MOST_TOKENS = { features: 16_000, plan: 9_000, brief: 10_000 };

describe('what follows a research, with a model', async () => {
  const user = await app.user();
  const ended = (path: string) => readNdjson(`${app.url}${path}/events`, user.token);
  const started = (await user.call('POST', '/projects/research', { idea: newIdea() })).body;
  const projectId = String(started['project_id']);
  const researchId = String(started['job_id']);
  const artifact = (await ended(`/research/${researchId}`)).find(({ event }) => event === 'result')?.data as unknown as ResearchArtifact;
  const wanted = artifact.features.slice(0, 10);

  /** What was asked while something was made. */
  async function asked(make: () => Promise<unknown>) {
    const before = model.calls.length;
    await make();
    const calls = model.calls.slice(before);
    return { calls, tokens: calls.reduce((sum, { system, prompt }) => sum + (system.length + prompt.length) / TOKEN, 0) };
  }

  it('analyses up to ten features in three calls', async () => {
    const features = wanted.map(({ id, name }) => ({ id, name, source: 'research' }));
    const events: string[] = [];
    const { calls, tokens } = await asked(async () => {
      const body = { features, idea: artifact.product_idea, project_id: projectId, research_id: researchId };
      const id = String((await user.call('POST', '/feature-research', body)).body['job_id']);
      await ended(`/feature-research/${id}`);
      events.push(...(await readNdjson(`${app.url}/feature-research/${id}/events?cursor=1`, user.token)).map(({ event }) => event));
    });
    expect(features.length).toBeGreaterThan(5);
    expect(calls.length).toBeLessThanOrEqual(3);
    expect(tokens).toBeLessThan(MOST_TOKENS.features);
    expect(events.filter((event) => event === 'feature_analyzed')).toHaveLength(features.length);
    expectNothingTwice(calls);
  });

  it('plans in three calls', async () => {
    const features = wanted.slice(0, 5).map(({ id, name }) => ({ id, label: name, source: 'research' }));
    const { calls, tokens } = await asked(async () => {
      const body = { idea: artifact.product_idea, features, project_id: projectId, research_id: researchId };
      await ended(`/build-graphs/${String((await user.call('POST', '/build-graphs', body)).body['graph_id'])}`);
    });
    expect(calls).toHaveLength(2);
    expect(tokens).toBeLessThan(MOST_TOKENS.plan);
    expectNothingTwice(calls);
    // What a cache can keep: the second question begins as the first one does.
    const [roots, children] = calls.map(({ prompt }) => prompt);
    expect(children?.startsWith(roots?.slice(0, roots.lastIndexOf('\n\n')) ?? 'nothing')).toBe(true);
  });

  it('writes a brief in two calls, and one section anew in one', async () => {
    let briefId = '';
    const { calls, tokens } = await asked(async () => {
      briefId = String((await user.call('POST', '/briefs', { project_id: projectId, research_id: researchId })).body['brief_id']);
      await ended(`/briefs/${briefId}`);
    });
    expect(calls).toHaveLength(2);
    expect(tokens).toBeLessThan(MOST_TOKENS.brief);
    expectNothingTwice(calls);
    const again = await asked(async () => {
      await user.call('POST', `/briefs/${briefId}/sections/positioning/regenerate`);
      await ended(`/briefs/${briefId}`);
    });
    expect(again.calls).toHaveLength(1);
  });
});

const LONG = 60;

/** No line of a prompt stands in it twice. */
function expectNothingTwice(calls: readonly { prompt: string }[]): void {
  for (const { prompt } of calls) {
    const lines = prompt.split('\n').filter((line) => line.length >= LONG);
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
  }
}
