import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importJWK, SignJWT, type JWK } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => app.dispose());

async function signed(claims: Record<string, unknown>): Promise<string> {
  const jwk = JSON.parse(readFileSync(join(app.ctx.config.dataDir, 'identity-key.json'), 'utf8')) as JWK;
  const token = new SignJWT({ azp: 'groundwork', ...claims }).setProtectedHeader({ alg: 'RS256', kid: jwk.kid ?? '' });
  return token.setExpirationTime('10m').sign(await importJWK(jwk, 'RS256'));
}

describe('a token that is signed well', () => {
  it.each([[5], [0], [true], [null], [{}], [['user']], [''], ['a\u0000b'], ['\ud83d'], ['anon:1']])(
    'with the subject %j is answered 401 [R047]',
    async (sub) => {
      const headers = { authorization: `Bearer ${await signed({ sub })}` };
      for (const [method, url] of [
        ['POST', '/auth/session'],
        ['GET', '/projects'],
      ] as const) {
        const answer = await app.server.fastify.inject({ method, url, headers });
        expect(answer.statusCode, url).toBe(401);
        expect(answer.json<{ detail: string }>().detail).toMatch(/^Invalid token: /);
      }
    },
  );
});
