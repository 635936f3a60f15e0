import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { HOSTILE_TEXT } from '#testing/sample-document.ts';
import { openPayloadServer } from '#testing/payload-server.ts';
import { openTwilioServer } from '#testing/twilio-server.ts';
import { wave, waveForm } from '#testing/wave-form.ts';
import { BlobFailed } from '#platform/ports/blobs/port.ts';
import { readEnv } from '#platform/config/env.ts';
import { saveVote, transferVotes } from './vote-store.ts';
import { deleteOldRoasts } from './withdraw-clips.ts';

const payload = await openPayloadServer();
const twilio = await openTwilioServer();
const { service: cms } = payload;
const ADMIN_SECRET = 'the-secret-of-the-operator';
const app = await startTestApp({
  env: {
    ADMIN_SECRET,
    TRUST_PROXY: '1',
    CONTENT_BASE_URL: cms.baseUrl,
    CONTENT_API_KEY: cms.apiKey,
    SMS_BASE_URL: twilio.service.baseUrl,
    SMS_ACCOUNT_SID: twilio.service.accountSid,
    SMS_AUTH_TOKEN: twilio.service.authToken,
    SMS_FROM: twilio.service.from,
  },
});
afterAll(async () => {
  await app.dispose();
  await payload[Symbol.asyncDispose]();
  await twilio[Symbol.asyncDispose]();
});
beforeEach(() => Object.assign(payload, { isUp: true, faults: [] }));
const { db, content, blobs } = app.ctx;

const SESSION = {
  blockType: 'sessionReplay',
  audio_key: 'sessions/one.wav',
  transcript_segments: [{ speaker: 'Ada', text: 'Hello', t: 1.5 }],
  advisors: [{ persona: 'Skeptic', text: 'No.', audio_key: 'sessions/two.wav', voice_id: 'v1' }],
  research_summary: 'Fourteen rivals.',
  referrer_device_id: 'device-1',
  cta: { label: 'Try it', url: 'https://example.org/try' },
};
const VOTE = { blockType: 'voteClip', question: 'Would you?', ack_message: 'Merci.' };
const ROAST = { blockType: 'roast_clip', prompt: 'Roast it' };

/** A published page with a slug of its own. */
async function newPage(
  blocks: { blockType: string; [field: string]: unknown }[],
  more: { project_id?: string; published?: boolean } = {},
): Promise<string> {
  const slug = `page-${randomUUID()}`;
  await content.put({
    slug,
    title: 'A page',
    description: 'About it',
    og_image_url: null,
    blocks,
    published: true,
    sort_order: 0,
    research: null,
    project_id: null,
    ...more,
  });
  return slug;
}
/** A caller that no other call counts with. */
const from = () => ({
  'x-forwarded-for': `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}::1`,
  'user-agent': `agent ${randomUUID()}`,
});
async function ask(method: 'GET' | 'POST', path: string, { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}) {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${app.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...from(), ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, text, headers: answer.headers, body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> };
}
const JSON_TYPE = { accept: 'application/json' };
const as = (user: TestUser) => ({ authorization: `Bearer ${user.token}` });
const newProject = async (user: TestUser) => String((await user.call('POST', '/projects', { title: `Receipts ${randomUUID()}` })).body['id']);
const eventsCalled = async (name: string, projectId: string) => {
  const { rows } = await sql<{
    payload: Record<string, unknown>;
  }>`select payload from domain_events where name = ${name} and project_id = ${projectId}`.execute(db);
  return rows.map((row) => row.payload);
};
const rowsOf = async (slug: string) => (await sql<{ vote: number }>`select vote from clip_votes where slug = ${slug}`.execute(db)).rows;

describe('a page', () => {
  it('is had as HTML, and as JSON with the blocks as they stand in the store, unknown ones too [R917 R918 R919 R920 R922 R923 R925 R926]', async () => {
    const blocks = [{ blockType: 'hero', title: 'Hello' }, { blockType: 'hologram', beams: 3 }, SESSION, VOTE, ROAST];
    const slug = await newPage(blocks);
    const page = await ask('GET', `/clip/${slug}`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<bdi>Hello</bdi>');
    expect(page.text).not.toMatch(/hologram|<script/);
    const json = await ask('GET', `/clip/${slug}`, { headers: JSON_TYPE });
    expect(json.body).toEqual({
      id: expect.any(String),
      title: 'A page',
      slug,
      description: 'About it',
      og_image_url: null,
      blocks,
      published: true,
      sort_order: 0,
      research: null,
    });
  });

  it('answers 304 to whoever has it, in either form, and its tag changes with it [R927 R977]', async () => {
    const slug = await newPage([VOTE]);
    const tags = new Set<string | null>();
    for (const headers of [{}, JSON_TYPE]) {
      const { headers: had } = await ask('GET', `/clip/${slug}`, { headers });
      const tag = had.get('etag') ?? '';
      tags.add(tag);
      expect(had.get('cache-control')).toBe('public, max-age=300');
      for (const names of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        const again = await ask('GET', `/clip/${slug}`, { headers: { ...headers, 'if-none-match': names } });
        expect([again.status, again.text, again.headers.get('cache-control')]).toEqual([304, '', 'public, max-age=300']);
      }
      expect((await ask('GET', `/clip/${slug}`, { headers: { ...headers, 'if-none-match': '"other"' } })).status).toBe(200);
    }
    await content.put({ ...(await content.find(slug)), title: 'Another title' } as never);
    tags.add((await ask('GET', `/clip/${slug}`)).headers.get('etag'));
    expect(tags.size).toBe(3);
  });

  it('is not there when it is absent or not published [R928 R929]', async () => {
    const hidden = await newPage([SESSION, VOTE, ROAST], { published: false });
    for (const slug of ['no-such-page', hidden]) {
      for (const [method, path, body] of [
        ['GET', `/clip/${slug}`, undefined],
        ['GET', `/clip/${slug}/playable`, undefined],
        ['POST', `/clip/${slug}/vote`, { vote: 1 }],
        ['POST', `/clip/${slug}/roast`, waveForm(200)],
      ] as const) {
        expect((await ask(method, path, { body })).status, `${method} ${path}`).toBe(404);
      }
    }
  });

  it.each(['down', 'garbage', 'another shape', 'lost'] as const)(
    'answers 502 where the store is %s, and nothing of it [R930 R945 R963]',
    async (how) => {
      const slug = await newPage([SESSION, VOTE, ROAST]);
      for (const [method, path, body] of [
        ['GET', `/clip/${slug}`, undefined],
        ['GET', `/clip/${slug}/playable`, undefined],
        ['POST', `/clip/${slug}/vote`, { vote: 1 }],
        ['POST', `/clip/${slug}/roast`, waveForm(200)],
      ] as const) {
        if (how === 'down') payload.isUp = false;
        else payload.faults = [how];
        const answer = await ask(method, path, { body });
        expect(answer.status, `${method} ${path}`).toBe(502);
        expect(answer.body).toEqual({ detail: 'The page cannot be had from the content store now. Try again later.' });
      }
    },
  );

  it('shows hostile texts as texts, and links to the web alone', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>${HOSTILE_TEXT}`;
    const lexical = {
      root: {
        children: [
          { type: 'link', fields: { url: 'javascript:alert(1)' }, children: [{ type: 'text', text: evil, format: 1 }] },
          { type: evil, children: [] },
        ],
      },
    };
    const slug = await newPage([
      { blockType: 'hero', eyebrow: evil, title: evil, subtitle: evil },
      { blockType: 'stats', heading: evil, items: [{ label: evil, value: evil }, null, 7] },
      { blockType: 'richText', heading: evil, text: `${evil}\n\n${evil}` },
      { blockType: 'richText', heading: 'Edited', content: lexical },
      { blockType: 'featureList', heading: evil, items: [{ title: evil, description: evil, tag: evil }] },
      { blockType: 'callToAction', text: evil, label: 'Click', url: 'javascript:alert(1)' },
      { blockType: 'callToAction', text: evil, label: 'Click', url: 'data:text/html,<script>alert(1)</script>' },
      {
        ...SESSION,
        title: evil,
        audio_key: 'javascript:alert(1)',
        transcript_segments: [{ speaker: evil, text: evil, t: -1 }],
        cta: { label: evil, url: 'vbscript:x' },
      },
      { blockType: 'voteClip', question: evil, up_label: evil, down_label: evil },
      { blockType: 'roast_clip', prompt: evil },
    ]);
    const { status, text, headers } = await ask('GET', `/clip/${slug}`);
    expect(status).toBe(200);
    expect(text).not.toMatch(/<script|<img|href="(?!https?:|\/|#)[^"]*"|src="(?!\/clip\/)/i);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'self'/,
    );
  });

  it('stands whatever blocks hold that are not what they should be', async () => {
    const odd = [null, 7, 'x', [], {}, { a: 1 }];
    const kinds = [
      'hero',
      'stats',
      'richText',
      'featureList',
      'callToAction',
      'divider',
      'sessionReplay',
      'voteClip',
      'roast_clip',
      '__proto__',
      'constructor',
    ];
    const fields = ['title', 'items', 'text', 'content', 'url', 'audio_key', 'transcript_segments', 'advisors', 'cta', 'question', 'prompt'];
    const blocks = kinds.flatMap((blockType) => odd.map((value) => ({ blockType, ...Object.fromEntries(fields.map((field) => [field, value])) })));
    const slug = await newPage(blocks);
    expect((await ask('GET', `/clip/${slug}`)).status).toBe(200);
    const playable = await ask('GET', `/clip/${slug}/playable`);
    expect(playable.status).toBe(200);
    expect(playable.body['sessions']).toHaveLength(odd.length);
  });

  it('does not fail at slugs that no page can have', async () => {
    for (const slug of ['%00', '..', '%2e%2e%2fadmin', 'x'.repeat(300), '%F0%9F%8E%88', "'or''='"]) {
      expect((await ask('GET', `/clip/${slug}`)).status, slug).toBeLessThan(500);
    }
  });
});

describe('the sessions of a page', () => {
  it('have addresses that play, for 5 minutes [R932 R933 R934 R935 R936 R937 R938 R939 R940 R942]', async () => {
    await blobs.put('sessions/one.wav', { bytes: wave(1000), contentType: 'audio/wav' });
    const slug = await newPage([SESSION, { ...SESSION, advisors: [], cta: null }, VOTE]);
    const { body, headers, status } = await ask('GET', `/clip/${slug}/playable`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const address = expect.stringMatching(/\/blobs\/[\w-]+\?expires=\d+&signature=[0-9a-f]{64}$/);
    expect(body).toEqual({
      slug,
      title: 'A page',
      description: 'About it',
      sessions: [
        {
          audio_url: address,
          transcript_segments: SESSION.transcript_segments,
          advisors: [{ persona: 'Skeptic', text: 'No.', audio_url: address, voice_id: 'v1' }],
          research_summary: 'Fourteen rivals.',
          referrer_device_id: 'device-1',
          cta: SESSION.cta,
        },
        expect.objectContaining({ advisors: [], cta: null }),
      ],
      signed_urls_wired: true,
    });
    const [session] = body['sessions'] as [{ audio_url: string }];
    const url = new URL(session.audio_url);
    const left = Number(url.searchParams.get('expires')) - Date.now() / 1000;
    expect(left).toBeGreaterThan(240);
    expect(left).toBeLessThanOrEqual(300);
    const sound = await ask('GET', url.pathname + url.search);
    expect([sound.status, sound.headers.get('content-type'), sound.headers.get('x-content-type-options')]).toEqual([200, 'audio/wav', 'nosniff']);
    expect(sound.headers.get('content-disposition')).toMatch(/^attachment; filename="one\.wav"/);
    const part = await ask('GET', url.pathname + url.search, { headers: { range: 'bytes=0-3' } });
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, 'RIFF', 'bytes 0-3/1000']);
    for (const changed of [
      url.search.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      url.search.replace('expires=', 'expires=9'),
      '?expires=1&signature=x',
    ]) {
      expect([404, 422]).toContain((await ask('GET', url.pathname + changed)).status);
    }
  });

  it('keep a key that cannot be signed, and say so [R941 R943]', async () => {
    const slug = await newPage([SESSION, { ...SESSION, audio_key: '../../etc/passwd' }]);
    const { body, headers } = await ask('GET', `/clip/${slug}/playable`);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(body).toMatchObject({
      signed_urls_wired: false,
      sessions: [{ audio_url: expect.stringContaining('/blobs/') }, { audio_url: '../../etc/passwd' }],
    });
    expect((await ask('GET', `/clip/${slug}/audio/1`)).status).toBe(404);
  });

  it('leave addresses of the web as they are', async () => {
    const slug = await newPage([{ ...SESSION, audio_key: 'https://cdn.example.org/a.mp3', advisors: [] }]);
    const { body } = await ask('GET', `/clip/${slug}/playable`);
    expect(body).toMatchObject({ signed_urls_wired: true, sessions: [{ audio_url: 'https://cdn.example.org/a.mp3' }] });
    const page = await ask('GET', `/clip/${slug}`);
    expect(page.headers.get('content-security-policy')).toContain("media-src 'self' https://cdn.example.org;");
    expect(page.text).toContain('src="https://cdn.example.org/a.mp3"');
  });

  it('are none on a page without any [R944]', async () => {
    expect((await ask('GET', `/clip/${await newPage([VOTE])}/playable`)).status).toBe(404);
  });

  it('are heard from the page, whenever it was loaded', async () => {
    const slug = await newPage([SESSION]);
    for (const place of ['0', '0-0']) {
      const answer = await ask('GET', `/clip/${slug}/audio/${place}`);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store']);
      expect(answer.headers.get('location')).toMatch(/^\/blobs\/[\w-]+\?expires=\d+&signature=[0-9a-f]{64}$/);
    }
    for (const place of ['1', '0-1', 'x', '0-0-0']) expect([404, 422]).toContain((await ask('GET', `/clip/${slug}/audio/${place}`)).status);
  });
});

describe('votes', () => {
  it('are one of a principal, the last one, and 0 takes it back [R954 R957 R958 R960 R961]', async () => {
    const slug = await newPage([VOTE]);
    const headers = from();
    const vote = async (value: number) => (await ask('POST', `/clip/${slug}/vote`, { body: { vote: value }, headers })).body;
    expect(await vote(1)).toEqual({ ok: true, total_up: 1, total_down: 0, ack_message: 'Merci.' });
    expect(await vote(1)).toMatchObject({ total_up: 1, total_down: 0 });
    expect(await vote(-1)).toMatchObject({ total_up: 0, total_down: 1 });
    expect(await vote(0)).toMatchObject({ total_up: 0, total_down: 0 });
    expect(await vote(0)).toMatchObject({ ok: true, total_up: 0, total_down: 0 });
    expect(await rowsOf(slug)).toEqual([]);
  });

  it('tell callers apart by user, else by address and agent; a bearer that does not hold is refused [R955]', async () => {
    const slug = await newPage([VOTE]);
    const [one, other] = [from(), from()];
    const user = await app.user();
    const callers = [one, { ...one, 'user-agent': 'another' }, { ...one, 'x-forwarded-for': other['x-forwarded-for'] }, { ...one, ...as(user) }];
    for (const headers of callers) await ask('POST', `/clip/${slug}/vote`, { body: { vote: 1 }, headers });
    const again = await ask('POST', `/clip/${slug}/vote`, { body: { vote: 1 }, headers: { ...from(), ...as(user) } });
    expect(again.body).toMatchObject({ total_up: 4 });
    const { rows } = await sql<{ voter: string }>`select voter from clip_votes where slug = ${slug}`.execute(db);
    expect(rows.map(({ voter }) => voter).filter((voter) => voter !== user.userId)).toEqual(
      [1, 2, 3].map(() => expect.stringMatching(/^[0-9a-f]{64}$/)),
    );
    expect((await ask('POST', `/clip/${slug}/vote`, { body: { vote: 1 }, headers: { authorization: 'Bearer nothing' } })).status).toBe(401);
  });

  it('are never lost or counted twice: 50 clients at once, the same ones twice, others taking theirs back [R960 R970]', async () => {
    const owner = await app.user();
    const project_id = await newProject(owner);
    const slugs = [await newPage([VOTE], { project_id }), await newPage([VOTE], { project_id })];
    const clients = Array.from({ length: 50 }, (_, at) => ({ headers: from(), last: [1, -1, 0, 1, 1][at % 5] ?? 1 }));
    const cast = (value: number, headers: Record<string, string>, at: number) =>
      ask('POST', `/clip/${slugs[at % 2]}/vote`, { body: { vote: value }, headers });
    const first = await Promise.all(clients.flatMap(({ headers }, at) => [cast(-1, headers, at), cast(-1, headers, at + 1)]));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Math.max(...first.map(({ body }) => Number(body['total_down'])))).toBe(50);
    const last = await Promise.all(clients.map(({ headers, last: value }, at) => cast(value, headers, at)));
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([200]));
    const { rows } = await sql<{ up: number; down: number }>`
      select count(*) filter (where vote = 1)::int as up, count(*) filter (where vote = -1)::int as down from clip_votes where subject = ${`project:${project_id}`}`.execute(
      db,
    );
    expect(rows).toEqual([{ up: 30, down: 10 }]);
    const total = await cast(1, clients[0]?.headers ?? {}, 0);
    expect(total.body).toMatchObject({ total_up: 30, total_down: 10 });
    expect(await eventsCalled('votes.received', project_id)).toEqual([
      { userId: owner.userId, projectId: project_id, slug: expect.stringContaining('page-'), totalUp: 0, totalDown: 1 },
    ]);
  });

  it('are counted by address too, whatever the caller says to be [R975]', async () => {
    const slug = await newPage([VOTE]);
    const { 'x-forwarded-for': address } = from();
    const hits: string[] = [];
    const { limiter } = app.ctx;
    const spent = { allowed: false, retryAfter: 9 };
    app.ctx.limiter = {
      hit: async (key, max) => (hits.push(`${key.split(' ').slice(0, -1).join(' ')} ${max}`), max > 1000 ? spent : { ...spent, allowed: true }),
    };
    const answer = await ask('POST', `/clip/${slug}/vote`, { body: { vote: 1 }, headers: { ...from(), 'x-forwarded-for': address } }).finally(() => {
      app.ctx.limiter = limiter;
    });
    expect([answer.status, hits]).toEqual([429, ['POST /clip/{slug}/vote 30', 'POST /clip/{slug}/vote address 2000']]);
  });

  it('stay one of an anonymous caller when the installation gets a new key [R960]', async () => {
    const slug = await newPage([VOTE]);
    const headers = from();
    const vote = async (value: number) => (await ask('POST', `/clip/${slug}/vote`, { body: { vote: value }, headers })).body;
    const { secrets } = app.ctx;
    await vote(1);
    expect(secrets.renew?.(secrets.keys().first)).toBe(true);
    expect(await vote(1)).toMatchObject({ total_up: 1 });
    expect(secrets.renew?.(secrets.keys().first)).toBe(true);
    expect(await vote(0)).toMatchObject({ total_up: 0 });
    expect(await rowsOf(slug)).toEqual([]);
  });

  it.skipIf(readEnv()['TEST_DATABASE_URL'] === undefined)('move along also when the new owner votes at the same moment', async () => {
    const slug = await newPage([VOTE]);
    const [anonymous, user] = [`anon:${randomUUID()}`, `user-${randomUUID()}`];
    const ballot = { subject: { slug }, earlierNames: [], vote: 1, comment: null, slug } as const;
    await db.transaction().execute((tx) => saveVote(tx, { ...ballot, voter: anonymous }));
    const waiting = async () =>
      (await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%clip_votes%'`.execute(db)).rows.length;
    let moving: Promise<number> | undefined;
    await db.transaction().execute(async (tx) => {
      await saveVote(tx, { ...ballot, voter: user });
      moving = db.transaction().execute((other) => transferVotes(other, anonymous, user));
      moving.catch(() => undefined);
      await expect.poll(waiting).toBeGreaterThan(0);
    });
    await moving;
    expect(await rowsOf(slug)).toHaveLength(1);
  });

  it('are told with the first that is not 0, and never again [R970]', async () => {
    const project_id = await newProject(await app.user());
    const slug = await newPage([VOTE], { project_id });
    const headers = from();
    for (const value of [0, 1, 0, -1]) await ask('POST', `/clip/${slug}/vote`, { body: { vote: value }, headers });
    expect(await eventsCalled('votes.received', project_id)).toHaveLength(1);
  });

  it('count also where the project is none of this service, of which nobody is told', async () => {
    for (const project_id of [randomUUID(), 'no id']) {
      const slug = await newPage([VOTE], { project_id });
      expect((await ask('POST', `/clip/${slug}/vote`, { body: { vote: 1 } })).body).toMatchObject({ total_up: 1 });
    }
  });

  it('refuse what is no vote [R956 R957 R959 R962]', async () => {
    const slug = await newPage([VOTE]);
    const statusOf = async (body: unknown) => (await ask('POST', `/clip/${slug}/vote`, { body })).status;
    expect(await statusOf({})).toBe(400);
    for (const vote of ['1', null, [], {}]) expect(await statusOf({ vote }), JSON.stringify(vote)).toBe(400);
    for (const vote of [2, -2, 0.5]) expect(await statusOf({ vote }), String(vote)).toBe(422);
    expect(await statusOf({ vote: 1, comment: 'x'.repeat(201) })).toBe(422);
    expect(await statusOf({ vote: 1, comment: 7 })).toBe(400);
    expect(await statusOf({ vote: 1, comment: 'x'.repeat(200) })).toBe(200);
    expect((await ask('POST', `/clip/${await newPage([ROAST])}/vote`, { body: { vote: 1 } })).status).toBe(404);
  });

  it('can be cast with the form of the page, which answers with a page; not from the pages of others', async () => {
    const slug = await newPage([VOTE]);
    const headers = { ...from(), accept: 'text/html,*/*' };
    const form = (vote: string, comment = '') => {
      const fields = new FormData();
      fields.set('comment', comment);
      fields.set('vote', vote);
      return fields;
    };
    const answer = await ask('POST', `/clip/${slug}/ballot`, { body: form('1', '<b>nice</b>'), headers });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(answer.text).toContain('Merci.');
    expect(answer.text).toContain('1 vote for it, 0 votes against it.');
    const json = await ask('POST', `/clip/${slug}/vote`, { body: { vote: 1 }, headers });
    expect(json.body).toMatchObject({ total_up: 1 });
    expect((await ask('POST', `/clip/${slug}/ballot`, { body: form('1'), headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await ask('POST', `/clip/${slug}/ballot`, { body: form('5') })).status).toBe(422);
    expect((await ask('POST', `/clip/${slug}/ballot`, { body: { vote: '1' } })).status).toBe(415);
  });

  it('count within one limit, whichever way they are cast [R975]', async () => {
    const slug = await newPage([VOTE]);
    const headers = from();
    const form = new FormData();
    form.set('vote', '1');
    const ways = [
      () => ask('POST', `/clip/${slug}/vote`, { body: { vote: 1 }, headers }),
      () => ask('POST', `/clip/${slug}/ballot`, { body: form, headers }),
    ];
    for (let at = 0; at < 30; at += 1) expect((await ways[at % 2]?.())?.status).toBe(200);
    for (const way of ways) expect((await way()).status).toBe(429);
  });

  it('have comments that the owner of the project reads, and nobody else', async () => {
    const [owner, stranger] = [await app.user(), await app.user()];
    const slug = await newPage([VOTE], { project_id: await newProject(owner) });
    for (const comment of ['First', undefined, '  ', 'Last']) await ask('POST', `/clip/${slug}/vote`, { body: { vote: 1, comment } });
    const { body } = await owner.call('GET', `/clip/${slug}/comments?limit=1`);
    expect(body).toMatchObject({ items: [{ vote: 1, comment: 'Last' }], has_more: true });
    expect((await owner.call('GET', `/clip/${slug}/comments?offset=1`)).body).toMatchObject({ items: [{ comment: 'First' }], has_more: false });
    expect((await stranger.call('GET', `/clip/${slug}/comments`)).status).toBe(404);
    expect((await ask('GET', `/clip/${slug}/comments`)).status).toBe(401);
  });

  it('move with an anonymous voter who turns out to be a user; where both voted, that of the user stands', async () => {
    const [first, second] = [await newPage([VOTE]), await newPage([VOTE])];
    const anonymous = await app.anonymous();
    const user = await app.user();
    for (const slug of [first, second]) await ask('POST', `/clip/${slug}/vote`, { body: { vote: 1 }, headers: as(anonymous) });
    await ask('POST', `/clip/${second}/vote`, { body: { vote: -1 }, headers: as(user) });
    expect((await user.call('POST', '/auth/rebind', { device_id: anonymous.deviceId })).status).toBe(200);
    const votesOf = async (slug: string) => (await sql`select voter, vote from clip_votes where slug = ${slug}`.execute(db)).rows;
    await expect.poll(() => votesOf(first), { timeout: 20_000 }).toEqual([{ voter: user.userId, vote: 1 }]);
    expect(await votesOf(second)).toEqual([{ voter: user.userId, vote: -1 }]);
  });
});

describe('roasts', () => {
  it('are kept as blobs, told, and listed to the owner of the project alone [R964 R966 R969 R971]', async () => {
    const [owner, stranger] = [await app.user(), await app.user()];
    const projectId = await newProject(owner);
    const slug = await newPage([ROAST], { project_id: projectId });
    const sent = await ask('POST', `/clip/${slug}/roast`, { body: waveForm(5000) });
    expect([sent.status, sent.body]).toEqual([200, { ok: true, ack_message: 'Thank you, your roast is on its way.' }]);
    const { body } = await owner.call('GET', `/clip/${slug}/roasts`);
    expect(body).toMatchObject({
      items: [{ content_type: 'audio/wav', size: 5000, audio_url: expect.stringContaining('/blobs/') }],
      has_more: false,
    });
    const [item] = body['items'] as unknown as [{ id: string; audio_url: string }];
    const url = new URL(item.audio_url);
    expect((await ask('GET', url.pathname + url.search)).headers.get('content-length')).toBe('5000');
    expect(await eventsCalled('roast.received', projectId)).toEqual([{ userId: owner.userId, projectId, slug, roastId: item.id }]);
    expect((await stranger.call('GET', `/clip/${slug}/roasts`)).status).toBe(404);
    expect((await owner.call('GET', `/clip/no-such-page/roasts`)).status).toBe(404);
  });

  it('answer a form of the page with a page', async () => {
    const slug = await newPage([{ ...ROAST, ack_message: '<i>Ouch</i>' }]);
    const answer = await ask('POST', `/clip/${slug}/roast`, { body: waveForm(200), headers: { accept: 'text/html' } });
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('&lt;i&gt;Ouch&lt;/i&gt;');
  });

  it('are audio by their bytes, of at most 2 MiB, on pages that ask for them [R964 R965 R967]', async () => {
    const slug = await newPage([ROAST]);
    const roast = (body: unknown, to = slug) => ask('POST', `/clip/${to}/roast`, { body });
    const named = (content: string | Uint8Array<ArrayBuffer>, name: string) => {
      const form = new FormData();
      form.set('audio', new Blob([content], { type: 'audio/wav' }), name);
      return form;
    };
    expect((await roast(waveForm(2 * 1024 * 1024))).status).toBe(200);
    expect((await roast(waveForm(2 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await roast(named('<html><script>alert(1)</script>', 'a.wav'))).status).toBe(415);
    expect((await roast(named(new Uint8Array(wave(300)), '../../evil.html'))).status).toBe(200);
    expect((await roast(new FormData())).status).toBe(400);
    expect((await roast({ audio: 'x' })).status).toBe(415);
    expect((await roast(waveForm(200), await newPage([VOTE]))).status).toBe(404);
    const { rows } = await sql<{ blob_key: string }>`select blob_key from clip_roasts where slug = ${slug}`.execute(db);
    expect(rows.every((row) => /^roasts\/[0-9a-f-]{36}\.wav$/.test(row.blob_key))).toBe(true);
  });

  it('are 5 an hour of a principal [R976]', async () => {
    const slug = await newPage([ROAST]);
    const headers = from();
    for (let at = 0; at < 5; at += 1) expect((await ask('POST', `/clip/${slug}/roast`, { body: waveForm(200), headers })).status).toBe(200);
    expect((await ask('POST', `/clip/${slug}/roast`, { body: waveForm(200), headers })).status).toBe(429);
  });

  it('are as many on one page as it takes, whoever sends them', async () => {
    const slug = await newPage([ROAST]);
    await sql`insert into clip_roasts (id, slug, blob_key, content_type, bytes)
      select gen_random_uuid(), ${slug}, 'roasts/x' || n, 'audio/wav', 1 from generate_series(1, 199) as n`.execute(db);
    const statuses = (await Promise.all([1, 2, 3].map(() => ask('POST', `/clip/${slug}/roast`, { body: waveForm(200) })))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 409, 409]);
  });

  it('leave no recording behind that was kept although the store said otherwise, or whose page went meanwhile', async () => {
    const { put, remove } = blobs;
    const keys: string[] = [];
    const isThere = async (key = ''): Promise<boolean> => {
      const { pathname, search } = new URL(await blobs.sign(key, 60));
      return (await ask('GET', pathname + search)).status === 200;
    };
    const gone = { status: 404, error: undefined };
    for (const { status, error } of [{ status: 502, error: new BlobFailed('No answer came.') }, gone]) {
      const slug = await newPage([ROAST]);
      app.ctx.blobs.put = async (key, blob) => {
        await put(key, blob);
        keys.push(key);
        if (error) throw error;
        await sql`delete from clip_roasts where slug = ${slug}`.execute(db);
      };
      app.ctx.blobs.remove = async () => Promise.reject(new BlobFailed('No answer came.'));
      expect((await ask('POST', `/clip/${slug}/roast`, { body: waveForm(200) })).status).toBe(status);
      Object.assign(app.ctx.blobs, { put, remove });
      expect((await sql`select from clip_roasts where slug = ${slug}`.execute(db)).rows).toEqual([]);
      await expect.poll(() => isThere(keys.at(-1)), { timeout: 30_000 }).toBe(false);
    }
    expect(keys).toHaveLength(2);
  });

  it('leave nothing behind when the recording cannot be kept: 502', async () => {
    const slug = await newPage([ROAST]);
    const put = blobs.put;
    app.ctx.blobs.put = async () => Promise.reject(new BlobFailed('The disk is full.'));
    const answer = await ask('POST', `/clip/${slug}/roast`, { body: waveForm(200) });
    app.ctx.blobs.put = put;
    expect([answer.status, answer.body]).toEqual([502, { detail: 'The recording could not be kept. Try again later.' }]);
    expect((await sql`select from clip_roasts where slug = ${slug}`.execute(db)).rows).toEqual([]);
  });

  it('go when they are old, with their recordings, as does what was never kept', async () => {
    const slug = await newPage([ROAST]);
    await ask('POST', `/clip/${slug}/roast`, { body: waveForm(200) });
    await ask('POST', `/clip/${slug}/roast`, { body: waveForm(300) });
    await sql`update clip_roasts set sent_at = now() - interval '181 days' where slug = ${slug} and bytes = 200`.execute(db);
    await sql`insert into clip_roasts (id, slug, blob_key, content_type, bytes, sent_at)
      values (${randomUUID()}, ${slug}, 'roasts/never.wav', 'audio/wav', 1, now() - interval '2 hours')`.execute(db);
    const { rows: old } = await sql<{ blob_key: string }>`select blob_key from clip_roasts where slug = ${slug} and bytes = 200`.execute(db);
    expect(await deleteOldRoasts(app.ctx)).toBeGreaterThanOrEqual(2);
    const { rows } = await sql<{ bytes: number }>`select bytes from clip_roasts where slug = ${slug}`.execute(db);
    expect(rows).toEqual([{ bytes: 300 }]);
    const signed = new URL(await blobs.sign(old[0]?.blob_key ?? '', 60));
    expect((await ask('GET', signed.pathname + signed.search)).status).toBe(404);
  });
});

describe('a link to a page', () => {
  const linked = async (): Promise<{ user: TestUser; phone: string }> => {
    const user = await app.user();
    const phone = `+1415${randomInt(1e6, 1e7)}`;
    await user.call('GET', '/profile');
    await sql`update profiles set phone = ${phone} where user_id = ${user.userId}`.execute(db);
    return { user, phone };
  };

  it("is texted to the caller's own number, whatever the request says [R946 R947 R948 R949]", async () => {
    const { user, phone } = await linked();
    const slug = await newPage([VOTE]);
    const answer = await user.call('POST', `/clips/${slug}/send-to-me`, { to: '+14155550000', phone: '+14155550000' });
    expect([answer.status, answer.body]).toEqual([200, { ok: true, slug, to: phone }]);
    expect(twilio.sent.filter(({ to }) => to === phone).map(({ body }) => body)).toEqual([`A page: ${app.ctx.config.http.baseUrl}/clip/${slug}`]);
    expect(twilio.sent.filter(({ to }) => to === '+14155550000')).toEqual([]);
  });

  it('is refused in this order: no page, no number, not delivered [R950 R951 R952 R953]', async () => {
    const nobody = await app.user();
    const hidden = await newPage([VOTE], { published: false });
    for (const slug of ['no-such-page', hidden]) expect((await nobody.call('POST', `/clips/${slug}/send-to-me`)).status).toBe(404);
    const slug = await newPage([VOTE]);
    expect(await nobody.call('POST', `/clips/${slug}/send-to-me`)).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/phone/) } });
    const { user, phone } = await linked();
    payload.isUp = false;
    expect((await user.call('POST', `/clips/${slug}/send-to-me`)).status).toBe(502);
    payload.isUp = true;
    twilio.faults.push({ status: 400, code: 21211 });
    expect(await user.call('POST', `/clips/${slug}/send-to-me`)).toMatchObject({
      status: 502,
      body: { detail: 'This number takes no text messages' },
    });
    expect(twilio.sent.filter(({ to }) => to === phone)).toEqual([]);
  });
});

describe('the operator', () => {
  const operate = async (method: string, path: string, body?: object, secret = ADMIN_SECRET) => {
    const isForm = body instanceof FormData;
    const headers = {
      ...from(),
      ...(secret ? { authorization: `Bearer ${secret}` } : {}),
      ...(isForm || !body ? {} : { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`${app.url}${path}`, { method, headers, ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}) });
    const text = await answer.text();
    return { status: answer.status, body: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
  };

  it('writes pages, puts others in their place, and removes them with what was said of them', async () => {
    const slug = `page-${randomUUID()}`;
    const written = await operate('PUT', `/admin/clips/${slug}`, { title: 'A page', blocks: [VOTE, ROAST] });
    expect([written.status, written.body]).toEqual([
      200,
      expect.objectContaining({ slug, title: 'A page', description: '', published: true, sort_order: 0, research: null, project_id: null }),
    ]);
    expect((await ask('POST', `/clip/${slug}/vote`, { body: { vote: 1 } })).status).toBe(200);
    expect((await ask('POST', `/clip/${slug}/roast`, { body: waveForm(200) })).status).toBe(200);
    expect((await operate('PUT', `/admin/clips/${slug}`, { title: 'Another', blocks: [] })).body).toMatchObject({ title: 'Another' });
    const { rows } = await sql<{ blob_key: string }>`select blob_key from clip_roasts where slug = ${slug}`.execute(db);
    for (const status of [204, 204]) expect((await operate('DELETE', `/admin/clips/${slug}`)).status).toBe(status);
    expect((await ask('GET', `/clip/${slug}`)).status).toBe(404);
    expect(await rowsOf(slug)).toEqual([]);
    const signed = new URL(await blobs.sign(rows[0]?.blob_key ?? '', 60));
    await expect.poll(async () => (await ask('GET', signed.pathname + signed.search)).status, { timeout: 30_000 }).toBe(404);
  });

  it('keeps recordings for them', async () => {
    const kept = await operate('POST', '/admin/recordings', waveForm(700));
    expect([kept.status, kept.body]).toEqual([
      201,
      { key: expect.stringMatching(/^sessions\/[0-9a-f-]{36}\.wav$/), content_type: 'audio/wav', size: 700 },
    ]);
  });

  it('is nobody else', async () => {
    for (const [method, path, body] of [
      ['PUT', '/admin/clips/a', { title: 'x', blocks: [] }],
      ['DELETE', '/admin/clips/a', undefined],
      ['POST', '/admin/recordings', waveForm(200)],
    ] as const) {
      expect((await operate(method, path, body, '')).status).toBe(401);
      expect((await operate(method, path, body, 'another-secret-of-somebody')).status).toBe(403);
    }
  });

  it('is told what is no page: 400, 422, and 502 when the store is down', async () => {
    const put = async (body: object, slug = 'a-page') => (await operate('PUT', `/admin/clips/${slug}`, body)).status;
    expect(await put({ title: 'x' })).toBe(400);
    expect(await put({ title: 'x', blocks: [{ title: 'no kind' }] })).toBe(400);
    expect(await put({ title: '', blocks: [] })).toBe(422);
    expect(await put({ title: 'x', blocks: [], project_id: 'x' })).toBe(422);
    expect(await put({ title: 'x', blocks: [], og_image_url: 'javascript:alert(1)' })).toBe(422);
    expect(await put({ title: 'x', blocks: [] }, 'Not%20a%20slug')).toBe(422);
    payload.isUp = false;
    expect(await put({ title: 'x', blocks: [] })).toBe(502);
    expect((await operate('DELETE', '/admin/clips/a-page')).status).toBe(502);
  });
});
