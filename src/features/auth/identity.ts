import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  SignJWT,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import { type AppError, unauthenticated, unavailable } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import type { IdentityConfig } from '#platform/config/identity.ts';
import type { Principal } from '#platform/principal.ts';
import { truncate } from '#lib/text.ts';
import { makeFolder } from '#platform/db/make-folder.ts';

const RETRY_SECONDS = 5;
const LONGEST_SUBJECT = 255;
const KEY_SET_BYTES = 1_000_000;
/** The party that tokens of the embedded provider are made out to. */
const EMBEDDED_PARTY = 'groundwork';

export type Identity = {
  /** @throws AppError 401 or 503 with the interface's texts */
  verify(token: string): Promise<Principal>;
  /** The public keys of the embedded provider; null where one is configured. */
  publicKeys: JSONWebKeySet | null;
};

/** Verifies RS256 identity tokens against the configured key set, or against the embedded provider's. */
export async function openIdentity(config: IdentityConfig, keyFile: string | null): Promise<Identity> {
  if (config.kind === 'embedded') {
    const privateKey = await embeddedKey(keyFile);
    const publicKeys = { keys: [publicPart(privateKey)] };
    const keys = createLocalJWKSet(publicKeys);
    return { publicKeys, verify: (token) => verify(token, keys, { parties: [EMBEDDED_PARTY] }) };
  }
  const keys = createRemoteJWKSet(new URL(config.jwksUrl), { timeoutDuration: 5000, cooldownDuration: 10_000, [customFetch]: fetchKeys });
  const expected = { issuer: config.issuer, audience: config.audience, parties: config.authorizedParties };
  return { publicKeys: null, verify: (token) => verify(token, keys, expected) };
}

/** The provider's answer, as far as it is as small as a key set; redirects are not followed. */
async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > KEY_SET_BYTES) throw new Error(`the key set is larger than ${KEY_SET_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks));
}

/** A JWT of the embedded provider, for signing in on one's own installation. */
export async function signIdentityToken(
  keyFile: string,
  who: { userId: string; name?: string; email?: string; issuer: string },
  lifetimeSeconds: number,
): Promise<string> {
  const jwk = await embeddedKey(keyFile);
  const claims = { azp: EMBEDDED_PARTY, ...(who.name ? { name: who.name } : {}), ...(who.email ? { email: who.email } : {}) };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: jwk.kid ?? '' })
    .setSubject(who.userId)
    .setIssuer(who.issuer)
    .setIssuedAt()
    .setExpirationTime(`${lifetimeSeconds}s`)
    .sign(await importJWK(jwk, 'RS256'));
}

/** What a token must say of who made it and for whom; what is not given is not checked. */
type Expected = { issuer?: string | undefined; audience?: string | undefined; parties: readonly string[] };

async function verify(token: string, keys: JWTVerifyGetKey, expected: Expected): Promise<Principal> {
  const payload = await claimsOf(token, keys, expected);
  if (expected.parties.length > 0 && !expected.parties.includes(String(payload['azp'] ?? ''))) {
    throw unauthenticated('Invalid authorized party');
  }
  if (payload.sub !== undefined && !isName(payload.sub)) throw unauthenticated('Invalid token: its subject is no name');
  if (!payload.sub) throw unauthenticated('Invalid token: it names no subject');
  // It becomes part of keys, and an index takes no more than 2.7 kB.
  if (payload.sub.length > LONGEST_SUBJECT) throw unauthenticated('Invalid token: its subject is too long');
  // The prefix marks principals of our own; a token from outside must not become one.
  if (payload.sub.startsWith('anon:')) throw unauthenticated('Invalid token: reserved subject');
  return {
    userId: payload.sub,
    anonymous: false,
    name: textClaim(payload, 'name'),
    email: textClaim(payload, 'email'),
    credential: { kind: 'identity', expiresAt: new Date((payload.exp ?? 0) * 1000) },
  };
}

/** Whether a claim is a text that can be stored; a token may hold any JSON there, whatever its type says. */
const isName = (claim: unknown): boolean => typeof claim === 'string' && claim.isWellFormed() && !claim.includes('\0');

async function claimsOf(token: string, keys: JWTVerifyGetKey, { issuer, audience }: Expected): Promise<JWTPayload> {
  try {
    const verified = await jwtVerify(token, keys, {
      algorithms: ['RS256'],
      requiredClaims: ['exp'],
      clockTolerance: 5,
      ...(issuer ? { issuer } : {}),
      ...(audience ? { audience } : {}),
    });
    return verified.payload;
  } catch (error) {
    throw asUnauthenticated(error);
  }
}

function asUnauthenticated(error: unknown): AppError {
  if (error instanceof errors.JWTExpired) return unauthenticated('Token expired');
  const reason = INVALID.find(([kind]) => error instanceof kind)?.[1];
  if (reason) return unauthenticated(`Invalid token: ${reason}`);
  return unavailable('JWKS not loaded', RETRY_SECONDS);
}

// Anything else went wrong while the key set was fetched.
const INVALID = [
  [errors.JWTClaimValidationFailed, 'a claim does not hold'],
  [errors.JWSSignatureVerificationFailed, 'the signature does not match'],
  [errors.JWKSNoMatchingKey, 'no known key signed it'],
  [errors.JWKSMultipleMatchingKeys, 'it does not say which key signed it'],
  [errors.JOSEAlgNotAllowed, 'RS256 is required'],
  [errors.JOSENotSupported, 'RS256 is required'],
  [errors.JWTInvalid, 'malformed'],
  [errors.JWSInvalid, 'malformed'],
] as const;

const textClaim = (payload: JWTPayload, name: string): string | null => {
  const value = payload[name];
  return typeof value === 'string' ? truncate(value, 200) : null;
};

async function embeddedKey(file: string | null): Promise<JWK> {
  if (file && existsSync(file)) return readKey(file);
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk: JWK = { ...(await exportJWK(privateKey)), kid: newId(), alg: 'RS256', use: 'sig' };
  return file ? keepFirst(file, jwk) : jwk;
}

/** Keeps a key in a file; of several processes that start at once, all get that of the first. */
function keepFirst(file: string, jwk: JWK): JWK {
  makeFolder(dirname(file));
  try {
    writeFileSync(file, JSON.stringify(jwk), { mode: 0o600, flag: 'wx' });
    return jwk;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readKey(file);
  }
}

const readKey = (file: string): JWK => JSON.parse(readFileSync(file, 'utf8')) as JWK;

const publicPart = ({ kty, n, e, kid, alg, use }: JWK): JWK => ({
  ...(kty ? { kty } : {}),
  ...(n ? { n } : {}),
  ...(e ? { e } : {}),
  ...(kid ? { kid } : {}),
  ...(alg ? { alg } : {}),
  ...(use ? { use } : {}),
});
