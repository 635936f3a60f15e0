import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { openTwilioServer } from '#testing/twilio-server.ts';
import { openGuardedFetch } from '../guarded-fetch/built-in.ts';
import { TextMessageFailed } from './port.ts';
import { claimMessage, deleteOldSends } from './send-store.ts';
import { twilioMessages } from './twilio.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const twilio = await openTwilioServer();
afterAll(async () => {
  await app.dispose();
  await twilio[Symbol.asyncDispose]();
});
beforeEach(() => {
  Object.assign(twilio, { faults: [], listsNothing: false });
  twilio.requests.length = 0;
});

const { db } = app.ctx;
const fetch = openGuardedFetch({ allow: [], deny: [], allowPrivate: [twilio.service.baseUrl] });
const texts = twilioMessages({ db, fetch }, twilio.service);
/** To a number of its own. */
const newMessage = () => ({
  to: `+1415${String(Date.now()).slice(-5)}${Math.floor(Math.random() * 90 + 10)}`,
  body: `Code ${randomUUID()}`,
  key: randomUUID(),
});
const sentTo = (to: string) => twilio.sent.filter((each) => each.to === to);
const failureOf = (sending: Promise<unknown>): Promise<TextMessageFailed> =>
  sending.then(
    () => expect.fail('it was sent'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(TextMessageFailed);
      return error as TextMessageFailed;
    },
  );

describe('a text message over Twilio', () => {
  it('is posted as a form, with Basic credentials, and known by its sid', async () => {
    const message = { ...newMessage(), body: 'Grüße & mehr: 100 % + 1\nzweite Zeile' };
    const { id } = await texts.send(message);
    expect(sentTo(message.to)).toEqual([expect.objectContaining({ sid: id, to: message.to, from: '+14155550100', body: message.body })]);
    expect(twilio.requests).toEqual([
      {
        method: 'POST',
        url: '/2010-04-01/Accounts/AC0123456789/Messages.json',
        authorization: `Basic ${Buffer.from('AC0123456789:the-auth-token-of-the-account').toString('base64')}`,
        contentType: 'application/x-www-form-urlencoded',
      },
    ]);
  });

  it('goes out over a messaging service where one is named', async () => {
    const message = newMessage();
    await twilioMessages({ db, fetch }, { ...twilio.service, from: 'MG42' }).send(message);
    expect(sentTo(message.to)[0]?.from).toBe('MG42');
  });

  it('goes out once under its key', async () => {
    const message = newMessage();
    const first = await texts.send(message);
    expect(await texts.send(message)).toEqual(first);
    expect(sentTo(message.to)).toHaveLength(1);
    expect(twilio.requests).toHaveLength(1);
  });

  it('goes out again under another key, although its text is the same', async () => {
    const message = newMessage();
    const ids = [(await texts.send(message)).id, (await texts.send({ ...message, key: randomUUID() })).id];
    twilio.faults.push('lost');
    ids.push((await texts.send({ ...message, key: randomUUID() })).id);
    expect(new Set(ids).size).toBe(3);
    expect(sentTo(message.to)).toHaveLength(3);
  });

  it.each(['lost', 'garbage', { status: 500, taken: true }, { status: 503, taken: true }] as const)(
    'is found and not sent again when it was taken and the answer is %j',
    async (fault) => {
      const message = newMessage();
      twilio.faults.push(fault);
      const { id } = await texts.send(message);
      expect(sentTo(message.to).map(({ sid }) => sid)).toEqual([id]);
      expect(twilio.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
    },
  );

  it('is found and not sent again when it was taken and no answer comes in time', async () => {
    const message = newMessage();
    twilio.faults.push('silent');
    const { id } = await twilioMessages({ db, fetch }, twilio.service, { requestMs: 3000 }).send(message);
    expect(sentTo(message.to).map(({ sid }) => sid)).toEqual([id]);
  });

  it.each(['dropped', { status: 500 }] as const)('is sent a second time when it was not taken: %j', async (fault) => {
    const message = newMessage();
    twilio.faults.push(fault);
    const { id } = await texts.send(message);
    expect(sentTo(message.to).map(({ sid }) => sid)).toEqual([id]);
    expect(twilio.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
  });

  it('fails as unclear after two tries, and under the same key goes on', async () => {
    const message = newMessage();
    twilio.faults.push('dropped', 'dropped');
    expect((await failureOf(texts.send(message))).reason).toBe('unclear');
    expect(sentTo(message.to)).toEqual([]);
    await texts.send(message);
    expect(sentTo(message.to)).toHaveLength(1);
  });

  it('is not sent again as long as nobody can say whether it went out', async () => {
    const message = newMessage();
    twilio.faults.push('lost');
    twilio.listsNothing = true;
    expect((await failureOf(texts.send(message))).reason).toBe('unclear');
    expect((await failureOf(texts.send(message))).reason).toBe('unclear');
    expect(sentTo(message.to)).toHaveLength(1);
    twilio.listsNothing = false;
    expect(await texts.send(message)).toEqual({ id: sentTo(message.to)[0]?.sid });
    expect(sentTo(message.to)).toHaveLength(1);
  });

  it('is in one hand: a second sender waits for the first, or for its end', async () => {
    const message = newMessage();
    await claimMessage(db, message.key);
    expect((await failureOf(texts.send(message))).reason).toBe('busy');
    // Whoever held it has died after the message was taken.
    twilio.sent.push({ sid: 'SM-of-the-dead', to: message.to, from: '', body: message.body, date_created: new Date().toUTCString() });
    await sql`update text_message_sends set claimed_until = now() where key = ${message.key}`.execute(db);
    expect(await texts.send(message)).toEqual({ id: 'SM-of-the-dead' });
    expect(sentTo(message.to)).toHaveLength(1);
  });

  it('takes no older message with the same text for itself', async () => {
    const message = newMessage();
    const old = new Date(Date.now() - 3_600_000).toUTCString();
    twilio.sent.push({ sid: 'SM-old', to: message.to, from: '', body: message.body, date_created: old });
    twilio.faults.push('dropped');
    expect((await texts.send(message)).id).not.toBe('SM-old');
  });

  it.each([
    [{ status: 400, code: 21211 }, 'number'],
    [{ status: 400, code: 21610 }, 'number'],
    [{ status: 429, code: 20429 }, 'busy'],
    [{ status: 401, code: 20003 }, 'refused'],
    [{ status: 403 }, 'refused'],
    [{ status: 302 }, 'refused'],
  ] as const)('fails without a second try on %j: %s', async (fault, reason) => {
    const message = newMessage();
    twilio.faults.push(fault);
    const failure = await failureOf(texts.send(message));
    expect(failure.reason).toBe(reason);
    expect(failure.message).not.toContain(message.body);
    expect(twilio.requests).toHaveLength(1);
  });

  it('says so when the service cannot be reached', async () => {
    const away = { ...twilio.service, baseUrl: 'http://127.0.0.1:9' };
    const guarded = openGuardedFetch({ allow: [], deny: [], allowPrivate: [away.baseUrl] });
    const failure = await failureOf(twilioMessages({ db, fetch: guarded }, away).send(newMessage()));
    expect(failure).toMatchObject({ reason: 'unclear', message: expect.stringContaining('could not be reached') });
  });

  it('keeps neither the text nor the number of a message, and its key for a month', async () => {
    const message = newMessage();
    await texts.send(message);
    const { rows } = await sql`select * from text_message_sends where key = ${message.key}`.execute(db);
    expect(rows).toHaveLength(1);
    for (const secret of [message.to, message.body]) expect(JSON.stringify(rows)).not.toContain(secret);
    await sql`update text_message_sends set created_at = now() - interval '31 days' where key = ${message.key}`.execute(db);
    expect(await deleteOldSends(db)).toBeGreaterThanOrEqual(1);
  });
});
