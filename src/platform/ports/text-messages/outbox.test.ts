import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { countOutbox, deleteOldTexts, listOutbox } from './outbox.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db, texts } = app.ctx;
afterAll(() => app.dispose());

describe('the outbox, where no text message service is configured', () => {
  it('keeps a message once under its key, sealed, and shows it opened', async () => {
    const message = { to: '+14155550123', body: `Your code is ${randomUUID()}`, key: randomUUID() };
    const { id } = await texts.send(message);
    expect(await texts.send(message)).toEqual({ id });
    expect((await listOutbox(app.ctx, 1))[0]).toEqual({ id, to: message.to, body: message.body, createdAt: expect.any(Date) });
    const { rows } = await sql`select * from text_outbox where id = ${id}`.execute(db);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(message.body);
  });

  it('shows a message that no key opens as such', async () => {
    const { id } = await texts.send({ to: '+14155550124', body: 'Hello', key: randomUUID() });
    await sql`update text_outbox set body_sealed = ${app.ctx.secrets.seal('Hello', 'elsewhere')} where id = ${id}`.execute(db);
    expect((await listOutbox(app.ctx, 10)).find((each) => each.id === id)?.body).toBeNull();
  });

  it('is emptied after a week', async () => {
    const { id } = await texts.send({ to: '+14155550125', body: 'Hello', key: randomUUID() });
    await sql`update text_outbox set created_at = now() - interval '8 days' where id = ${id}`.execute(db);
    const before = await countOutbox(db);
    expect(await deleteOldTexts(db)).toBe(1);
    expect(await countOutbox(db)).toBe(before - 1);
  });
});
