import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { deleteOldEvents } from './product-store.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db } = app.ctx;
afterAll(() => app.dispose());

const post = (user: TestUser, metadata: unknown) => user.call('POST', '/products/events', { event: 'list_viewed', metadata });

async function eventsOf(user: TestUser): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::int as count, coalesce(sum(octet_length(metadata::text)), 0)::int as bytes from behavioral_events where user_id = ${user.userId}`.execute(
    db,
  );
  return rows[0] ?? { count: 0, bytes: 0 };
}

/** Events a second apart, the newest as old as said. */
const addEvents = (user: TestUser, count: number, days: number) =>
  sql`insert into behavioral_events (id, user_id, event, at)
    select gen_random_uuid(), ${user.userId}, 'list_viewed', now() - make_interval(days => ${days}, secs => n) from generate_series(1, ${count}::int) n`.execute(
    db,
  );

describe('the metadata of a behavioural event', () => {
  it('may take 16 kB as JSON; more is refused, and nothing of it is kept', async () => {
    const user = await app.user();
    const around = Buffer.byteLength(JSON.stringify({ notes: '' }));
    expect((await post(user, { notes: 'é'.repeat((16_384 - around) / 2) })).status).toBe(202);
    const refused = await post(user, { notes: `${'é'.repeat((16_384 - around) / 2)}x` });
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining('16384 bytes') } });
    expect((await post(user, { list: Array.from({ length: 20_000 }, () => ({})) })).status).toBe(422);
    expect(await eventsOf(user)).toEqual({ count: 1, bytes: 16_384 });
  });
});

describe('behavioural events', () => {
  it('are kept 90 days, and of one user the newest thousand', async () => {
    const [many, old, other] = [await app.user(), await app.user(), await app.user()];
    await addEvents(many, 1200, 0);
    await addEvents(old, 5, 91);
    await addEvents(old, 3, 89);
    await addEvents(other, 10, 1);
    expect(await deleteOldEvents(db)).toBe(205);
    expect([await eventsOf(many), await eventsOf(old), await eventsOf(other)].map(({ count }) => count)).toEqual([1000, 3, 10]);
    const { rows } = await sql<{ oldest: number }>`
      select extract(epoch from now() - min(at))::int as oldest from behavioral_events where user_id = ${many.userId}`.execute(db);
    expect(rows[0]?.oldest).toBeLessThan(1100);
  });
});
