import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
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
import type { IdentityConfig } from '#platform/config/config.ts';
import type { Principal } from '#platform/principal.ts';

const RETRY_SECONDS = 5;
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
    return { publicKeys, verify: (token) => verify(token, keys, { issuer: undefined, parties: [EMBEDDED_PARTY] }) };
  }
  const keys = createRemoteJWKSet(new URL(config.jwksUrl), { timeoutDuration: 5000, cooldownDuration: 10_000 });
  return { publicKeys: null, verify: (token) => verify(token, keys, { issuer: config.issuer, parties: config.authorizedParties }) };
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

async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  expected: { issuer: string | undefined; parties: readonly string[] },
): Promise<Principal> {
  const payload = await claimsOf(token, keys, expected.issuer);
  if (expected.parties.length > 0 && !expected.parties.includes(String(payload['azp'] ?? ''))) {
    throw unauthenticated('Invalid authorized party');
  }
  if (!payload.sub) throw unauthenticated('Invalid token: it names no subject');
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

async function claimsOf(token: string, keys: JWTVerifyGetKey, issuer: string | undefined): Promise<JWTPayload> {
  try {
    const verified = await jwtVerify(token, keys, {
      algorithms: ['RS256'],
      requiredClaims: ['exp'],
      clockTolerance: 5,
      ...(issuer ? { issuer } : {}),
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
  return typeof value === 'string' ? value.slice(0, 200) : null;
};

async function embeddedKey(file: string | null): Promise<JWK> {
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as JWK;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk: JWK = { ...(await exportJWK(privateKey)), kid: newId(), alg: 'RS256', use: 'sig' };
  if (file) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(jwk), { mode: 0o600 });
    chmodSync(file, 0o600);
  }
  return jwk;
}

const publicPart = ({ kty, n, e, kid, alg, use }: JWK): JWK => ({
  ...(kty ? { kty } : {}),
  ...(n ? { n } : {}),
  ...(e ? { e } : {}),
  ...(kid ? { kid } : {}),
  ...(alg ? { alg } : {}),
  ...(use ? { use } : {}),
});
