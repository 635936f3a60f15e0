import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '#testing/app.ts';
import { readNdjson, type Line } from '#testing/read-ndjson.ts';
import { startScriptedModel, type Script, type ScriptedModelServer } from '#testing/scripted-model-server.ts';
import { openSearchServer, type SearchServer } from '#testing/search-server.ts';

const IDEA = 'Flatmates never know who should buy what: a shared grocery list that learns what a household runs out of';

/** The service with a scripted model behind it. Each case has a server of its own, because faults are met in order. */
async function research(script: Script, env: Record<string, string> = {}): Promise<{ lines: Line[]; model: ScriptedModelServer; texts: string[] }> {
  await using model = await startScriptedModel(script);
  const app = await startTestApp({ env: { LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted', LLM_TIMEOUT_SECONDS: '20', ...env } });
  try {
    const user = await app.user();
    const started = await user.call('POST', '/research', { idea: IDEA });
    const id = String(started.body['job_id']);
    const lines = await readNdjson(`${app.url}/research/${id}/events`, user.token);
    return { lines, model, texts: await everywhere(user, id) };
  } finally {
    await app.dispose();
  }
}

/** Every answer in which something of a research shows. */
async function everywhere(user: TestUser, id: string): Promise<string[]> {
  const status = await user.call('GET', `/research/${id}/status`);
  if (status.body['status'] !== 'completed') return [status.text];
  const shared = await user.call('POST', `/research/${id}/share`);
  const page = `/share/${String(shared.body['share_token'])}`;
  const answers = await Promise.all([
    user.call('GET', page),
    user.call('GET', page, undefined, { accept: 'application/json' }),
    user.call('POST', `/research/${id}/remix`),
    user.call('GET', '/v1/cards?limit=50'),
  ]);
  return [status.text, ...answers.map((answer) => answer.text)];
}

const last = (lines: Line[], event: string): Line | undefined => lines.findLast((line) => line.event === event);

describe('research with a model', () => {
  it('completes with four calls on its way', async () => {
    const { lines, model } = await research({});
    const result = last(lines, 'result')?.data as { engine: { analyst: string; provider: string }; market: { competitors: unknown[] } };
    expect(result.engine).toMatchObject({ analyst: 'model', provider: 'llm_b' });
    expect(result.market.competitors.length).toBeGreaterThan(2);
    expect(model.calls.slice(0, 4).map((call) => call.name)).toEqual(['interpret', 'choose-markets', 'analyze', 'synthesize']);
  });

  it('says nothing of the idea that the idea does not say, and counts what it left out', async () => {
    const lie = 'See zentrova.io: it costs $47 a month, and Quovex Prime has 8,431 users.';
    const answer: Script['answer'] = ({ name }) =>
      name === 'interpret'
        ? {
            normalized_idea: `${IDEA}. ${lie}`,
            product_name: 'Quovex Prime',
            short_title: 'Quovex Prime App',
            one_line_summary: lie,
            target_user: lie,
            problem_statement: lie,
            proposed_solution: lie,
            category: `Groceries at $47`,
            subcategory: lie,
            market_type: lie,
            asked_for: [lie],
          }
        : undefined;
    const { lines, texts } = await research({ answer });
    const result = last(lines, 'result');
    expect(result).toBeDefined();
    for (const text of [JSON.stringify(lines), ...texts]) expect(text).not.toMatch(/zentrova|quovex|\$47|8,431/i);
    const { quality } = (result?.data ?? {}) as { quality?: { fabricated_citations: number } };
    expect(quality?.fabricated_citations).toBeGreaterThanOrEqual(6);
  });

  it('waits out 429 and 500 and repairs one malformed answer', async () => {
    const { lines } = await research({ faults: [{ status: 429, retryAfter: '0' }, { status: 500 }, null, 'malformed'] });
    expect(last(lines, 'result')).toBeDefined();
    expect(lines.at(-1)?.event).toBe('done');
  });

  it('ends with an honest error when the answers stay malformed', async () => {
    const { lines, texts } = await research({ faults: Array.from({ length: 40 }, () => 'malformed' as const) });
    const error = last(lines, 'error')?.data as { code: string; message: string; retryable: boolean };
    expect(error).toMatchObject({ code: 'LLM_FAILED', retryable: true });
    expect(last(lines, 'result')).toBeUndefined();
    expect(lines.slice(-2).map((line) => line.event)).toEqual(['error', 'done']);
    expect(texts[0]).toContain('"status":"failed"');
  });

  it('ends with an honest error when the model does not answer in time', async () => {
    const { lines } = await research({ faults: Array.from({ length: 40 }, () => 'hang' as const) }, { LLM_TIMEOUT_SECONDS: '1' });
    expect(last(lines, 'error')?.data).toMatchObject({ code: 'LLM_TIMEOUT', retryable: true });
  });

  it('lets no invented address, name or evidence id into any answer', async () => {
    const { lines, model, texts } = await research({ invented: 0.3, seed: 7 });
    expect(model.told.urls.length).toBeGreaterThan(2);
    const shown = [...lines.map((line) => JSON.stringify(line)), ...texts].join('\n');
    for (const invented of [...model.told.urls, ...model.told.names, ...model.told.ids]) expect(shown).not.toContain(invented);
    const result = last(lines, 'result')?.data as { quality: { fabricated_citations: number } } | undefined;
    expect(result?.quality.fabricated_citations ?? 1).toBeGreaterThan(0);
  });
});

describe('research with a web search', () => {
  let engine: SearchServer;
  let app: TestApp;

  beforeAll(async () => {
    const page = `<html><head><title>Listy: the shared grocery list for flatmates</title></head><body><article><h1>Listy</h1>
      <p>Listy is a shared grocery list for flatmates and families. It learns what your household runs out of and puts it on the shopping list
      before you do. Everybody sees the list at once, in the store as well, and nobody buys milk twice.</p></article></body></html>`;
    const hits = () => [
      { url: `${engine.baseUrl}/listy`, title: 'Listy: the shared grocery list for flatmates', snippet: 'A grocery list that learns what runs out.' },
    ];
    engine = await openSearchServer({ hits, pages: { '/listy': { headers: { 'content-type': 'text/html' }, body: page } } });
    app = await startTestApp({ env: { SEARCH_PROVIDER: 'searxng', SEARCH_BASE_URL: engine.baseUrl, FETCH_ALLOW: '127.0.0.1' } });
  });
  afterAll(async () => {
    await app.dispose();
    await engine[Symbol.asyncDispose]();
  });

  it('cites pages it read and reports each source', async () => {
    const user = await app.user();
    const started = await user.call('POST', '/research', { idea: `${IDEA}, read from the web` });
    const lines = await readNdjson(`${app.url}/research/${String(started.body['job_id'])}/events`, user.token);
    const result = last(lines, 'result')?.data as {
      quality: { evidence_by_kind: { web: number }; sources: { source: string; status: string }[] };
      evidence: { source_kind: string; confidence: number; freshness_score: number }[];
    };
    expect(result.quality.sources.map(({ source }) => source)).toEqual(['catalogue', 'prior_research', 'web']);
    expect(result.quality.evidence_by_kind.web).toBeGreaterThan(0);
    for (const row of result.evidence.filter(({ source_kind: kind }) => kind === 'web'))
      expect(row).toMatchObject({ confidence: 0.7, freshness_score: 0.9 });
  });
});
