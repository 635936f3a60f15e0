import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { gatedEmbeddings, isIdle, newGate, newIdea } from '#testing/factories.ts';
import { unavailable } from '#lib/errors.ts';
import { normaliseProject, shortDescriptionOf, shortTitleOf } from './normalise-project.ts';
import { MOVES, PROJECT_STATES } from './states.ts';
import { moveProject } from './project-store.ts';
import { seedProject } from './seed-project.ts';

let down = false;
const working = gatedEmbeddings(newGate());
const embeddings = {
  ...working,
  embed: (texts: readonly string[], signal?: AbortSignal) => (down ? Promise.reject(unavailable('no answer')) : working.embed(texts, signal)),
};
const app = await startTestApp({ overrides: { embeddings } });
const { db } = app.ctx;
afterAll(() => app.dispose());
afterEach(() => {
  down = false;
});

describe('while the embeddings are down', () => {
  it('search answers 503 with Retry-After [R042 R050]', async () => {
    const user = await app.user();
    await user.call('POST', '/projects', { title: newIdea() });
    down = true;
    const answer = await user.call('GET', '/projects/search?q=habits');
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({ detail: expect.any(String) });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  it('projects are created all the same, and found once they were embedded [R197 R202]', async () => {
    const user = await app.user();
    down = true;
    const created = await user.call('POST', '/projects', { title: newIdea('A chess club tournament planner') });
    expect(created.status).toBe(201);
    expect((await user.call('GET', `/projects/${String(created.body['id'])}/full`)).body['similar']).toEqual([]);
    await expect.poll(() => isIdle(app.ctx), { timeout: 20_000 }).toBe(true);
    down = false;
    await user.call('PATCH', `/projects/${String(created.body['id'])}`, { description: 'Pairings and clocks.' });
    const found = (await user.call('GET', '/projects/search?q=chess+tournament')).body as unknown as { items: { project_id: string }[] };
    expect(found.items[0]?.project_id).toBe(created.body['id']);
  });
});

describe('seeding', () => {
  it('tells the channel of a known market once, with what the catalogue knows [R201 R231 R232 R233 R234 R235]', async () => {
    const user = await app.user();
    const title = newIdea();
    const id = String((await user.call('POST', '/projects', { title })).body['id']);
    await user.call('POST', '/projects', { title });
    await expect.poll(() => isIdle(app.ctx), { timeout: 20_000 }).toBe(true);
    const events = await app.ctx.streams.read(`project:${id}`, 0, 10);
    expect(events.map(({ event }) => event)).toEqual(['project.seeded']);
    const entry = { name: expect.any(String), description: expect.any(String), frequency: expect.any(Number) };
    const data = JSON.parse(events[0]?.data ?? '{}') as { competitors: unknown[]; features: unknown[] };
    expect(data).toEqual({
      kind: expect.any(String),
      summary: expect.any(String),
      competitors: expect.any(Array),
      features: expect.any(Array),
      based_on_n_prior_projects: expect.any(Number),
    });
    expect(data.competitors.length).toBeGreaterThan(0);
    for (const competitor of data.competitors) expect(competitor).toEqual({ ...entry, domain: expect.any(String) });
    for (const feature of data.features) expect(feature).toEqual({ ...entry, category: expect.any(String) });
  });

  it('of a project that is deleted meanwhile has nobody to tell', async () => {
    const user = await app.user();
    const id = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    await expect.poll(() => isIdle(app.ctx), { timeout: 20_000 }).toBe(true);
    const append: typeof app.ctx.streams.append = async (...appended) => {
      await user.call('DELETE', `/projects/${id}`);
      return app.ctx.streams.append(...appended);
    };
    await seedProject({ ...app.ctx, streams: { ...app.ctx.streams, append } }, id, new AbortController().signal);
    expect((await user.call('GET', `/projects/${id}`)).status).toBe(404);
  });

  it('says nothing of an unknown market, and the project is there [R202]', async () => {
    const user = await app.user();
    const id = String((await user.call('POST', '/projects', { title: 'A weathervane that sings to passing storks' })).body['id']);
    await expect.poll(() => isIdle(app.ctx), { timeout: 20_000 }).toBe(true);
    expect((await user.call('GET', `/projects/${id}/home`)).body).toMatchObject({ ws: { last_event_seq: 0 } });
  });
});

describe('automatic moves', () => {
  it('lead only along the stated ways: blocked and done are left by none and reached by none [R188 R189 R191 R194]', async () => {
    const user = await app.user();
    for (const [move, ways] of Object.entries(MOVES)) {
      for (const from of PROJECT_STATES) {
        const id = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
        await sql`update projects set state = ${from} where id = ${id}`.execute(db);
        await moveProject(db, id, move as keyof typeof MOVES);
        const expected = (ways as Record<string, string>)[from] ?? from;
        expect((await user.call('GET', `/projects/${id}`)).body['state'], `${move} from ${from}`).toBe(expected);
        if (['blocked', 'done'].includes(from)) expect(expected).toBe(from);
        else expect(['blocked', 'done']).not.toContain(expected);
      }
    }
    expect(MOVES.research_started.draft).toBe('researching');
    expect(MOVES.research_completed.researching).toBe('ready');
    expect(MOVES.build_started.ready).toBe('building');
  });
});

describe('the derived fields', () => {
  it.each([
    ['A habit tracking app for night nurses', 'Habit tracking night'],
    ['I want to build a marketplace for used cellos', 'Marketplace used cellos'],
    ['tea', 'Tea'],
    ['???', '???'],
  ])('shorten %j to at most three words [R160]', (title, expected) => {
    expect(shortTitleOf(normaliseProject(title, '').cleanTitle)).toBe(expected);
  });

  it('make descriptions of 30 to 80 characters, cut between words [R161]', () => {
    const texts = ['', 'Tea', 'word '.repeat(100), 'x'.repeat(200), '寿司'.repeat(50), 'A sentence that has just about the right length.'];
    for (const description of texts) {
      const text = shortDescriptionOf({ description, oneLiner: description, title: 'Title' });
      expect(text.length, description).toBeGreaterThanOrEqual(30);
      expect(text.length, description).toBeLessThanOrEqual(80);
      expect(text).toBe(text.trim());
    }
  });

  it('make one sentence of the description, else of the title [R156]', () => {
    expect(normaliseProject('Tea timer', 'Counts minutes. Rings twice.').oneLiner).toBe('Counts minutes.');
    expect(normaliseProject('Tea timer', '').oneLiner).toBe('Tea timer');
  });

  it('call two texts the same idea when case, spaces and form of letters are all that differs [R198]', () => {
    const key = (title: string, description = '') => normaliseProject(title, description).ideaKey;
    expect(key(' Café  planner', 'A\nb')).toBe(key('CAFE\u0301 PLANNER', 'a b'));
    expect(key('Tea', 'timer')).not.toBe(key('Tea timer'));
    expect(key('Tea timer 1')).not.toBe(key('Tea timer 2'));
  });
});
