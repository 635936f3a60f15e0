/** Keeps the books on what users bought and on their credits. Undefined in the context where none is configured. */
export type BillingProvider = {
  listCurrencies(signal: AbortSignal): Promise<Currency[]>;
  /**
   * A user's balances, those at zero only when asked for.
   * @throws UnknownCustomer, BillingFailure; so do the others
   */
  listBalances(userId: string, options: { includeEmpty: boolean; signal: AbortSignal }): Promise<Balance[]>;
  /** Adds to a balance, or takes from it; gives what it is then. The same `id` changes it once and gives the first outcome again. */
  adjust(adjustment: Adjustment, signal: AbortSignal): Promise<number>;
  /** What a user is or was subscribed to. Absent where nobody can buy anything. */
  listSubscriptions?(userId: string, signal: AbortSignal): Promise<ProviderSubscription[]>;
};

export type Currency = { code: string; name: string; description: string; productGrants: { productId: string; amount: number }[] };
export type Balance = { code: string; name: string; balance: number };

/** @property amount whole and not zero; negative takes away */
export type Adjustment = { id: string; userId: string; currency: string; amount: number };

/** One subscription as the provider knows it now. */
export type ProviderSubscription = {
  /** The id at the store, of the product and of the transaction; null where there is none. */
  productId: string | null;
  transactionId: string | null;
  status: 'active' | 'expired' | 'in_billing_retry' | 'paused';
  /** Whether it entitles to what was bought. */
  givesAccess: boolean;
  /** Milliseconds since 1970; null where it does not end. */
  endsAt: number | null;
  willRenew: boolean;
};

/** The largest amount, and the largest balance, of any currency. */
export const MOST_CREDITS = 2_000_000_000;

/** The provider knows nobody of that id. */
export class UnknownCustomer extends Error {
  override name = 'UnknownCustomer';

  constructor() {
    super('The billing provider does not know this customer.');
  }
}

/** The provider did not do what it was asked. Its message holds nothing that the provider said or was sent. */
export class BillingFailure extends Error {
  override name = 'BillingFailure';
  /** In one word: the provider's own, or `timeout`, `network_error`, `invalid_response`. */
  readonly type: string;
  /** When trying again makes sense, where the provider names it. */
  readonly retryAt: Date | undefined;

  constructor(type: string, options: { retryAt?: Date | undefined; cause?: unknown } = {}) {
    super(`The billing provider failed: ${type}`, { cause: options.cause });
    this.type = type;
    this.retryAt = options.retryAt;
  }
}
