import { describe, expect, it } from 'vitest';
import { readServer } from './server.ts';

describe('the server', () => {
  it('listens to this machine and plays every role without a setting', () => {
    const { roles, http } = readServer({});
    expect([...roles]).toEqual(['api', 'worker', 'scheduler']);
    expect(http).toEqual({ host: '127.0.0.1', port: 8080, baseUrl: 'http://127.0.0.1:8080', bodyLimit: 2_097_152, trustProxy: 0 });
  });

  it('says an address that clients can reach', () => {
    expect(readServer({ HOST: '0.0.0.0', PORT: '1' }).http.baseUrl).toBe('http://localhost:1');
    expect(readServer({ BASE_URL: 'https://g.example//' }).http.baseUrl).toBe('https://g.example');
  });

  it.each([
    [{ PORT: '70000' }, /^PORT must be a whole number from 0 to 65535/],
    [{ ROLES: 'api,cook' }, /^ROLES holds "cook"/],
    [{ BASE_URL: 'ftp://user:pw@h' }, /^BASE_URL must be an http or https URL; it is "…@h"/],
    [{ BODY_LIMIT_BYTES: '5' }, /^BODY_LIMIT_BYTES/],
  ])('is refused: %o', (env, message) => {
    expect(() => readServer(env)).toThrow(message);
  });
});
