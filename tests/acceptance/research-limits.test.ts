import { describe, expect, it } from 'vitest';
import {
  anyNumber,
  call,
  canSignIn,
  identityToken,
  newIdea,
  newProject,
  newUser,
  timestamp,
  userWith,
  uuid,
  type Json,
  type User,
} from './black-box.ts';

/** A window of the limit, and what it may take to notice its end. */
const REPLAY_MS = 90_000;

/** Uses up the ten starts of a minute. */
async function useUp(user: User): Promise<void> {
  for (let count = 0; count < 10; count += 1) expect((await user.post('/research', { idea: newIdea(count) })).status).toBe(202);
}

describe('POST /research above its limit', () => {
  it('answers 429 with Retry-After to the eleventh within a minute, and counts each user alone [R038 R039 R270 R325]', async () => {
    const [user, other] = [await newUser(), await newUser()];
    await useUp(user);
    const answer = await user.post('/research', { idea: newIdea() });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await other.post('/research', { idea: newIdea() })).status).toBe(202);
  });

  it('checks the token before the limit: 401 is never a 429 [R029]', async () => {
    for (let count = 0; count < 12; count += 1) expect((await call('POST', '/research', { body: { idea: 'x' } })).status).toBe(401);
  });

  it(
    'keeps up to five requests of a session and replays them by itself in the next window [R272 R273 R274 R279 R280 R326]',
    { timeout: REPLAY_MS },
    async () => {
      const user = await newUser();
      expect((await user.get('/research/queued')).body).toEqual({ count: 0, items: [] });
      const project = await newProject(user);
      await useUp(user);
      const ideas = [0, 1, 2, 3, 4, 5].map((each) => newIdea(each));
      for (const [index, idea] of ideas.entries()) {
        const answer = await user.post('/research', { idea, project_id: project, ...(index === 0 ? { mode: 'feature' } : {}) });
        expect(answer.status).toBe(429);
      }
      const queued = await user.get('/research/queued');
      expect(queued.status).toBe(200);
      expect(queued.body).toEqual({
        count: 5,
        items: ideas
          .slice(0, 5)
          .map((idea, index) => ({ id: uuid(), idea, project_id: project, mode: index === 0 ? 'feature' : 'market', queued_at: timestamp() })),
      });
      await emptied(user);
      const { items } = (await user.get(`/projects/${project}/research`)).body as { items: Json[] };
      expect(items.map((item) => item['idea']).sort()).toEqual(ideas.slice(0, 5).sort());
    },
  );

  it.skipIf(!canSignIn)('keeps nothing of a request that came with an identity JWT [R270 R272]', async () => {
    const user = userWith(await identityToken(`user-${crypto.randomUUID()}`));
    await useUp(user);
    expect((await user.post('/research', { idea: newIdea() })).status).toBe(429);
    expect((await user.get('/research/queued')).body).toEqual({ count: 0, items: [] });
  });
});

describe('GET /research/queued', () => {
  it('answers 429 with Retry-After to the 31st within a minute [R038 R039 R328]', async () => {
    const user = await newUser();
    for (let count = 0; count < 30; count += 1) expect((await user.get('/research/queued')).body).toEqual({ count: anyNumber(), items: [] });
    const answer = await user.get('/research/queued');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('shows nobody else’s [R010]', async () => {
    const user = await newUser();
    await useUp(user);
    await user.post('/research', { idea: newIdea() });
    expect((await (await newUser()).get('/research/queued')).body).toEqual({ count: 0, items: [] });
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect((await call('GET', '/research/queued')).status).toBe(401);
  });
});

/** Waits until nothing is queued; looks no more often than the limit of that route allows. */
async function emptied(user: User): Promise<void> {
  await expect.poll(async () => (await user.get('/research/queued')).body['count'], { interval: 3000, timeout: REPLAY_MS - 10_000 }).toBe(0);
}
