import { STATUS, type StatusType, type SubscriptionStatus } from './provider-event.ts';

/** One subscription or purchase of a user, as far as events tell of it. */
export type Line = {
  productId: string | null;
  /** Of the store, where events name them. */
  transactions: readonly string[];
  status: SubscriptionStatus;
  entitled: boolean;
  /** Milliseconds since 1970; null where it does not end. */
  expiresAt: number | null;
  willRenew: boolean;
  /** When the event happened that it owes its present state to. */
  changedAt: number;
};

/** What is known of one line apart from the provider's events. */
export type Correction = Pick<Line, 'productId' | 'status' | 'entitled' | 'expiresAt' | 'willRenew'> & { transactionId: string | null };

type Happened = { id: string; at: number };

/** Something that says how a user's subscriptions are. */
export type StateEvent = Happened &
  (
    | {
        kind: 'reported';
        type: StatusType;
        productId: string | undefined;
        originalTransactionId: string | undefined;
        transactionId: string | undefined;
        expiresAt: number | null | undefined;
      }
    /** What the provider answered when it was asked. */
    | { kind: 'reconciled'; corrections: readonly Correction[] }
    /** Nothing was heard of a line long after its end. */
    | { kind: 'lapsed'; transactionId: string | null; productId: string | null; expiresAt: number }
  );

/**
 * How a user's subscriptions are after these events. Their order, and how often each was heard, does not matter: they are
 * taken in the order in which they happened, by (`at`, `id`).
 */
export function foldEvents(events: readonly StateEvent[]): Line[] {
  const unique = [...new Map(events.map((event) => [event.id, event])).values()];
  const ordered = unique.toSorted((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1));
  return ordered.reduce<Line[]>(apply, []);
}

function apply(lines: Line[], event: StateEvent): Line[] {
  switch (event.kind) {
    case 'reported':
      return replace(lines, placeOf(lines, named(event)), (line) => reported(line, event));
    case 'reconciled':
      return event.corrections.reduce(
        (current, correction) => replace(current, placeOf(current, known(correction)), (line) => corrected(line, correction, event.at)),
        lines,
      );
    case 'lapsed': {
      const over = placeOf(lines, known(event));
      return lines.map((line, place) => (place === over && isOver(line, event.expiresAt) ? lapsed(line, event.at) : line));
    }
  }
}

type Reported = Extract<StateEvent, { kind: 'reported' }>;
type Naming = { transactions: readonly string[]; productId: string | null };

const named = ({ originalTransactionId, transactionId, productId }: Reported): Naming => ({
  transactions: [originalTransactionId, transactionId].flatMap((id) => id ?? []),
  productId: productId ?? null,
});

/** Google numbers the renewals of a subscription: `GPA.1-2-3..4`. */
const known = ({ transactionId, productId }: Pick<Correction, 'transactionId' | 'productId'>): Naming => ({
  transactions: transactionId === null ? [] : [transactionId, transactionId.replace(/\.\.\d+$/, '')],
  productId,
});

/** Which line is meant: by transaction, then by product; the one touched last where neither is named. A new one, at the end, else. */
function placeOf(lines: readonly Line[], { transactions, productId }: Naming): number {
  const byTransaction = lines.findIndex((line) => line.transactions.some((id) => transactions.includes(id)));
  if (byTransaction >= 0) return byTransaction;
  if (transactions.length === 0 && productId === null) return placeOfLatest(lines);
  const byProduct = lines.findIndex((line) => line.productId === productId && (transactions.length === 0 || line.transactions.length === 0));
  return byProduct >= 0 ? byProduct : lines.length;
}

const placeOfLatest = (lines: readonly Line[]): number =>
  lines.reduce((best, line, place) => (line.changedAt >= (lines[best]?.changedAt ?? 0) ? place : best), 0);

const replace = (lines: readonly Line[], place: number, change: (line: Line | undefined) => Line): Line[] => {
  const changed = [...lines];
  changed[place] = change(lines[place]);
  return changed;
};

function reported(line: Line | undefined, event: Reported): Line {
  const status = STATUS[event.type];
  return {
    productId: event.productId ?? line?.productId ?? null,
    transactions: [...new Set([...(line?.transactions ?? []), ...named(event).transactions])],
    status,
    entitled: status === 'active' || status === 'in_billing_retry',
    expiresAt: event.expiresAt === undefined ? (line?.expiresAt ?? null) : event.expiresAt,
    willRenew: willRenew(event.type, line),
    changedAt: event.at,
  };
}

function willRenew(type: StatusType, line: Line | undefined): boolean {
  switch (type) {
    case 'CANCELLATION':
    case 'EXPIRATION':
    case 'NON_RENEWING_PURCHASE':
      return false;
    case 'BILLING_ISSUE':
    case 'SUBSCRIPTION_PAUSED':
      return line?.willRenew ?? true;
    default:
      return true;
  }
}

const corrected = (line: Line | undefined, { transactionId, ...state }: Correction, at: number): Line => ({
  ...state,
  transactions: [...new Set([...(line?.transactions ?? []), ...(transactionId === null ? [] : [transactionId])])],
  changedAt: at,
});

const isOver = ({ entitled, expiresAt }: Line, at: number): boolean => entitled && expiresAt !== null && expiresAt <= at;
const lapsed = (line: Line, at: number): Line => ({ ...line, status: 'expired', entitled: false, willRenew: false, changedAt: at });
