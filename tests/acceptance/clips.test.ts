import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { waveForm } from '../../src/testing/wave-form.ts';
import {
  adminSecret,
  anyAddress,
  anyList,
  anyNumber,
  anyString,
  call,
  canSignIn,
  completedResearch,
  detail,
  newIdea,
  newProject,
  newUser,
  serviceUrl,
  type Answer,
  type Json,
  type User,
} from './black-box.ts';
import { readNdjson } from '../../src/testing/read-ndjson.ts';

const JSON_TYPE = { accept: 'application/json' };
/** A caller that no other call counts with. */
const from = () => ({ 'x-forwarded-for': anyAddress(), 'user-agent': `agent ${randomUUID()}` });

const open = (path: string, headers: Record<string, string> = {}): Promise<Answer> => call('GET', path, { headers: { ...from(), ...headers } });
const vote = (slug: string, body: unknown, headers: Record<string, string> = from()): Promise<Answer> =>
  call('POST', `/clip/${slug}/vote`, { body, headers });

async function roast(slug: string, body: FormData, headers: Record<string, string> = from()): Promise<{ status: number; body: Json }> {
  const answer = await fetch(`${serviceUrl}/clip/${slug}/roast`, { method: 'POST', body, headers });
  return { status: answer.status, body: (await answer.json()) as Json };
}

type Published = { user: User; projectId: string; briefId: string; slug: string };

/** A brief of a user of its own that is published as a page. */
async function published(): Promise<Published> {
  const user = await newUser();
  const projectId = await newProject(user);
  await completedResearch(user, newIdea(), { project_id: projectId });
  const briefId = String((await user.post('/briefs', { project_id: projectId })).body['brief_id']);
  await readNdjson(`${serviceUrl}/briefs/${briefId}/events`, user.token, AbortSignal.timeout(20_000));
  const answer = await user.post(`/briefs/${briefId}/publish-clip`);
  expect(answer.status, answer.text).toBe(200);
  return { user, projectId, briefId, slug: String(answer.body['slug']) };
}

/** A page that the operator writes. */
async function written(blocks: Json[], more: Json = {}): Promise<string> {
  const slug = `page-${randomUUID()}`;
  const answer = await call('PUT', `/admin/clips/${slug}`, {
    token: adminSecret,
    body: { title: 'A page', description: 'About it', blocks, ...more },
  });
  expect(answer.status, answer.text).toBe(200);
  return slug;
}

/** The key of a recording that the service keeps. */
async function kept(): Promise<string> {
  const answer = await fetch(`${serviceUrl}/admin/recordings`, {
    method: 'POST',
    body: waveForm(1000),
    headers: { authorization: `Bearer ${adminSecret}` },
  });
  expect(answer.status).toBe(201);
  return String(((await answer.json()) as Json)['key']);
}

const session = (audio: string): Json => ({
  blockType: 'sessionReplay',
  audio_key: audio,
  transcript_segments: [{ speaker: 'Ada', text: 'Hello', t: 0 }],
  advisors: [{ persona: 'The skeptic', text: 'No.', audio_key: audio, voice_id: 'voice-1' }],
  research_summary: 'Fourteen rivals.',
  referrer_device_id: 'device-1',
  cta: { label: 'Try it', url: 'https://example.org/try' },
});
const VOTE = { blockType: 'voteClip', question: 'Would you?' };
const ROAST = { blockType: 'roast_clip' };

describe('POST /briefs/{brief_id}/publish-clip', () => {
  it('answers 200 with address and slug of the page, the same when it is done again [R656 R657]', async () => {
    const { user, briefId, slug } = await published();
    expect(slug).toMatch(/^brief-[a-z0-9-]+$/);
    const again = await user.post(`/briefs/${briefId}/publish-clip`);
    expect(again.body).toEqual({ url: `${new URL(String(again.body['url'])).origin}/clip/${slug}`, slug });
  });

  it('lists the page in the home of its project [R182]', async () => {
    const { user, projectId, briefId, slug } = await published();
    const clips = (await user.get(`/projects/${projectId}/home`)).body['clips'];
    expect(clips).toEqual([{ slug, target_type: 'brief', target_id: briefId, created_at: anyString() }]);
    expect((await user.get(`/projects/${projectId}/tabs/clips`)).body['items']).toEqual(clips);
  });

  it('answers 404 for another user’s, 422 when the id is no UUID, 401 without a token [R010 R032 R037]', async () => {
    const { briefId } = await published();
    expect((await (await newUser()).post(`/briefs/${briefId}/publish-clip`)).status).toBe(404);
    expect((await (await newUser()).post('/briefs/x/publish-clip')).status).toBe(422);
    expect((await call('POST', `/briefs/${briefId}/publish-clip`)).status).toBe(401);
  });
});

describe('GET /clip/{slug}', () => {
  it('answers 200 with a page, without a token [R924 R925 R927 R977]', async () => {
    const { slug } = await published();
    const page = await open(`/clip/${slug}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('cache-control')).toBe('public, max-age=300');
    for (const property of ['og:title', 'og:description', 'og:url', 'og:image']) expect(page.text).toContain(`property="${property}"`);
    expect(page.text).not.toMatch(/<script/i);
    expect(page.text).not.toMatch(/\b(undefined|NaN|\[object Object\])/);
  });

  it('answers 200 with JSON when asked for it, with a snapshot of the research of a brief [R917 R918 R919 R920 R921 R926 R927]', async () => {
    const { slug, user } = await published();
    const page = await open(`/clip/${slug}`, JSON_TYPE);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('public, max-age=300');
    expect(page.body).toEqual({
      id: anyString(),
      title: anyString(),
      slug,
      description: anyString(),
      og_image_url: anyString(),
      blocks: anyList(),
      published: true,
      sort_order: 0,
      research: expect.objectContaining({ product_category: anyString(), score: anyNumber() }),
    });
    const kinds = new Set((page.body['blocks'] as { blockType: string }[]).map(({ blockType }) => blockType));
    for (const kind of ['hero', 'stats', 'richText', 'divider', 'callToAction', 'voteClip', 'roast_clip']) expect(kinds).toContain(kind);
    if (user.userId) expect(page.text).not.toContain(user.userId);
  });

  it('answers 304 to whoever has it', async () => {
    const { slug } = await published();
    const tag = (await open(`/clip/${slug}`)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect((await open(`/clip/${slug}`, { 'if-none-match': tag })).status).toBe(304);
    expect((await open(`/clip/${slug}`, { ...JSON_TYPE, 'if-none-match': tag })).status).toBe(200);
  });

  it.skipIf(!adminSecret)(
    'answers 200 with every kind of block, those that are not known too, and no research where there is no brief [R919 R922 R923]',
    async () => {
      const blocks = [
        { blockType: 'hero', title: 'Hello' },
        { blockType: 'stats', items: [{ label: 'products', value: '14' }] },
        { blockType: 'richText', text: 'One.\n\nTwo.' },
        { blockType: 'featureList', items: [{ title: 'Scanning' }] },
        { blockType: 'callToAction', label: 'Go', url: 'https://example.org' },
        { blockType: 'divider' },
        session('sessions/one.wav'),
        VOTE,
        ROAST,
        { blockType: 'hologram', beams: 3 },
      ];
      const slug = await written(blocks);
      expect((await open(`/clip/${slug}`, JSON_TYPE)).body).toMatchObject({ blocks, research: null, og_image_url: null });
      const { text } = await open(`/clip/${slug}`);
      for (const shown of [
        'Hello',
        '14',
        '<p>Two.</p>',
        'Scanning',
        'href="https://example.org/"',
        '<hr>',
        '<audio controls',
        'Would you?',
        'type="file"',
      ])
        expect(text).toContain(shown);
      expect(text).not.toContain('hologram');
    },
  );

  it.skipIf(!adminSecret)('answers 200 and shows what came from outside as text, with links to the web alone', async () => {
    const text = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
    const blocks = [
      { blockType: 'hero', title: text, subtitle: text },
      { blockType: 'callToAction', text, label: text, url: 'javascript:alert(1)' },
      { ...session('javascript:alert(1)'), transcript_segments: [{ speaker: text, text, t: 0 }] },
      { ...VOTE, question: text },
    ];
    const page = await open(`/clip/${await written(blocks, { title: text, description: text })}`);
    expect(page.text).not.toMatch(/<script|<img|(?:href|src)="javascript/i);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('answers 404 to an unknown slug, and once the brief is deleted [R928]', async () => {
    expect(await open('/clip/no-such-page')).toMatchObject({ status: 404, body: detail(/not found/i) });
    const { user, briefId, slug } = await published();
    await user.delete(`/briefs/${briefId}`);
    expect((await open(`/clip/${slug}`)).status).toBe(404);
  });

  it.skipIf(!adminSecret)('answers 404 while it is not published [R929]', async () => {
    const slug = await written([VOTE], { published: false });
    expect((await open(`/clip/${slug}`)).status).toBe(404);
  });

  it('answers 429 with Retry-After to the 31st request of an address within a minute [R972]', async () => {
    const headers = from();
    for (let count = 0; count < 30; count += 1) expect((await call('GET', '/clip/limit', { headers })).status).toBe(404);
    const answer = await call('GET', '/clip/limit', { headers });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});

describe('GET /clip/{slug}/playable', () => {
  it.skipIf(!adminSecret)(
    'answers 200 with one session per block, whose recordings play, without a token [R931 R932 R933 R934 R935 R936 R937 R938 R939 R940 R942]',
    async () => {
      const key = await kept();
      const slug = await written([session(key), { ...session(key), advisors: [] }]);
      const answer = await open(`/clip/${slug}/playable`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
      const shape = {
        audio_url: anyString(),
        transcript_segments: [{ speaker: 'Ada', text: 'Hello', t: 0 }],
        advisors: [{ persona: 'The skeptic', text: 'No.', audio_url: anyString(), voice_id: 'voice-1' }],
        research_summary: 'Fourteen rivals.',
        referrer_device_id: 'device-1',
        cta: { label: 'Try it', url: 'https://example.org/try' },
      };
      expect(answer.body).toEqual({
        slug,
        title: 'A page',
        description: 'About it',
        sessions: [shape, { ...shape, advisors: [] }],
        signed_urls_wired: true,
      });
      const [{ audio_url: url }] = answer.body['sessions'] as [{ audio_url: string }];
      const { pathname, search } = new URL(url);
      const sound = await fetch(serviceUrl + pathname + search);
      expect([sound.status, sound.headers.get('content-type'), sound.headers.get('content-length')]).toEqual([200, 'audio/wav', '1000']);
      expect((await fetch(serviceUrl + pathname + search.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).status).toBe(404);
    },
  );

  it.skipIf(!adminSecret)('answers 200 with the key of what cannot be signed, not to be cached [R941 R943]', async () => {
    const slug = await written([session('../outside')]);
    const answer = await open(`/clip/${slug}/playable`);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.body).toMatchObject({ sessions: [{ audio_url: '../outside' }], signed_urls_wired: false });
  });

  it('answers 404 without a session in the page, and without a page [R944]', async () => {
    expect((await open(`/clip/${(await published()).slug}/playable`)).status).toBe(404);
    expect((await open('/clip/no-such-page/playable')).status).toBe(404);
  });

  it('answers 429 to the 31st request of an address within a minute [R973]', async () => {
    const headers = from();
    for (let count = 0; count < 30; count += 1) expect((await call('GET', '/clip/limit/playable', { headers })).status).toBe(404);
    expect((await call('GET', '/clip/limit/playable', { headers })).status).toBe(429);
  });
});

describe('POST /clips/{slug}/send-to-me', () => {
  it.skipIf(!adminSecret || !canSignIn)("answers 200 with the caller's own number, whatever the body says [R946 R947 R948 R949]", async () => {
    const user = await newUser();
    const phone = `+1415${randomInt(1e6, 1e7)}`;
    const outbox = async () => (await call('GET', '/admin/outbox?limit=200', { token: adminSecret })).body['items'] as { to: string; body: string }[];
    await user.post('/profile/phone', { phone });
    const code = (await outbox()).find(({ to }) => to === phone)?.body.slice(0, 6) ?? '';
    expect((await user.post('/profile/phone/verify', { phone, code })).status).toBe(200);
    const slug = await written([VOTE]);
    const answer = await user.post(`/clips/${slug}/send-to-me`, { to: '+14155550199' });
    expect([answer.status, answer.body]).toEqual([200, { ok: true, slug, to: phone }]);
    expect((await outbox()).filter(({ body }) => body.includes(slug)).map(({ to }) => to)).toEqual([phone]);
  });

  it('answers 404 to an unknown slug, then 400 without a linked number, 401 without a token [R950 R951]', async () => {
    const user = await newUser();
    expect((await user.post('/clips/no-such-page/send-to-me')).status).toBe(404);
    const { slug } = await published();
    const answer = await user.post(`/clips/${slug}/send-to-me`);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(detail(/phone/));
    expect((await call('POST', `/clips/${slug}/send-to-me`)).status).toBe(401);
  });

  it('answers 429 to the 11th request of a user within an hour [R974]', async () => {
    const user = await newUser();
    for (let count = 0; count < 10; count += 1) expect((await user.post('/clips/no-such-page/send-to-me')).status).toBe(404);
    expect((await user.post('/clips/no-such-page/send-to-me')).status).toBe(429);
  });
});

describe('POST /clip/{slug}/vote', () => {
  it('answers 200 with the totals, without a token and with one; the last vote of a principal counts, 0 takes it back [R954 R955 R958 R960 R961]', async () => {
    const { slug } = await published();
    const headers = from();
    expect((await vote(slug, { vote: 1 }, headers)).body).toEqual({ ok: true, total_up: 1, total_down: 0, ack_message: anyString() });
    expect((await vote(slug, { vote: 1, comment: 'Still' }, headers)).body).toMatchObject({ total_up: 1, total_down: 0 });
    const user = await newUser();
    const signedIn = await call('POST', `/clip/${slug}/vote`, { token: user.token, body: { vote: -1 }, headers });
    expect(signedIn.body).toMatchObject({ total_up: 1, total_down: 1 });
    expect((await vote(slug, { vote: 0 }, headers)).body).toMatchObject({ total_up: 0, total_down: 1 });
    expect(await vote(slug, { vote: 0 })).toMatchObject({ status: 200, body: { total_up: 0, total_down: 1 } });
  });

  it('counts 50 principals who vote at once, twice each, once each [R960 R961]', async () => {
    const { slug } = await published();
    const callers = Array.from({ length: 50 }, from);
    const answers = await Promise.all(callers.flatMap((headers) => [vote(slug, { vote: 1 }, headers), vote(slug, { vote: 1 }, headers)]));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Math.max(...answers.map(({ body }) => Number(body['total_up'])))).toBe(50);
    expect((await vote(slug, { vote: 1 }, callers[0])).body).toMatchObject({ total_up: 50, total_down: 0 });
  });

  it('answers 400 without a vote or with another type, 422 to another number or a long comment, 401 to a bearer that does not hold [R956 R957 R959]', async () => {
    const { slug } = await published();
    for (const body of [{}, { vote: '1' }, { vote: null }, { vote: 1, comment: 5 }])
      expect((await vote(slug, body)).status, JSON.stringify(body)).toBe(400);
    for (const body of [{ vote: 2 }, { vote: 0.5 }, { vote: 1, comment: 'x'.repeat(201) }])
      expect((await vote(slug, body)).status, JSON.stringify(body)).toBe(422);
    expect((await call('POST', `/clip/${slug}/vote`, { token: 'no-such-token', body: { vote: 1 } })).status).toBe(401);
  });

  it('answers 404 to an unknown slug [R962]', async () => {
    expect((await vote('no-such-page', { vote: 1 })).status).toBe(404);
  });

  it.skipIf(!adminSecret)('answers 404 where the page asks for no vote [R962]', async () => {
    expect((await vote(await written([ROAST]), { vote: 1 })).status).toBe(404);
  });

  it('answers 429 to the 31st vote of a principal within an hour [R975]', async () => {
    const headers = from();
    for (let count = 0; count < 30; count += 1) expect((await vote('no-such-page', { vote: 1 }, headers)).status).toBe(404);
    expect((await vote('no-such-page', { vote: 1 }, headers)).status).toBe(429);
  });
});

describe('POST /clip/{slug}/roast', () => {
  it('answers 200 to a recording, without a token and with one, and its owner alone finds it [R964 R966 R969]', async () => {
    const { user, slug } = await published();
    expect(await roast(slug, waveForm(3000))).toEqual({ status: 200, body: { ok: true, ack_message: anyString() } });
    expect((await roast(slug, waveForm(3000), { ...from(), authorization: `Bearer ${(await newUser()).token}` })).status).toBe(200);
    const found = await user.get(`/clip/${slug}/roasts`);
    expect(found.body).toMatchObject({ items: [{ content_type: 'audio/wav', size: 3000, audio_url: anyString() }, { size: 3000 }], has_more: false });
    expect((await (await newUser()).get(`/clip/${slug}/roasts`)).status).toBe(404);
  });

  it('answers 400 without a recording, 413 above 2 MiB, 415 to what is none by its bytes [R964 R965]', async () => {
    const { slug } = await published();
    expect((await roast(slug, new FormData())).status).toBe(400);
    expect((await roast(slug, waveForm(2 * 1024 * 1024))).status).toBe(200);
    expect((await roast(slug, waveForm(2 * 1024 * 1024 + 1))).status).toBe(413);
    const page = new FormData();
    page.set('audio', new Blob(['<html>'], { type: 'audio/wav' }), 'a.wav');
    expect((await roast(slug, page)).status).toBe(415);
  });

  it('answers 404 to an unknown slug [R967]', async () => {
    expect((await roast('no-such-page', waveForm(200))).status).toBe(404);
  });

  it.skipIf(!adminSecret)('answers 404 where the page asks for none [R967]', async () => {
    expect((await roast(await written([VOTE]), waveForm(200))).status).toBe(404);
  });

  it('answers 429 to the 6th recording of a principal within an hour [R976]', async () => {
    const headers = from();
    for (let count = 0; count < 5; count += 1) expect((await roast('no-such-page', waveForm(200), headers)).status).toBe(404);
    expect((await roast('no-such-page', waveForm(200), headers)).status).toBe(429);
  });
});
