import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';

const LIMIT = 30;
const direct = await startTestApp({ env: { ROLES: 'api' } });
const proxied = await startTestApp({ env: { ROLES: 'api', TRUST_PROXY: '1' } });
const listed = await startTestApp({ env: { ROLES: 'api', TRUST_PROXY: 'loopback,198.51.100.0/24' } });
afterAll(() => Promise.all([direct, proxied, listed].map((app) => app.dispose())));

/** Signs in as ever new devices, one request behind the other; gives the statuses. */
async function signIns(app: typeof direct, count: number, from: { peer?: string; forwarded?: (n: number) => string }): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const answer = await app.server.fastify.inject({
      method: 'POST',
      url: '/auth/anonymous',
      payload: { device_id: randomUUID() },
      remoteAddress: from.peer ?? '127.0.0.1',
      headers: from.forwarded ? { 'x-forwarded-for': from.forwarded(n) } : {},
    });
    if (answer.statusCode === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    statuses.push(answer.statusCode);
  }
  return statuses;
}

const allowed = (statuses: readonly number[]): number => statuses.filter((status) => status === 200).length;

describe('signing in without an account', () => {
  it('is limited for each address [R038 R039]', async () => {
    expect(allowed(await signIns(direct, LIMIT + 5, { peer: '203.0.113.1' }))).toBe(LIMIT);
    expect(allowed(await signIns(direct, 1, { peer: '203.0.113.2' }))).toBe(1);
  });

  it('is limited for each /64 of IPv6, and for IPv4 as it is when it is mapped into IPv6', async () => {
    const statuses = await Promise.all(Array.from({ length: LIMIT + 5 }, (_, n) => signIns(direct, 1, { peer: `2001:db8:1:1::${n + 1}` })));
    expect(allowed(statuses.flat())).toBe(LIMIT);
    await signIns(direct, LIMIT, { peer: '203.0.113.3' });
    expect(await signIns(direct, 1, { peer: '::ffff:203.0.113.3' })).toEqual([429]);
  });

  it('is not limited straight from the machine itself', async () => {
    expect(allowed(await signIns(direct, LIMIT + 5, {}))).toBe(LIMIT + 5);
    expect(allowed(await signIns(proxied, LIMIT + 5, { peer: '::1' }))).toBe(LIMIT + 5);
  });

  it('is limited for all together where a proxy on the machine is not named', async () => {
    expect(allowed(await signIns(direct, LIMIT + 5, { forwarded: (n) => `203.0.113.${n}` }))).toBe(LIMIT);
  });

  it('counts the client that the trusted proxy saw, whatever the client wrote before it', async () => {
    expect(allowed(await signIns(proxied, LIMIT + 5, { forwarded: (n) => `192.0.2.${n}, 203.0.113.4` }))).toBe(LIMIT);
    expect(await signIns(proxied, 1, { forwarded: () => '203.0.113.5' })).toEqual([200]);
    expect(await signIns(proxied, 1, { forwarded: () => '127.0.0.1, 203.0.113.4' })).toEqual([429]);
  });

  it('counts the first address that is none of the named proxies', async () => {
    expect(allowed(await signIns(listed, LIMIT + 5, { forwarded: (n) => `192.0.2.${n}, 203.0.113.4, 198.51.100.${n}` }))).toBe(LIMIT);
    expect(allowed(await signIns(listed, 1, { peer: '203.0.113.6', forwarded: () => '203.0.113.4' }))).toBe(1);
  });

  it('counts the peer where the proxy names no address, and never fails over it', async () => {
    const noise = (n: number) => (n % 2 === 0 ? `garbage ${n}` : Array.from({ length: 150 }, () => randomUUID()).join(''));
    expect(allowed(await signIns(proxied, LIMIT + 5, { peer: '203.0.113.8', forwarded: noise }))).toBe(LIMIT);
  });
});
