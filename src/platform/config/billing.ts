import type { Env } from './env.ts';
import { checkUrl, ConfigError, listed, oneOf } from './read-values.ts';

const TIERS = ['free', 'explorer', 'plus', 'pro', 'early_access'] as const;
type TierName = (typeof TIERS)[number];

type ProviderConfig = { kind: 'none' } | { kind: 'local' } | { kind: 'revenuecat'; baseUrl: string; apiKey: string; projectId: string };

/** Who keeps the books on what users bought and on their credits, and what a purchase gives. */
export type BillingConfig = {
  provider: ProviderConfig;
  /** What the provider sends with its webhooks as a bearer; undefined: none is taken. */
  webhookSecret: string | undefined;
  /** Signs the bytes of webhooks, where the provider does so. */
  signingSecret: string | undefined;
  /** The tier that a product gives, by the product's id at the store. */
  tiers: ReadonlyMap<string, TierName>;
};

const REVENUECAT = 'https://api.revenuecat.com/v2';

export const readBilling = (env: Env): { billing: BillingConfig } => ({
  billing: {
    provider: readProvider(env),
    webhookSecret: env['BILLING_WEBHOOK_SECRET'],
    signingSecret: env['BILLING_SIGNING_SECRET'],
    tiers: readTiers(env),
  },
});

function readProvider(env: Env): ProviderConfig {
  const [baseUrl, apiKey, projectId] = [env['BILLING_BASE_URL'], env['BILLING_API_KEY'], env['BILLING_PROJECT_ID']];
  const kind = oneOf(env, 'BILLING_PROVIDER', ['none', 'local', 'revenuecat'], apiKey || projectId ? 'revenuecat' : 'none');
  if (kind !== 'revenuecat') {
    if (baseUrl || apiKey || projectId) {
      throw new ConfigError('BILLING_BASE_URL, BILLING_API_KEY or BILLING_PROJECT_ID is set without BILLING_PROVIDER=revenuecat.');
    }
    return { kind };
  }
  if (!apiKey || !projectId) throw new ConfigError('BILLING_PROVIDER=revenuecat needs BILLING_API_KEY and BILLING_PROJECT_ID.');
  if (baseUrl) checkUrl('BILLING_BASE_URL', baseUrl);
  return { kind, baseUrl: baseUrl ?? REVENUECAT, apiKey, projectId };
}

function readTiers(env: Env): BillingConfig['tiers'] {
  const pairs = listed(env, 'BILLING_TIERS').map((pair): [string, TierName] => {
    // A product's id at a store may hold colons and dots.
    const [product, name, ...more] = pair.split('=').map((part) => part.trim());
    const tier = TIERS.find((known) => known === name);
    if (!product || !tier || more.length > 0) {
      throw new ConfigError(`BILLING_TIERS takes product=tier between commas, with the tiers ${TIERS.join(', ')}; it holds "${pair}".`);
    }
    return [product, tier];
  });
  return new Map(pairs);
}
