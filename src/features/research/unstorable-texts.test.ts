import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { mapTexts } from '#lib/map-texts.ts';
import type { PageReader } from '#platform/ports/page-reader/port.ts';
import type { WebSearch } from '#platform/ports/web-search/port.ts';
import { startTestApp, type TestApp, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { answerFromPrompt, seeded } from '#testing/scripted-answers.ts';
import { startScriptedModel } from '#testing/scripted-model-server.ts';

const HALVES = 'first \ud83d second \udc1d';
const UNSTORABLE = `nul \u0000 ${HALVES}`;
const spoilt = (text: string): string => `${UNSTORABLE} ${text} ${UNSTORABLE}`;

let app: TestApp | undefined;
afterEach(async () => {
  await app?.dispose();
  app = undefined;
});
const kept = new AsyncDisposableStack();
afterAll(() => kept.disposeAsync());

async function resultOf({ url }: TestApp, { token }: TestUser, path: string): Promise<string> {
  const lines = await readNdjson(`${url}${path}`, token);
  expect(lines.filter(({ event }) => event === 'error')).toEqual([]);
  const all = JSON.stringify(lines);
  expect(all).not.toMatch(/\\u0000|\\ud83d|\\udc1d/);
  return all;
}

describe('a NUL and halves of characters', () => {
  it('in every field of a page and of what a search says of it do not end a research', async () => {
    const search: WebSearch = {
      provider: 'searxng',
      search: async () =>
        [1, 2, 3].map((n) => ({
          url: `https://streaks${n}.example/`,
          title: spoilt('Habit tracker with streaks'),
          snippet: spoilt('Track habits with streaks and reminders'),
          publishedAt: null,
        })),
    };
    const pages: PageReader = {
      read: async (url) => ({
        url,
        title: spoilt('Streaks'),
        text: spoilt('Track habits with streaks and reminders. '.repeat(200)),
        publishedAt: null,
      }),
      prepare: () => {},
      close: async () => {},
    };
    app = await startTestApp({ overrides: { search, pages } });
    const user = await app.user();
    const { body } = await user.call('POST', '/research', { idea: newIdea() });
    expect(await resultOf(app, user, `/research/${String(body['job_id'])}/events`)).toContain('"event":"result"');
  });

  it("in every text of a model's answers do not end a research", async () => {
    const liar = { share: 0, told: { urls: [], names: [], ids: [] }, random: seeded(1) };
    const model = kept.use(
      await startScriptedModel({
        // Names and ids are one word each, by which the answers hang together.
        answer: ({ name, turns }) =>
          mapTexts(answerFromPrompt(name, turns[0]?.content ?? '', liar), (text) => (text.includes(' ') ? spoilt(text) : text)),
      }),
    );
    app = await startTestApp({ env: { LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted' } });
    const user = await app.user();
    const { body } = await user.call('POST', '/research', { idea: 'Flatmates never know who should buy what: a shared grocery list that learns' });
    expect(await resultOf(app, user, `/research/${String(body['job_id'])}/events`)).toContain('"event":"result"');
  });

  it('in every field of a request are refused or mended, and no job fails', async () => {
    const own = await startTestApp();
    app = own;
    const user = await own.user();
    const bodies = (text: string): [string, unknown][] => [
      ['/research', { idea: `${newIdea()} ${text}` }],
      ['/projects/research', { idea: `${newIdea()} ${text}`, description: text }],
      ['/projects', { title: `${newIdea()} ${text}`, description: text }],
      ['/ideas', { idea: `${newIdea()} ${text}` }],
      ['/v1/ideas', { idea: `${newIdea()} ${text}` }],
      ['/products/events', { event: text, metadata: { [text]: [text] } }],
      ['/feature-research', { idea: `${newIdea()} ${text}`, features: [{ id: text, name: text, source: text }] }],
      ['/build-graphs', { idea: `${newIdea()} ${text}`, features: [{ id: text, label: text, source: text }] }],
    ];
    for (const [path, body] of bodies(UNSTORABLE)) expect((await user.call('POST', path, body)).status, path).toBe(422);
    const answers = await Promise.all(bodies(HALVES).map(([path, body]) => user.call('POST', path, body)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 201, 202, 201, expect.any(Number), 202, 201]);
    await resultOf(own, user, `/research/${String(answers[0]?.body['job_id'])}/events`);
    await resultOf(own, user, `/research/${String(answers[1]?.body['job_id'])}/events`);
    await resultOf(own, user, `/feature-research/${String(answers[6]?.body['job_id'])}/events`);
    await vi.waitFor(
      async () => expect((await user.call('GET', `/build-graphs/${String(answers[7]?.body['graph_id'])}`)).body['status']).toBe('ready'),
      20_000,
    );
  });
});
