import { z } from 'zod';
import { lru } from '#lib/lru.ts';
import { Absent, openAsker, type Ask, type AskOptions } from './ask-revenuecat.ts';
import { BillingFailure, UnknownCustomer, type Balance, type BillingProvider, type Currency, type ProviderSubscription } from './port.ts';

type Access = { baseUrl: string; apiKey: string; projectId: string };

const List = z.object({ items: z.array(z.unknown()), next_page: z.string().nullish() });

const VirtualCurrency = z.object({
  code: z.string(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  product_grants: z.array(z.object({ product_ids: z.array(z.string()), amount: z.number() })).nullish(),
});
const VirtualBalance = z.object({ currency_code: z.string(), balance: z.number(), name: z.string().nullish() });
const Subscription = z.object({
  product_id: z.string().nullish(),
  store_subscription_identifier: z.string().nullish(),
  status: z.string(),
  gives_access: z.boolean(),
  current_period_ends_at: z.number().nullish(),
  ends_at: z.number().nullish(),
  auto_renewal_status: z.string().nullish(),
});
const Product = z.object({ store_identifier: z.string() });

/** However many pages there are said to be. */
const MOST_PAGES = 100;
const PRODUCTS_KNOWN = 500;

/** RevenueCat's REST API, version 2 (https://www.revenuecat.com/docs/api-v2). */
export function revenueCat({ baseUrl, apiKey, projectId }: Access, options: AskOptions = {}): BillingProvider {
  const ask = openAsker({ baseUrl, apiKey }, options);
  const project = `/projects/${encodeURIComponent(projectId)}`;
  const storeIdOf = productNames(ask, project);
  const customer = (userId: string): string => `${project}/customers/${segment(userId)}`;
  const listBalances: BillingProvider['listBalances'] = async (userId, { includeEmpty, signal }) => {
    const query = { include_empty_balances: String(includeEmpty) };
    const items = await ofCustomer(listAll(ask, `${customer(userId)}/virtual_currencies`, query, signal));
    return items.map((item) => balanceOf(read(VirtualBalance, item))).filter(({ balance }) => includeEmpty || balance !== 0);
  };
  return {
    listCurrencies: async (signal) => {
      const items = await listAll(ask, `${project}/virtual_currencies`, {}, signal);
      return items.map((item) => currencyOf(read(VirtualCurrency, item)));
    },
    listBalances,
    adjust: async ({ id, userId, currency, amount }, signal) => {
      const body = { adjustments: { [currency]: amount } };
      const path = `${customer(userId)}/virtual_currencies/transactions`;
      const answer = await ofCustomer(ask({ method: 'POST', path, body, idempotencyKey: id, signal }));
      const balances = read(List, answer).items.map((item) => read(VirtualBalance, item));
      const changed = balances.find(({ currency_code: code }) => code === currency);
      if (changed) return changed.balance;
      // It stands on a later page.
      return (await listBalances(userId, { includeEmpty: true, signal })).find(({ code }) => code === currency)?.balance ?? 0;
    },
    listSubscriptions: async (userId, signal) => {
      const listed = await ofCustomer(listAll(ask, `${customer(userId)}/subscriptions`, {}, signal));
      const items = listed.map((item) => read(Subscription, item));
      const subscriptions: ProviderSubscription[] = [];
      for (const item of items) {
        const status = statusOf(item);
        if (status) subscriptions.push(subscriptionOf(item, status, item.product_id ? await storeIdOf(item.product_id, signal) : null));
      }
      return subscriptions;
    },
  };
}

/** One part of a path. A name made of dots alone would lead elsewhere, and nobody has it. */
function segment(userId: string): string {
  if (/^\.*$/.test(userId)) throw new UnknownCustomer();
  return encodeURIComponent(userId.toWellFormed());
}

/** All items of a list, page by page. Of the address of the next page only the query is used: it leads to no other place. */
async function listAll(ask: Ask, path: string, query: Record<string, string>, signal: AbortSignal): Promise<unknown[]> {
  const items: unknown[] = [];
  let parameters = new URLSearchParams({ limit: '100', ...query });
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = read(List, await ask({ method: 'GET', path: `${path}?${parameters}`, signal }));
    items.push(...answer.items);
    if (!answer.next_page) return items;
    const next = URL.parse(answer.next_page, 'http://page');
    if (!next) throw new BillingFailure('invalid_response');
    parameters = new URLSearchParams([...new Map([...parameters, ...next.searchParams])]);
  }
  throw new BillingFailure('invalid_response');
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, success } = schema.safeParse(value);
  if (!success) throw new BillingFailure('invalid_response');
  return data;
}

const currencyOf = ({ code, name, description, product_grants: grants }: z.output<typeof VirtualCurrency>): Currency => ({
  code,
  name: name ?? code,
  description: description ?? '',
  productGrants: (grants ?? []).flatMap(({ product_ids: ids, amount }) => ids.map((productId) => ({ productId, amount }))),
});

const balanceOf = ({ currency_code: code, name, balance }: z.output<typeof VirtualBalance>): Balance => ({ code, name: name ?? code, balance });

/** Null where it is not known yet what becomes of the purchase. */
function statusOf({ status }: z.output<typeof Subscription>): ProviderSubscription['status'] | null {
  switch (status) {
    case 'trialing':
    case 'active':
      return 'active';
    case 'in_grace_period':
    case 'in_billing_retry':
      return 'in_billing_retry';
    case 'expired':
    case 'paused':
      return status;
    default:
      return null;
  }
}

function subscriptionOf(item: z.output<typeof Subscription>, status: ProviderSubscription['status'], productId: string | null): ProviderSubscription {
  return {
    productId,
    transactionId: item.store_subscription_identifier ?? null,
    status,
    givesAccess: item.gives_access,
    endsAt: item.ends_at ?? item.current_period_ends_at ?? null,
    willRenew: item.auto_renewal_status === 'will_renew' || item.auto_renewal_status === 'has_already_renewed',
  };
}

/** What is asked of a customer is absent only where the customer is. */
async function ofCustomer<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof Absent ? new UnknownCustomer() : error;
  }
}

/** Subscriptions name products by RevenueCat's id, webhooks and the configuration by the store's: looked up once for each. */
function productNames(ask: Ask, project: string): (productId: string, signal: AbortSignal) => Promise<string> {
  const remembered = lru<{ name?: string }>(PRODUCTS_KNOWN);
  return async (productId, signal) => {
    const product = remembered(productId, () => ({}));
    try {
      product.name ??= read(Product, await ask({ method: 'GET', path: `${project}/products/${segment(productId)}`, signal })).store_identifier;
      return product.name;
    } catch (error) {
      if (error instanceof Absent) return productId;
      throw error;
    }
  };
}
