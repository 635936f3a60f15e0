import { describe, expect, it } from 'vitest';
import { readBilling } from './billing.ts';
import { readMetering } from './metering.ts';

describe('billing', () => {
  it('is nobody’s, and no product gives a tier, without a setting', () => {
    expect(readBilling({}).billing).toEqual({ provider: { kind: 'none' }, webhookSecret: undefined, signingSecret: undefined, tiers: new Map() });
  });

  it('may be a provider, which its key and project name as well, or the ledger of the service', () => {
    const key = { BILLING_API_KEY: 'sk_1', BILLING_PROJECT_ID: 'p' };
    expect(readBilling(key).billing.provider).toEqual({
      kind: 'revenuecat',
      baseUrl: 'https://api.revenuecat.com/v2',
      apiKey: 'sk_1',
      projectId: 'p',
    });
    expect(readBilling({ ...key, BILLING_BASE_URL: 'http://localhost:1' }).billing.provider).toMatchObject({ baseUrl: 'http://localhost:1' });
    expect(readBilling({ BILLING_PROVIDER: 'local' }).billing.provider).toEqual({ kind: 'local' });
  });

  it('knows what products give', () => {
    const { tiers } = readBilling({ BILLING_TIERS: 'pro_monthly=pro, com.example:plus = plus' }).billing;
    expect([...tiers]).toEqual([
      ['pro_monthly', 'pro'],
      ['com.example:plus', 'plus'],
    ]);
  });

  it.each([
    [{ BILLING_PROVIDER: 'stripe' }, /^BILLING_PROVIDER must be one of/],
    [{ BILLING_PROVIDER: 'revenuecat' }, /^BILLING_PROVIDER=revenuecat needs/],
    [{ BILLING_API_KEY: 'k' }, /^BILLING_PROVIDER=revenuecat needs/],
    [{ BILLING_PROVIDER: 'local', BILLING_API_KEY: 'k' }, /is set without BILLING_PROVIDER=revenuecat/],
    [{ BILLING_BASE_URL: 'http://h' }, /is set without BILLING_PROVIDER=revenuecat/],
    [{ BILLING_API_KEY: 'k', BILLING_PROJECT_ID: 'p', BILLING_BASE_URL: 'h' }, /^BILLING_BASE_URL must be/],
    [{ BILLING_TIERS: 'pro' }, /^BILLING_TIERS takes .*it holds "pro"/],
    [{ BILLING_TIERS: 'pro=gold' }, /^BILLING_TIERS takes/],
    [{ BILLING_TIERS: '=pro' }, /^BILLING_TIERS takes/],
  ])('is refused: %o', (env, message) => {
    expect(() => readBilling(env)).toThrow(message);
  });
});

describe('metering', () => {
  it('is off without a setting, and prices may be set all the same', () => {
    expect(readMetering({})).toEqual({ metering: null });
    expect(readMetering({ METERING_PRICES: 'research=3' })).toEqual({ metering: null });
  });

  it('has a price for each kind of work', () => {
    expect(readMetering({ METERING: 'on', METERING_PRICES: 'research=3,brief=0' }).metering).toEqual({
      research: { counter: 'credits', amount: 3 },
      feature_research: { counter: 'credits', amount: 2 },
      build_graph: { counter: 'credits', amount: 1 },
      brief: { counter: 'credits', amount: 0 },
      question: { counter: 'questions', amount: 1 },
    });
  });

  it.each([
    [{ METERING: 'yes' }, /^METERING must be one of off, on/],
    [{ METERING_PRICES: 'coffee=1' }, /^METERING_PRICES takes/],
    [{ METERING_PRICES: 'toString=1' }, /^METERING_PRICES takes/],
    [{ METERING_PRICES: 'research=-1' }, /^METERING_PRICES takes/],
    [{ METERING_PRICES: 'research=9999999' }, /^METERING_PRICES takes/],
  ])('is refused: %o', (env, message) => {
    expect(() => readMetering(env)).toThrow(message);
  });
});
