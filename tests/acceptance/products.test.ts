import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anyList, anyString, call, detail, eventsOf, newIdea, newUser, timestamp, uuid, type Answer, type Json, type User } from './black-box.ts';

const cardShape = () => ({
  id: uuid(),
  research_job_id: uuid(),
  project_id: uuid(),
  title: anyString(),
  state: expect.stringMatching(/^(researching|completed|failed)$/),
  progress_percent: expect.any(Number),
  current_checkpoint: anyString(),
  created_at: timestamp(),
  updated_at: timestamp(),
});

async function submit(user: User, idea: string): Promise<Json> {
  const answer = await user.post('/ideas', { idea });
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
}

async function completedCard(user: User, idea: string): Promise<Json> {
  const card = await submit(user, idea);
  await eventsOf(user, String(card['research_job_id']));
  return card;
}

const listOf = (answer: Answer): Json[] => answer.body as unknown as Json[];

describe('POST /ideas', () => {
  it('answers 202 with a card that has a project, and researches in the background [R331 R332 R333 R336 R340 R341 R342 R343 R370 R372 R373 R374]', async () => {
    const user = await newUser();
    const card = await submit(user, newIdea());
    expect(card).toMatchObject(cardShape());
    expect(card['summary']).toEqual(anyString());
    const lines = await eventsOf(user, String(card['research_job_id']));
    expect(lines.map(({ event }) => event)).toContain('result');
  });

  it('answers the same card to the same meaning in other words order, case and punctuation [R375]', async () => {
    const user = await newUser();
    const mark = String(randomInt(1e12));
    const first = await submit(user, `A habit tracker for nurses with night shifts ${mark}`);
    const second = await submit(user, `for NURSES with night shifts: a habit tracker, ${mark}!`);
    expect(second['id']).toBe(first['id']);
    expect(second['research_job_id']).toBe(first['research_job_id']);
    expect(listOf(await user.get('/products'))).toHaveLength(1);
  });

  it('gives the card of a research that already runs, instead of a second one [R374 R375]', async () => {
    const user = await newUser();
    const idea = newIdea();
    expect((await user.post('/research', { idea })).status).toBe(202);
    const card = await submit(user, idea);
    const { items } = (await user.get(`/projects/${String(card['project_id'])}/research`)).body as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toEqual([card['research_job_id']]);
  });

  it('answers 400 without an idea, 422 below 4 and above 8000 characters [R028 R037 R371]', async () => {
    const user = await newUser();
    expect((await user.post('/ideas', {})).status).toBe(400);
    expect((await user.post('/ideas', { idea: 'abc' })).status).toBe(422);
    expect((await user.post('/ideas', { idea: 'x'.repeat(8001) })).status).toBe(422);
    expect((await user.post('/ideas', { idea: `${newIdea()} ${'word '.repeat(1500)}` })).status).toBe(202);
  });

  it('answers 401 without a token [R043]', async () => {
    expect((await call('POST', '/ideas', { body: { idea: newIdea() } })).status).toBe(401);
  });

  it('answers 429 after 20 within a minute [R038 R039 R392]', async () => {
    const user = await newUser();
    const idea = newIdea();
    const answers = [];
    for (let count = 0; count < 21; count += 1) answers.push(await user.post('/ideas', { idea }));
    expect(answers.slice(0, 20).every(({ status }) => status === 202)).toBe(true);
    expect(answers[20]?.status).toBe(429);
    expect(Number(answers[20]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('GET /products', () => {
  it('answers 200 with a bare array, most recently updated first [R378 R379 R380 R381 R382]', async () => {
    const user = await newUser();
    const first = await completedCard(user, newIdea(0));
    const second = await completedCard(user, newIdea(1));
    await expect.poll(async () => listOf(await user.get('/products')).map(({ id }) => id)).toEqual([second['id'], first['id']]);
    expect(listOf(await user.get('/products?limit=1&offset=1')).map(({ id }) => id)).toEqual([first['id']]);
  });

  it('answers 422 to a limit or offset out of range [R037 R378]', async () => {
    const user = await newUser();
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1']) expect((await user.get(`/products?${query}`)).status, query).toBe(422);
  });
});

describe('GET /products/{card_id}', () => {
  it('answers 200 with idea, classification, checkpoints, artifact and evidence [R344 R345 R346 R347 R348 R350 R351 R352 R353 R354 R355 R384]', async () => {
    const user = await newUser();
    const idea = newIdea();
    const card = await completedCard(user, idea);
    const answer = await user.get(`/products/${String(card['id'])}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: card['id'],
      card: { state: 'completed', progress_percent: 100 },
      idea: {
        raw_input: idea,
        normalized_idea: anyString(),
        target_user: anyString(),
        problem_statement: anyString(),
        proposed_solution: anyString(),
      },
      classification: { category: anyString(), subcategory: anyString(), market_type: anyString(), confidence: expect.any(Number) },
      artifact: { id: uuid(), job_id: card['research_job_id'], market: { audience: anyList(), competitors: anyList() }, ui_sections: anyList() },
    });
    const checkpoints = answer.body['checkpoints'] as Json[];
    expect(checkpoints.map(({ key, status }) => `${String(key)} ${String(status)}`)).toEqual(
      ['interpret', 'search', 'judge', 'analyze', 'synthesize', 'persist'].map((key) => `${key} completed`),
    );
    const evidence = answer.body['evidence'] as { confidence: number | null }[];
    expect(evidence.length).toBeGreaterThan(0);
    expect(evidence.length).toBeLessThanOrEqual(20);
    expect(evidence.map((row) => row.confidence ?? -1)).toEqual(evidence.map((row) => row.confidence ?? -1).toSorted((left, right) => right - left));
  });

  it('answers 404 when it is missing or not owned [R385 R386]', async () => {
    const card = await submit(await newUser(), newIdea());
    const other = await newUser();
    expect((await other.get(`/products/${String(card['id'])}`)).status).toBe(404);
    expect((await other.get(`/products/${randomUUID()}`)).status).toBe(404);
  });

  it('shows a failed research as a failed card without an artifact [R340 R349]', async () => {
    const user = await newUser();
    const card = await completedCard(user, 'asdf qwer zxcv');
    const answer = await user.get(`/products/${String(card['id'])}`);
    expect(answer.body).toMatchObject({ card: { state: 'failed' }, artifact: null, evidence: [] });
  });
});

describe('POST /products/events', () => {
  it('answers 202 to any event of 1 to 64 characters [R388 R389 R390]', async () => {
    const user = await newUser();
    const answer = await user.post('/products/events', { event: 'list_viewed', metadata: { from: 'home' } });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ ok: true });
  });

  it('answers 400 without and 422 to a wrong event, 404 to the card of another [R028 R037 R386 R389]', async () => {
    const user = await newUser();
    expect((await user.post('/products/events', {})).status).toBe(400);
    expect((await user.post('/products/events', { event: '' })).status).toBe(422);
    expect((await user.post('/products/events', { event: 'e'.repeat(65) })).status).toBe(422);
    const card = await submit(await newUser(), newIdea());
    expect((await user.post('/products/events', { event: 'detail_opened', card_id: card['id'] })).status).toBe(404);
  });
});

describe('GET /v1/cards', () => {
  it('answers 200 with the cards of a research, newest first, and the older ones after an instant [R420 R421 R422 R424 R425 R426 R429 R430 R431 R432]', async () => {
    const user = await newUser();
    const card = await completedCard(user, newIdea());
    const all = await user.get(`/v1/cards?project_id=${String(card['project_id'])}`);
    expect(all.status).toBe(200);
    const items = all.body['items'] as { card_type: string; created_at: string }[];
    expect(all.body['count']).toBe(items.length);
    const types = items.map((item) => item.card_type);
    for (const type of ['competitors_ready', 'features_ready', 'signals_ready', 'whitespaces_ready', 'priorities_ready', 'priorities_picked']) {
      expect(types).toContain(type);
    }
    expect(items[0]).toMatchObject({
      id: uuid(),
      source_msvc: anyString(),
      title: anyString(),
      body: {},
      status: anyString(),
      cta_actions: anyList(),
      scope: 'private',
    });
    const times = items.map((item) => Date.parse(item.created_at));
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    const middle = items[2]?.created_at ?? '';
    const older = (await user.get(`/v1/cards?after=${encodeURIComponent(middle)}`)).body['items'] as { created_at: string }[];
    expect(older.every((item) => Date.parse(item.created_at) < Date.parse(middle))).toBe(true);
  });

  it('answers the same at GET /cards [R427 R428]', async () => {
    const user = await newUser();
    await completedCard(user, newIdea());
    await expect.poll(async () => (await user.get('/cards')).text === (await user.get('/v1/cards')).text).toBe(true);
  });

  it('answers 422 to a limit out of range, a project_id that is no UUID, an after that is no instant [R037 R423]', async () => {
    const user = await newUser();
    for (const query of ['limit=0', 'limit=201', 'project_id=x', 'after=yesterday'])
      expect((await user.get(`/v1/cards?${query}`)).status, query).toBe(422);
  });
});

describe('POST /v1/ideas', () => {
  it('answers 201 with a card in progress [R396 R399]', async () => {
    const user = await newUser();
    const answer = await user.post('/v1/ideas', { idea: newIdea() });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ card_id: uuid(), status: 'in_progress' });
  });

  it('answers 400 without an idea, 422 below 3 and above 5000 characters, 404 to the project of another [R010 R028 R037 R397 R398]', async () => {
    const user = await newUser();
    expect((await user.post('/v1/ideas', {})).status).toBe(400);
    expect((await user.post('/v1/ideas', { idea: 'ab' })).status).toBe(422);
    expect((await user.post('/v1/ideas', { idea: 'x'.repeat(5001) })).status).toBe(422);
    const project = (await (await newUser()).post('/projects', { title: newIdea() })).body['id'];
    expect((await user.post('/v1/ideas', { idea: newIdea(), project_id: project })).status).toBe(404);
  });
});

describe('POST /v1/pipeline/feature-selection', () => {
  it('answers 202 with a card and starts the deep research of at most 10 features [R400 R401 R402 R404 R405]', async () => {
    const user = await newUser();
    const card = await completedCard(user, newIdea());
    const detailed = await user.get(`/products/${String(card['id'])}`);
    const { features } = detailed.body['artifact'] as { features: { id: string }[] };
    const answer = await user.post('/v1/pipeline/feature-selection', {
      research_id: card['research_job_id'],
      selected_feature_ids: [...features.map(({ id }) => id), 'unknown'].slice(0, 50),
    });
    expect(answer.status, answer.text).toBe(202);
    const items = (await user.get('/v1/cards')).body['items'] as {
      id: string;
      card_type: string;
      body: { features: unknown[]; feature_research_id: string };
    }[];
    const selected = items.find(({ id }) => id === answer.body['card_id']);
    expect(selected?.card_type).toBe('features_selected');
    expect(selected?.body.features.length).toBeLessThanOrEqual(10);
    expect((await user.get(`/feature-research/${selected?.body.feature_research_id}`)).status).toBe(200);
  });

  it('answers 400 no_features_resolved, 404 research_not_found, 422 to none or more than 50 ids [R403 R406 R407]', async () => {
    const user = await newUser();
    const card = await completedCard(user, newIdea());
    const select = (ids: unknown, research: unknown = card['research_job_id']) =>
      user.post('/v1/pipeline/feature-selection', { research_id: research, selected_feature_ids: ids });
    const none = await select(['nothing-of-the-kind']);
    expect(none.status).toBe(400);
    expect(none.body).toEqual(detail('no_features_resolved'));
    const missing = await select(['x'], randomUUID());
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual(detail('research_not_found'));
    expect((await select([])).status).toBe(422);
    expect((await select(Array.from({ length: 51 }, (_, index) => `f${index}`))).status).toBe(422);
  });
});

describe('POST /v1/pipeline/retry-section', () => {
  const retry = (user: User, research: unknown, section: string) => user.post('/v1/pipeline/retry-section', { research_id: research, section });
  const typesOf = async (user: User): Promise<string[]> =>
    ((await user.get('/v1/cards?limit=200')).body['items'] as { card_type: string }[]).map((item) => item.card_type);

  it('answers 202, emits a retrying card at once and a ready one later, with what depends on it [R408 R409 R411 R412 R413]', async () => {
    const user = await newUser();
    const card = await completedCard(user, newIdea());
    const answer = await retry(user, card['research_job_id'], 'features');
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ card_id: uuid(), status: 'in_progress' });
    expect(await typesOf(user)).toContain('features_retrying');
    const count = (types: string[], type: string) => types.filter((name) => name === type).length;
    await expect.poll(async () => count(await typesOf(user), 'features_ready')).toBe(2);
    const types = await typesOf(user);
    expect(count(types, 'priorities_picked')).toBe(2);
    expect(count(types, 'competitors_ready')).toBe(1);
  });

  it('retries the build plan once priorities are picked [R410 R414]', async () => {
    const user = await newUser();
    const card = await completedCard(user, newIdea());
    expect((await retry(user, card['research_job_id'], 'build_plan')).status).toBe(202);
    await expect.poll(async () => (await typesOf(user)).filter((type) => type.startsWith('build_plan_ready')).length).toBeGreaterThan(1);
  });

  it('answers 409 to build_plan before priorities are picked [R418]', async () => {
    const user = await newUser();
    const card = await completedCard(user, 'lorem ipsum dolor');
    const answer = await retry(user, card['research_job_id'], 'build_plan');
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual(detail('no_priorities_picked_yet - retry section=priorities first'));
  });

  it('answers 400 to an unknown section, 404 to missing and 403 to foreign research [R415 R416 R417]', async () => {
    const user = await newUser();
    const card = await submit(user, newIdea());
    const unknown = await retry(user, card['research_job_id'], 'everything');
    expect(unknown.status).toBe(400);
    expect(unknown.body).toEqual(detail(/^invalid_section: must be one of \[competitors, features, signals, whitespaces, priorities, build_plan\]$/));
    const missing = await retry(user, randomUUID(), 'features');
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual(detail('research_not_found'));
    const foreign = await retry(await newUser(), card['research_job_id'], 'features');
    expect(foreign.status).toBe(403);
    expect(foreign.body).toEqual(detail('forbidden'));
  });
});
