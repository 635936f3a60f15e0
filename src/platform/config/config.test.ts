import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAnalytics } from './analytics.ts';
import { loadConfig } from './config.ts';
import type { Env } from './env.ts';
import { readFetch } from './fetch.ts';
import { readLimits } from './limits.ts';
import { readObservability } from './observability.ts';
import { readSecrets } from './secrets.ts';
import { readPhoneCodes, readTextMessages } from './text-messages.ts';

/** Settings that together make every group read all that it knows. */
const WAYS: Env[] = [
  {},
  {
    DATABASE_URL: 'postgres://h',
    SEARCH_PROVIDER: 'brave',
    SEARCH_API_KEY: 'k',
    METRICS_PORT: '1',
    EMBEDDINGS_BASE_URL: 'http://h',
    EMBEDDINGS_MODEL: 'm',
    BILLING_PROVIDER: 'revenuecat',
    BILLING_API_KEY: 'k',
    BILLING_PROJECT_ID: 'p',
  },
];

function namesRead(): Set<string> {
  const names = new Set<string>();
  for (const way of WAYS) {
    loadConfig(
      new Proxy(way, {
        get: (env, name) => {
          names.add(String(name));
          return env[String(name)];
        },
      }),
    );
  }
  return names;
}

describe('the configuration', () => {
  it('reads exactly the settings that .env.example shows', () => {
    const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    const shown = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
    expect([...namesRead()].toSorted()).toEqual(shown.toSorted());
  });

  it('holds what the groups read', () => {
    const config = loadConfig({ BASE_URL: 'https://g.example', FETCH_DENY: 'a.example', WORKER_CONCURRENCY: '7', LOG_LEVEL: 'warn', GIT_SHA: 'abc' });
    expect(config).toMatchObject({
      gitSha: 'abc',
      http: { baseUrl: 'https://g.example' },
      identity: { issuer: 'https://g.example' },
      fetch: { allow: [], deny: ['a.example'] },
      workerConcurrency: 7,
      logLevel: 'warn',
    });
  });
});

describe('small groups', () => {
  it('take lists between commas', () => {
    expect(readFetch({ FETCH_ALLOW: ' a , ,10.0.0.0/8' })).toEqual({ allow: ['a', '10.0.0.0/8'], deny: [] });
  });

  it('take a key of 32 bytes in either spelling', () => {
    const key = Buffer.alloc(32, 7);
    for (const SECRETS_KEY of [key.toString('hex'), key.toString('base64')])
      expect(readSecrets({ SECRETS_KEY })).toEqual({ current: key, before: [] });
    const [first, second] = [Buffer.alloc(32, 8), Buffer.alloc(32, 9)];
    const SECRETS_KEY_PREVIOUS = `${first.toString('hex')}, ${second.toString('base64')}`;
    expect(readSecrets({ SECRETS_KEY: key.toString('hex'), SECRETS_KEY_PREVIOUS })?.before).toEqual([first, second]);
    expect(() => readSecrets({ SECRETS_KEY_PREVIOUS })).toThrow('SECRETS_KEY_PREVIOUS is set without SECRETS_KEY.');
    expect(() => readSecrets({ SECRETS_KEY: key.toString('hex'), SECRETS_KEY_PREVIOUS: 'short' })).toThrow(/^SECRETS_KEY_PREVIOUS must be 32 bytes/);
    expect(readSecrets({})).toBeUndefined();
    expect(() => readSecrets({ SECRETS_KEY: 'short' })).toThrow(/^SECRETS_KEY must be 32 bytes/);
  });

  it('take a text message service as a whole, or none', () => {
    const service = { SMS_ACCOUNT_SID: 'AC1', SMS_AUTH_TOKEN: 't', SMS_FROM: '+14155550100' };
    expect(readTextMessages({})).toBeUndefined();
    expect(readTextMessages(service)).toEqual({ baseUrl: 'https://api.twilio.com', accountSid: 'AC1', authToken: 't', from: '+14155550100' });
    expect(readTextMessages({ ...service, SMS_BASE_URL: 'http://sms' })?.baseUrl).toBe('http://sms');
    expect(() => readTextMessages({ SMS_BASE_URL: 'http://sms' })).toThrow(
      'SMS_BASE_URL is set without SMS_ACCOUNT_SID and SMS_AUTH_TOKEN and SMS_FROM.',
    );
    expect(() => readTextMessages({ ...service, SMS_FROM: undefined })).toThrow('SMS_ACCOUNT_SID is set without SMS_FROM.');
    expect(() => readTextMessages({ ...service, SMS_BASE_URL: 'sms' })).toThrow(/^SMS_BASE_URL must be an http/);
  });

  it('take an analytics service by its address', () => {
    expect(readAnalytics({})).toBeUndefined();
    expect(readAnalytics({ ANALYTICS_URL: 'http://a' })).toEqual({ url: 'http://a', writeKey: undefined });
    expect(readAnalytics({ ANALYTICS_URL: 'http://a', ANALYTICS_WRITE_KEY: 'k' })).toEqual({ url: 'http://a', writeKey: 'k' });
    expect(() => readAnalytics({ ANALYTICS_WRITE_KEY: 'k' })).toThrow('ANALYTICS_WRITE_KEY is set without ANALYTICS_URL.');
    expect(() => readAnalytics({ ANALYTICS_URL: 'a' })).toThrow(/^ANALYTICS_URL must be an http/);
  });

  it.each([
    ['LIMIT_PROJECT_RESEARCH', 'maybe', readLimits],
    ['ANONYMOUS_PER_MINUTE', '0', readLimits],
    ['PHONE_CODES_PER_HOUR', '0', readPhoneCodes],
    ['LOG_LEVEL', 'loud', readObservability],
    ['METRICS_HOST', '0.0.0.0', readObservability],
  ])('refuse %s=%s', (name, value, read) => {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name}`));
  });
});
