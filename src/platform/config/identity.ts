import type { Env } from './env.ts';
import { checkUrl, ConfigError, listed } from './read-values.ts';

export type IdentityConfig =
  | { kind: 'embedded'; issuer: string }
  | { kind: 'provider'; jwksUrl: string; issuer: string | undefined; audience: string | undefined; authorizedParties: readonly string[] };

/** Whose tokens are taken. @param baseUrl the service's own address: the issuer where it signs in by itself */
export function readIdentity(env: Env, baseUrl: string): IdentityConfig {
  const jwksUrl = env['IDENTITY_JWKS_URL'];
  const issuer = env['IDENTITY_ISSUER'];
  const audience = env['IDENTITY_AUDIENCE'];
  const authorizedParties = listed(env, 'IDENTITY_AUTHORIZED_PARTIES');
  if (!jwksUrl) {
    if (issuer || audience || authorizedParties.length > 0) {
      throw new ConfigError('IDENTITY_ISSUER, IDENTITY_AUDIENCE or IDENTITY_AUTHORIZED_PARTIES is set without IDENTITY_JWKS_URL.');
    }
    return { kind: 'embedded', issuer: baseUrl };
  }
  checkUrl('IDENTITY_JWKS_URL', jwksUrl);
  if (!issuer && authorizedParties.length === 0) {
    throw new ConfigError('IDENTITY_JWKS_URL needs IDENTITY_ISSUER or IDENTITY_AUTHORIZED_PARTIES: its keys sign tokens for other services too.');
  }
  return { kind: 'provider', jwksUrl, issuer, audience, authorizedParties };
}
