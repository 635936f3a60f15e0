import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { gatedSearch, newGate } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { startScriptedModel } from '#testing/scripted-model-server.ts';
import type { ResearchArtifact } from '../schema.ts';
import type { IdeaInterpretation } from './schema.ts';

const SCALE = 'A hive scale for beekeepers without any sound or inspection features, in Portugal, for €5 a month';

const gate = newGate();
const app = await startTestApp({ overrides: { search: gatedSearch(gate) } });
afterAll(() => app.dispose());

const start = async (user: TestUser, idea: string, path = '/research', more = {}): Promise<string> =>
  String((await user.call('POST', path, { idea, ...more })).body['job_id']);
const follow = (user: TestUser, id: string) => readNdjson(`${app.url}/research/${id}/events`, user.token);
const understood = async (user: TestUser, id: string) =>
  (await user.call('GET', `/research/${id}/interpretation`)).body as unknown as IdeaInterpretation & { job_id: string; corrects: string | null };
const resultOf = async (user: TestUser, id: string): Promise<ResearchArtifact> =>
  (await follow(user, id)).find(({ event }) => event === 'result')?.data as unknown as ResearchArtifact;

async function researched(idea = SCALE): Promise<{ user: TestUser; id: string }> {
  const user = await app.user();
  const id = await start(user, idea);
  await follow(user, id);
  return { user, id };
}

/** Every span of an interpretation. */
const spansIn = (value: unknown): { start: number; end: number; quote: string }[] => {
  if (typeof value !== 'object' || value === null) return [];
  return 'quote' in value ? [value as never] : Object.values(value).flatMap(spansIn);
};

describe('how an idea is understood', () => {
  it('is told between the stage that understood it and the next one, and can be read', async () => {
    const user = await app.user();
    const id = await start(user, SCALE);
    const lines = await follow(user, id);
    const at = lines.findIndex(({ event }) => event === 'interpretation');
    expect(lines[at - 1]?.data).toEqual({ name: 'interpret', status: 'completed' });
    expect(lines[at + 1]?.data).toEqual({ name: 'search', status: 'started' });
    expect(await understood(user, id)).toEqual({ job_id: id, corrects: null, ...lines[at]?.data });
  });

  it('is there while the research goes on, and not before', async () => {
    const user = await app.user();
    const release = gate.close();
    const id = await start(user, SCALE);
    await expect.poll(async () => (await user.call('GET', `/research/${id}/interpretation`)).status, { timeout: 20_000 }).toBe(200);
    expect((await user.call('GET', `/research/${id}/status`)).body).toMatchObject({ status: 'running' });
    release();
    await follow(user, id);
    const refused = await start(user, 'asdf');
    await follow(user, refused);
    expect((await user.call('GET', `/research/${refused}/interpretation`)).status).toBe(404);
  });

  it('rests on the words of the idea, each where it says that it stands', async () => {
    const { user, id } = await researched();
    const about = await understood(user, id);
    expect(about).toMatchObject({
      user: { text: 'beekeepers', said_by: 'rules' },
      place: { text: 'Portugal' },
      price: { text: '€5 a month' },
      language: { text: 'en' },
      not_asked_for: [{ text: 'sound' }, { text: 'inspection features' }],
      markets: [{ id: 'beekeeping', chosen: true, said_by: 'rules' }],
    });
    const spans = spansIn(about);
    expect(spans.length).toBeGreaterThan(7);
    for (const { start: from, end, quote } of spans) expect(SCALE.slice(from, end)).toBe(quote);
    expect(about.markets[0]?.words.length).toBeGreaterThan(0);
  });

  it('states nothing that the idea does not say', async () => {
    const { user, id } = await researched('Bookings and reminders by text message');
    const about = await understood(user, id);
    expect(about).not.toHaveProperty('user');
    expect(about).not.toHaveProperty('pain');
    expect(about).not.toHaveProperty('price');
    expect(about.not_asked_for).toEqual([]);
  });

  it.each([
    ['A hive scale without any sound or inspection features', /sound|inspection|queen|alarm/i],
    ['Eine Bienenstockwaage ohne Ton und Völkerkontrolle für Imker', /sound|inspection/i],
    ['Une balance connectée pour ruches sans son ni inspection', /sound|inspection/i],
    ['Una báscula para colmenas sin sonido ni inspección para apicultores', /sound|inspection/i],
  ])('counts nothing as asked for that it does without: %s', async (idea, unwanted) => {
    const { user, id } = await researched(idea);
    const about = await understood(user, id);
    expect(about.not_asked_for.length).toBe(2);
    expect(about.asked_for.filter(({ text, feature_id: feature }) => unwanted.test(`${text} ${feature}`))).toEqual([]);
    const { features, recommendation } = await resultOf(user, id);
    expect(features.filter(({ asked_for: asked, name }) => asked && unwanted.test(name)).map(({ name }) => name)).toEqual([]);
    expect(recommendation.parts.length).toBe(5);
  });

  it('is that of the research that it is a clone of, with spans in its own text', async () => {
    const { user, id } = await researched();
    const spaced = SCALE.replaceAll(' ', '  ');
    const clone = await start(user, spaced);
    expect(clone).not.toBe(id);
    const about = await understood(user, clone);
    expect(about.user?.text).toBe('beekeepers');
    for (const { start: from, end, quote } of spansIn(about)) expect(spaced.slice(from, end)).toBe(quote);
  });
});

describe('a correction', () => {
  const patch = (user: TestUser, id: string, body: unknown, headers?: Record<string, string>) =>
    user.call('PATCH', `/research/${id}/interpretation`, body, headers);

  it('starts a linked research of the same project that takes it as it is', async () => {
    const user = await app.user();
    const started = (await user.call('POST', '/projects/research', { idea: SCALE })).body;
    const [id, projectId] = [String(started['job_id']), String(started['project_id'])];
    await follow(user, id);
    const correction = { user: 'dog walkers', pain: null, asked_for: ['GPS walk tracking'], not_asked_for: ['billing'] };
    const market = await anotherMarket(user, 'An app for dog walkers to plan and track walks');
    const answer = await patch(user, id, { ...correction, markets: [market] });
    expect(answer).toMatchObject({ status: 202, body: { corrects: id, project_id: projectId, status: 'queued' } });
    const next = String(answer.body['job_id']);
    const lines = await follow(user, next);
    expect(lines.filter(({ event }) => event === 'interpretation')).toHaveLength(1);
    const about = await understood(user, next);
    expect(about).toMatchObject({
      corrects: id,
      user: { text: 'dog walkers', said_by: 'user', span: null },
      asked_for: [{ text: 'GPS walk tracking', said_by: 'user' }],
      not_asked_for: [{ text: 'billing', said_by: 'user' }],
      place: { text: 'Portugal', said_by: 'rules' },
      markets: [{ id: market, confidence: 1, chosen: true, said_by: 'user' }],
    });
    expect(about).not.toHaveProperty('pain');
    const artifact = await resultOf(user, next);
    expect(artifact.classification).toMatchObject({ category_ids: [market], confidence: 1 });
    expect(artifact.idea.target_user).toBe('dog walkers');
    expect(artifact.market.competitors.length).toBeGreaterThan(2);
    expect((await understood(user, id)).user?.text).toBe('beekeepers');
  });

  it('answers 409 while the same one runs, and one key starts one research', async () => {
    const { user, id } = await researched();
    const release = gate.close();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await patch(user, id, { user: 'hobbyists' }, headers);
    expect(first.status).toBe(202);
    expect((await patch(user, id, { user: 'hobbyists' })).status).toBe(409);
    const again = await patch(user, id, { user: 'hobbyists' }, headers);
    expect(again).toMatchObject({ status: 200, body: { job_id: first.body['job_id'], status: 'in_progress' } });
    expect((await patch(user, id, { user: 'others' }, headers)).status).toBe(409);
    expect((await patch(user, id, { user: 'schools' })).status).toBe(202);
    release();
    await follow(user, String(first.body['job_id']));
  });

  it.each([
    [{ markets: ['no-such-market', 'beekeeping', 'nor-this'] }, 422, /no-such-market.* and .*nor-this/],
    [{}, 422, /./],
    [{ language: 'English' }, 422, /./],
    [{ user: 5 }, 400, /./],
  ])('of %j is refused', async (body, status, detail) => {
    const { user, id } = await researched();
    const answer = await patch(user, id, body);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(detail);
  });

  it('and what it corrects belong to their owner', async () => {
    const { user, id } = await researched();
    const other = await app.user();
    expect((await other.call('GET', `/research/${id}/interpretation`)).status).toBe(404);
    expect((await patch(other, id, { user: 'me' })).status).toBe(404);
    expect((await patch(user, randomUUID(), { user: 'me' })).status).toBe(404);
    const nobody = await app.server.fastify.inject({ method: 'GET', url: `/research/${id}/interpretation` });
    expect(nobody.statusCode).toBe(401);
  });
});

describe('markets that are named beforehand', () => {
  it('are those of the research', async () => {
    const user = await app.user();
    const id = await start(user, SCALE, '/projects/research', { markets: ['beekeeping'] });
    expect((await resultOf(user, id)).classification).toMatchObject({ category_ids: ['beekeeping'], confidence: 1 });
    expect((await user.call('POST', '/projects/research', { idea: SCALE, markets: ['nowhere'] })).status).toBe(422);
  });
});

describe('a model that reads an idea', () => {
  const LIE = 'See zentrova.io: it costs $47 a month.';
  const answer = {
    normalized_idea: 'A hive scale for beekeepers.',
    short_title: 'Hive Scale',
    one_line_summary: 'A hive scale.',
    target_user: 'People who keep bees',
    problem_statement: LIE,
    proposed_solution: 'A hive scale for beekeepers',
    asked_for: [{ label: 'sound alarms' }, { label: LIE }, { label: 'weigh the hive' }],
    not_asked_for: ['sound', LIE],
    place: 'Portugal',
    price: '$47 a month',
    clarity: { user: 1, problem: 0, solution: 1 },
    confidence: 0.9,
    category_ids: ['beekeeping'],
  };

  it('may say it in its own words, invents nothing, and is not asked again about a correction', async () => {
    await using model = await startScriptedModel({ answer: ({ name }) => (name === 'interpret' ? answer : undefined) });
    const own = await startTestApp({ env: { LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted', LLM_TIMEOUT_SECONDS: '20' } });
    try {
      const user = await own.user();
      const id = await start(user, SCALE);
      await readNdjson(`${own.url}/research/${id}/events`, user.token);
      const about = await understood(user, id);
      expect(JSON.stringify(about)).not.toMatch(/zentrova|\$47/);
      expect(about).toMatchObject({
        user: { text: 'People who keep bees', said_by: 'model', span: null },
        core_action: { said_by: 'model', span: { quote: 'A hive scale for beekeepers' } },
        place: { text: 'Portugal', said_by: 'model', span: { quote: 'Portugal' } },
        not_asked_for: [
          { text: 'sound', said_by: 'model' },
          { text: 'inspection features', said_by: 'rules' },
        ],
      });
      expect(about).not.toHaveProperty('price');
      expect(about.asked_for.map(({ text }) => text)).toEqual(['weigh the hive']);
      const asked = () => model.calls.filter(({ name }) => name === 'interpret').length;
      expect(asked()).toBe(1);
      const next = String((await user.call('PATCH', `/research/${id}/interpretation`, { user: 'schools' })).body['job_id']);
      await readNdjson(`${own.url}/research/${next}/events`, user.token);
      expect(await understood(user, next)).toMatchObject({ user: { text: 'schools', said_by: 'user' } });
      expect(asked()).toBe(1);
    } finally {
      await own.dispose();
    }
  });
});

/** The market that another idea is in. */
async function anotherMarket(user: TestUser, idea: string): Promise<string> {
  const id = await start(user, idea);
  await follow(user, id);
  return (await understood(user, id)).markets[0]?.id ?? '';
}
