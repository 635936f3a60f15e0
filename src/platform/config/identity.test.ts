import { describe, expect, it } from 'vitest';
import { readIdentity } from './identity.ts';

const BASE = 'http://localhost:8080';

describe('identity', () => {
  it('is embedded and issues in the name of the service without a setting', () => {
    expect(readIdentity({}, BASE)).toEqual({ kind: 'embedded', issuer: BASE });
  });

  it('may be a provider', () => {
    const env = { IDENTITY_JWKS_URL: 'https://p.example/jwks', IDENTITY_AUTHORIZED_PARTIES: 'web, mobile' };
    expect(readIdentity(env, BASE)).toMatchObject({ kind: 'provider', jwksUrl: 'https://p.example/jwks', authorizedParties: ['web', 'mobile'] });
  });

  it.each([
    [{ IDENTITY_ISSUER: 'x' }, /set without IDENTITY_JWKS_URL/],
    [{ IDENTITY_JWKS_URL: 'p.example' }, /^IDENTITY_JWKS_URL must be/],
    [{ IDENTITY_JWKS_URL: 'https://p.example' }, /^IDENTITY_JWKS_URL needs/],
  ])('is refused: %o', (env, message) => {
    expect(() => readIdentity(env, BASE)).toThrow(message);
  });
});
