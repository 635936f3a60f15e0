import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { deleteOldKeys, rememberKey, replayOf, type IdempotentRequest } from './idempotency.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db } = app.ctx;
afterAll(() => app.dispose());

const newRequest = (more: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  userId: randomUUID(),
  route: 'POST /things',
  key: 'k',
  request: { idea: 'x', mode: 'market' },
  ...more,
});

const remember = (request: IdempotentRequest, resource: string) => db.transaction().execute((tx) => rememberKey(tx, request, resource));
const age = (request: IdempotentRequest, hours: number) =>
  sql`update idempotency_keys set created_at = now() - make_interval(hours => ${hours}) where user_id = ${request.userId}`.execute(db);

describe('a key', () => {
  it('gives what the first request with it made [R268]', async () => {
    const [request, resource] = [newRequest(), randomUUID()];
    expect(await replayOf(db, request)).toBeNull();
    await remember(request, resource);
    expect(await replayOf(db, request)).toBe(resource);
  });

  it('is refused with a different request [R033]', async () => {
    const request = newRequest();
    await remember(request, randomUUID());
    await expect(replayOf(db, { ...request, request: { idea: 'y', mode: 'market' } })).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('belongs to one user and one route [R268]', async () => {
    const request = newRequest();
    await remember(request, randomUUID());
    expect(await replayOf(db, { ...request, userId: randomUUID() })).toBeNull();
    expect(await replayOf(db, { ...request, route: 'POST /others' })).toBeNull();
    expect(await replayOf(db, { ...request, key: 'l' })).toBeNull();
  });

  it('is forgotten after 24 hours and may then stand for something else', async () => {
    const [request, later] = [newRequest(), randomUUID()];
    await remember(request, randomUUID());
    await age(request, 23);
    expect(await replayOf(db, request)).not.toBeNull();
    await age(request, 25);
    const other = { ...request, request: { idea: 'y' } };
    expect(await replayOf(db, other)).toBeNull();
    await remember(other, later);
    expect(await replayOf(db, other)).toBe(later);
  });

  it('is swept once it is old, not before', async () => {
    const [old, young] = [newRequest(), newRequest()];
    await remember(old, randomUUID());
    await remember(young, randomUUID());
    await age(old, 25);
    expect(await deleteOldKeys(db)).toBe(1);
    expect(await replayOf(db, young)).not.toBeNull();
  });

  it('is not remembered when the transaction is rolled back', async () => {
    const request = newRequest();
    const undone = db.transaction().execute(async (tx) => {
      await rememberKey(tx, request, randomUUID());
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await replayOf(db, request)).toBeNull();
  });
});
