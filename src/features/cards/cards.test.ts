import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { isIdle, newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';

const app = await startTestApp();
afterAll(() => app.dispose());

type Card = Record<string, unknown> & { id: string; card_type: string; created_at: string; body: Record<string, unknown> };

async function researched(user: TestUser, project?: string): Promise<string> {
  const jobId = String((await user.call('POST', '/research', { idea: newIdea(), ...(project ? { project_id: project } : {}) })).body['job_id']);
  await readNdjson(`${app.url}/research/${jobId}/events`, user.token);
  await expect.poll(() => isIdle(app.ctx), { timeout: 20_000 }).toBe(true);
  return jobId;
}

const ORDER = ['competitors_ready', 'features_ready', 'signals_ready', 'whitespaces_ready', 'priorities_ready', 'priorities_picked'];

const cardsOf = async (user: TestUser, query = '') =>
  (await user.call('GET', `/v1/cards${query}`)).body as unknown as { items: Card[]; count: number };

describe('the cards of a research', () => {
  it('are one per section and priorities_picked, which has features [R250 R251]', async () => {
    const user = await app.user();
    await researched(user);
    const { items } = await cardsOf(user);
    const types = items.map(({ card_type }) => card_type).filter((type) => !type.startsWith('build_plan'));
    expect(types.toSorted()).toEqual(ORDER.toSorted());
    const picked = items.find(({ card_type }) => card_type === 'priorities_picked');
    expect(picked).toMatchObject({ status: 'ready', scope: 'private', body: { features: expect.any(Array) } });
    expect(picked?.body['features']).not.toEqual([]);
  });

  it('follow each other in time: priorities_picked is the last [R250]', async () => {
    for (let round = 0; round < 4; round += 1) {
      const user = await app.user();
      await researched(user);
      const types = (await cardsOf(user)).items.map(({ card_type }) => card_type).filter((type) => !type.startsWith('build_plan'));
      expect(types.toReversed()).toEqual(ORDER);
    }
  });

  it('are all met by whoever pages through them by the instant of the last', async () => {
    const user = await app.user();
    await researched(user);
    const whole = (await cardsOf(user)).items.map(({ id }) => id);
    const met: string[] = [];
    for (let query = '?limit=2'; query !== '';) {
      const { items } = await cardsOf(user, query);
      met.push(...items.map(({ id }) => id));
      const last = items.at(-1)?.created_at;
      query = last ? `?limit=2&after=${encodeURIComponent(last)}` : '';
    }
    expect(met).toEqual(whole);
  });

  it('are listed newest first, page after page strictly older', async () => {
    const user = await app.user();
    await researched(user);
    const whole = await cardsOf(user);
    expect(whole.count).toBe(whole.items.length);
    const times = whole.items.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().toReversed());
    const after = whole.items[2]?.created_at ?? '';
    const older = await cardsOf(user, `?after=${encodeURIComponent(after)}`);
    expect(older.items).toEqual(whole.items.filter(({ created_at }) => created_at < after));
    expect((await cardsOf(user, '?limit=2')).items).toEqual(whole.items.slice(0, 2));
  });

  it('go with their research into another project and with their project when it is deleted [R227 R283]', async () => {
    const user = await app.user();
    const project = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    const jobId = await researched(user);
    const before = (await cardsOf(user)).count;
    await user.call('PATCH', `/research/${jobId}`, { project_id: project });
    expect((await cardsOf(user, `?project_id=${project}`)).count).toBe(before);
    await user.call('DELETE', `/projects/${project}`);
    expect(await cardsOf(user)).toEqual({ items: [], count: 0 });
  });

  it('are nobody else’s [R010]', async () => {
    await researched(await app.user());
    expect(await cardsOf(await app.user())).toEqual({ items: [], count: 0 });
  });
});
