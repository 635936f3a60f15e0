import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { unauthenticated } from '../../../lib/errors.ts';
import { startTestApp } from '#testing/app.ts';
import { every } from '../guards/every.ts';
import { everyone } from '../guards/everyone.ts';
import { sharedSecret } from '../guards/shared-secret.ts';
import { signature } from '../guards/signature.ts';
import { slug } from '../guards/slug.ts';
import { forAll, perKey } from '../route-limits.ts';
import { webhookRoute } from './webhook.ts';

const signed = (secret: string | undefined, unset: 'refuse' | 'skip') => signature({ name: 'billing', header: 'X-Billing-Signature', secret, unset });
const bearer = (secret: string | undefined) =>
  sharedSecret({ name: 'billing_bearer', description: 'Of the billing provider.', secret, unset: unauthenticated('Invalid token') });
const Bytes = { 200: z.object({ hex: z.string() }) };
const bytes = (path: string, guard: ReturnType<typeof signed>, more: { limit?: ReturnType<typeof forAll> } = {}) =>
  webhookRoute({
    path,
    summary: 'Says which bytes came',
    guard,
    ...more,
    responses: Bytes,
    handle: async ({ raw }, reply) => reply(200, { hex: raw.toString('hex') }),
  });

const routes = [
  bytes('/signed', signed('secret', 'refuse'), { limit: forAll(3) }),
  bytes('/unset', signed(undefined, 'refuse')),
  bytes('/skipped', signed(undefined, 'skip')),
  bytes('/both', every(bearer('bearer'), signed('secret', 'skip'))),
  bytes('/none', every(bearer(undefined), signed(undefined, 'skip'))),
  webhookRoute({
    path: '/json',
    summary: 'Reads JSON',
    guard: everyone,
    maxBytes: 200,
    body: z.object({ event: z.object({ id: z.string() }) }),
    responses: { 200: z.object({ id: z.string() }) },
    handle: async ({ body }, reply) => reply(200, { id: body.event.id }),
  }),
  webhookRoute({
    path: '/notes/{slug}',
    summary: 'Takes a text',
    guard: slug('slug', async (found) => (found === 'known' || found === 'other' ? { userId: `user of ${found}` } : null)),
    limit: perKey('params', 'slug', 2),
    params: z.object({ slug: z.string() }),
    consumes: 'text/plain',
    maxBytes: 10,
    responses: { 200: z.object({ user: z.string(), text: z.string() }) },
    handle: async ({ principal, raw }, reply) => reply(200, { user: principal.userId, text: raw.toString() }),
  }),
];
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { families: [{ family: 'test', routes }] } });
afterAll(() => app.dispose());

const send = async (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${app.url}${path}`, {
    method: 'POST',
    body: body as never,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, retryAfter: answer.headers.get('retry-after') };
};
const sign = (body: string | Uint8Array, secret = 'secret') => ({ 'x-billing-signature': createHmac('sha256', secret).update(body).digest('hex') });

describe('a webhook', () => {
  it('takes bytes as they come when their signature is right, in either case of its letters', async () => {
    const body = new Uint8Array([0xff, 0, 0x7b, 0x20, 0x0d]);
    expect(await send('/signed', body, sign(body))).toMatchObject({ status: 200, body: { hex: 'ff007b200d' } });
    const upper = { 'x-billing-signature': sign(body)['x-billing-signature'].toUpperCase() };
    expect(await send('/signed', body, upper)).toMatchObject({ status: 200 });
  });

  it('refuses what is signed wrongly or not at all, without counting it', async () => {
    for (const headers of [{}, sign('other'), sign('{}', 'another secret'), { 'x-billing-signature': '' }, { 'x-billing-signature': 'zz' }]) {
      expect(await send('/signed', '{}', headers as Record<string, string>)).toMatchObject({ status: 401 });
    }
    expect(await send('/signed', '{}', sign('{}'))).toMatchObject({ status: 200 });
    expect(await send('/signed', '{}', sign('{}'))).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^\d+$/) });
  });

  it('without a secret lets nobody in, or everybody, as it is declared', async () => {
    expect(await send('/unset', '{}', sign('{}'))).toMatchObject({ status: 503 });
    expect(await send('/skipped', '{}')).toMatchObject({ status: 200 });
  });

  it('may ask for a bearer and a signature: both must be right', async () => {
    const authorization = 'Bearer bearer';
    expect(await send('/both', '{}', { authorization, ...sign('{}') })).toMatchObject({ status: 200 });
    expect(await send('/both', '{}', { authorization })).toMatchObject({ status: 401, body: { detail: 'Missing signature' } });
    expect(await send('/both', '{}', sign('{}'))).toMatchObject({ status: 401, body: { detail: 'Missing Bearer token' } });
    expect(await send('/none', '{}', { authorization: 'Bearer undefined' })).toMatchObject({ status: 401, body: { detail: 'Invalid token' } });
  });

  it.each([
    ['{"event":{"id":"e1"}}', {}, 200],
    ['{"event":{"id":"e1"}', {}, 400],
    ['{"event":{}}', {}, 400],
    ['', {}, 400],
    [`{"event":{"id":"e1"},"more":${'['.repeat(70)}${']'.repeat(70)}}`, {}, 400],
    ['{"event":{"id":"e1"}}', { 'content-type': 'text/plain' }, 400],
    ['{"event":{"id":"e1"}}', { 'content-type': 'application/json; charset=utf-8' }, 200],
    [`{"event":{"id":"${'x'.repeat(200)}"}}`, {}, 413],
  ])('reads %s as JSON with %j: %i', async (body, headers, status) => {
    expect(await send('/json', body, headers as Record<string, string>)).toMatchObject({ status });
  });

  it('takes texts of those whose address is known, and counts each address alone', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect(await send('/notes/known', 'hello', headers)).toMatchObject({ status: 200, body: { user: 'user of known', text: 'hello' } });
    expect(await send('/notes/unknown', 'hello', headers)).toMatchObject({ status: 404 });
    expect(await send('/notes/known', 'x'.repeat(11), headers)).toMatchObject({ status: 413 });
    expect(await send('/notes/known', '{}')).toMatchObject({ status: 400 });
    expect(await send('/notes/known', 'hello', headers)).toMatchObject({ status: 200 });
    expect(await send('/notes/known', 'hello', headers)).toMatchObject({ status: 429 });
    expect(await send('/notes/other', 'hello', headers)).toMatchObject({ status: 200 });
  });
});
