import { readFileSync } from 'node:fs';
import { generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWK } from 'jose';
import { oddJson, oddText } from './odd-values.ts';
import type { Random } from './random.ts';

const SIGNED = 60;

/** Tokens that no service should take: of strangers, and well signed ones that say odd things. */
export async function oddTokens(keyFile: string, random: Random): Promise<string[]> {
  const own = JSON.parse(readFileSync(keyFile, 'utf8')) as JWK;
  const key = (await importJWK(own, 'RS256')) as CryptoKey;
  const { privateKey: foreign } = await generateKeyPair('RS256');
  const good = { sub: 'fuzz', azp: 'groundwork', exp: Math.floor(Date.now() / 1000) + 3600 };
  const sign = (claims: Record<string, unknown>, by: CryptoKey = key, kid = own.kid ?? '') =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(by);
  const valid = await sign(good);
  const [header = '', payload = '', signature = ''] = valid.split('.');
  const unsigned = (alg: string) => `${Buffer.from(JSON.stringify({ alg, kid: own.kid })).toString('base64url')}.${payload}.`;
  const signed = Array.from({ length: SIGNED }, () => {
    const name = random.pick(['sub', 'sub', 'azp', 'exp', 'iat', 'nbf', 'aud', 'iss', 'name', 'email', 'jti']);
    return sign({ ...good, [name]: random.chance(0.5) ? oddText(random).slice(0, 3000) : shallow(oddJson(random, 4)) });
  });
  return [
    valid,
    await sign(good, foreign),
    await sign(good, key, 'other'),
    await sign({ ...good, sub: 'u'.repeat(8000) }),
    unsigned('none'),
    unsigned('HS256'),
    `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    `${header}.${payload}`,
    '..',
    '.',
    'a.b.c',
    'x'.repeat(6000),
    ...(await Promise.all(signed)),
  ];
}

/** Odd claims must fit into a header. */
const shallow = (value: unknown): unknown => (JSON.stringify(value).length > 3000 ? [] : value);
