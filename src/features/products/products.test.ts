import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { followResearch } from './follow-research.ts';

const waiting = await startTestApp({ env: { ROLES: 'api' } });
const working = await startTestApp();
afterAll(() => Promise.all([waiting.dispose(), working.dispose()]));

const MISSING = 'b0a1d2c3-0000-4000-8000-000000000000';

type Card = { id: string; research_job_id: string; project_id: string | null; state: string; progress_percent: number };

const submit = async (user: TestUser, idea = newIdea()): Promise<Card> => (await user.call('POST', '/ideas', { idea })).body as unknown as Card;
const list = async (user: TestUser, query = ''): Promise<Card[]> => (await user.call('GET', `/products${query}`)).body as unknown as Card[];

async function submitted(user: TestUser): Promise<Card> {
  const card = await submit(user);
  await readNdjson(`${working.url}/research/${card.research_job_id}/events`, user.token);
  return card;
}

describe('the list of products', () => {
  it('has the card that moved last first, page by page, and none of others', async () => {
    const user = await waiting.user();
    const [first, second, third] = [await submit(user), await submit(user), await submit(user)];
    await submit(await waiting.user());
    expect((await list(user)).map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
    expect((await list(user, '?limit=1&offset=1')).map(({ id }) => id)).toEqual([second.id]);
    await followResearch(waiting.ctx, first.research_job_id);
    expect((await list(user))[0]?.id).toBe(first.id);
  });

  it('gives a card that lost its project the one of its research, for good', async () => {
    const user = await waiting.user();
    const card = await submit(user);
    await sql`update product_cards set project_id = null where id = ${card.id}`.execute(waiting.ctx.db);
    expect((await list(user))[0]?.project_id).toBe(card.project_id);
    const { rows } = await sql<{ project_id: string }>`select project_id from product_cards where id = ${card.id}`.execute(waiting.ctx.db);
    expect(rows[0]?.project_id).toBe(card.project_id);
  });

  it('gives a card whose research has no project either the project of its idea, and puts the research there', async () => {
    const user = await waiting.user();
    const card = await submit(user);
    await sql`update product_cards set project_id = null where id = ${card.id}`.execute(waiting.ctx.db);
    await sql`update research_jobs set project_id = null where id = ${card.research_job_id}`.execute(waiting.ctx.db);
    const healed = (await list(user))[0]?.project_id;
    const { items } = (await user.call('GET', `/projects/${healed}/research`)).body as unknown as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toEqual([card.research_job_id]);
  });
});

describe('a product', () => {
  it('shows the first reading of the idea until its research is there', async () => {
    const user = await waiting.user();
    const idea = newIdea();
    const card = await submit(user, idea);
    const { status, body } = await user.call('GET', `/products/${card.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      card: { state: 'researching', progress_percent: 0, current_checkpoint: 'interpret' },
      idea: { raw_input: idea },
      artifact: null,
      evidence: [],
    });
    expect((body['classification'] as unknown as { category: string }).category).toMatch(/habit/i);
  });

  it('shows its research with the strongest evidence once that is there', async () => {
    const user = await working.user();
    const card = await submitted(user);
    const { body } = await user.call('GET', `/products/${card.id}`);
    expect(body).toMatchObject({ card: { state: 'completed', progress_percent: 100, current_checkpoint: 'persist' } });
    const artifact = body['artifact'] as unknown as { evidence: unknown[]; classification: unknown; idea: { normalized_idea: string } };
    expect(body['evidence']).toEqual(artifact.evidence.slice(0, 20));
    expect((body['classification'] as unknown as { category: string }).category).toMatch(/habit/i);
    expect((body['idea'] as unknown as { normalized_idea: string }).normalized_idea).toBe(artifact.idea.normalized_idea);
    const stages = body['checkpoints'] as unknown as { job_id: string; status: string }[];
    expect(stages.length).toBeGreaterThan(3);
    expect(stages.every(({ job_id: id, status }) => id === card.research_job_id && status === 'completed')).toBe(true);
  });

  it('counts as failed when its research failed or is gone', async () => {
    const user = await waiting.user();
    const [failed, gone] = [await submit(user), await submit(user)];
    await sql`update research_jobs set status = 'failed' where id = ${failed.research_job_id}`.execute(waiting.ctx.db);
    await sql`update research_jobs set user_id = 'somebody-else' where id = ${gone.research_job_id}`.execute(waiting.ctx.db);
    for (const { id } of [failed, gone]) {
      const { body } = await user.call('GET', `/products/${id}`);
      expect(body).toMatchObject({ card: { state: 'failed' }, artifact: null });
    }
  });

  it('is missing alike where there is none and where it is of others, for reading and for events', async () => {
    const card = await submit(await waiting.user());
    const other = await waiting.user();
    for (const id of [card.id, MISSING]) {
      const read = await other.call('GET', `/products/${id}`);
      const recorded = await other.call('POST', '/products/events', { event: 'opened', card_id: id });
      expect([read.status, recorded.status]).toEqual([404, 404]);
      expect(read.body).toEqual(recorded.body);
    }
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from behavioral_events where user_id = ${other.userId}`.execute(
      waiting.ctx.db,
    );
    expect(rows[0]?.count).toBe(0);
  });

  it('records that it was looked at', async () => {
    const user = await waiting.user();
    const card = await submit(user);
    await list(user, '?limit=5&offset=2');
    await user.call('GET', `/products/${card.id}`);
    await user.call('POST', '/products/events', { event: 'starred', card_id: card.id, metadata: { from: 'home' } });
    const { rows } = await sql`select event, card_id, metadata from behavioral_events where user_id = ${user.userId} order by at, id`.execute(
      waiting.ctx.db,
    );
    expect(rows).toEqual([
      { event: 'list_viewed', card_id: null, metadata: { limit: 5, offset: 2 } },
      { event: 'detail_opened', card_id: card.id, metadata: {} },
      { event: 'starred', card_id: card.id, metadata: { from: 'home' } },
    ]);
  });
});

describe('a research that ends', () => {
  const told = async (user: TestUser, state: string) => {
    const { rows } = await sql<{ payload: Record<string, unknown> }>`
      select payload from domain_events where name = 'products.changed' and owner_id = ${user.userId} and payload->>'state' = ${state}`.execute(
      working.ctx.db,
    );
    return rows.map(({ payload }) => payload);
  };

  it('is told of each card that waited for it', async () => {
    const user = await working.user();
    const card = await submitted(user);
    const expected = { userId: user.userId, product_card_id: card.id, research_job_id: card.research_job_id };
    await expect.poll(() => told(user, 'completed')).toEqual([{ ...expected, state: 'completed', progress: 100 }]);
    expect(await told(user, 'researching')).toEqual([{ ...expected, state: 'researching', progress: 0 }]);
  });

  it('is told as failed where it failed, and of nothing where no card waited', async () => {
    const user = await working.user();
    const card = await submitted(user);
    await expect.poll(() => told(user, 'completed')).toHaveLength(1);
    await sql`update research_jobs set status = 'failed' where id = ${card.research_job_id}`.execute(working.ctx.db);
    await followResearch(working.ctx, card.research_job_id);
    expect(await told(user, 'failed')).toHaveLength(1);
    await followResearch(working.ctx, MISSING);
    expect(await told(user, 'failed')).toHaveLength(1);
  });
});
