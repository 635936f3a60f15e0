import { deleteOldSessions } from '#features/auth';
import { deleteOldRoasts } from '#features/clips';
import { deleteOldBillingEvents } from '#features/billing';
import { deleteOldEvents as deleteOldBehaviour } from '#features/products';
import { deleteOldPhoneCodes } from '#features/profile';
import { deleteExpired } from '#features/research';
import { deleteOldCharges } from '#features/usage';
import { deleteOldNotifications } from '#features/notifications';
import { deleteOldDeliveries, deleteOldDevices } from '#features/push';
import { deleteOldDevices as deleteOldToastDevices, deleteOldToasts, deleteOldToastSessions } from '#features/toasts';
import type { AppContext } from '#platform/context.ts';
import { deleteOldEvents } from '#platform/domain-events/domain-event-store.ts';
import { deleteOldWindows } from '#platform/http/limits.ts';
import { deleteOldKeys } from '#platform/idempotency/idempotency.ts';
import { deleteOldDeferrals } from '#platform/jobs/retry-later.ts';
import { deleteOldModelCalls } from '#platform/llm/model-calls.ts';
import { deleteOldTexts } from '#platform/ports/text-messages/outbox.ts';
import { deleteOldSends } from '#platform/ports/text-messages/send-store.ts';
import { deleteOldMessages } from '#platform/realtime/message-store.ts';
import { deleteExpiredPresence } from '#platform/realtime/presence.ts';

/** What is removed when it has become old; gives how much it was. */
type Retained = { what: string; remove(ctx: AppContext): Promise<number> };

const DAY_MS = 24 * 60 * 60 * 1000;
const EVENT_DAYS = 90;
const MODEL_CALL_DAYS = 400;
const BILLING_DAYS = 400;
const TOAST_DAYS = 30;
const TOAST_DEVICE_DAYS = 400;

/** How long each kind of row is kept that nobody deletes. */
export const retention: readonly Retained[] = [
  { what: 'sessions', remove: ({ db, clock }) => deleteOldSessions(db, new Date(clock.now().getTime() - DAY_MS)) },
  { what: 'phone codes', remove: ({ db, clock }) => deleteOldPhoneCodes(db, new Date(clock.now().getTime() - DAY_MS)) },
  { what: 'idempotency keys', remove: ({ db }) => deleteOldKeys(db) },
  { what: 'job deferrals', remove: ({ db }) => deleteOldDeferrals(db) },
  { what: 'rate windows', remove: ({ db }) => deleteOldWindows(db) },
  { what: 'presence of nodes that are gone', remove: ({ db }) => deleteExpiredPresence(db) },
  { what: 'messages that no node took', remove: ({ db }) => deleteOldMessages(db) },
  { what: 'text messages in the outbox', remove: ({ db }) => deleteOldTexts(db) },
  { what: 'text messages that were handed over', remove: ({ db }) => deleteOldSends(db) },
  { what: 'tokens of sockets', remove: ({ db, clock }) => deleteOldToastSessions(db, clock.now()) },
  { what: 'toasts', remove: ({ db, clock }) => deleteOldToasts(db, new Date(clock.now().getTime() - TOAST_DAYS * DAY_MS)) },
  {
    what: 'devices of toasts that did not register again',
    remove: ({ db, clock }) => deleteOldToastDevices(db, new Date(clock.now().getTime() - TOAST_DEVICE_DAYS * DAY_MS)),
  },
  { what: 'notifications', remove: ({ db }) => deleteOldNotifications(db) },
  { what: 'deliveries of pushes', remove: ({ db }) => deleteOldDeliveries(db) },
  { what: 'devices that did not register again', remove: ({ db }) => deleteOldDevices(db) },
  { what: 'queued requests', remove: ({ db }) => deleteExpired(db) },
  { what: 'roasts', remove: (ctx) => deleteOldRoasts(ctx) },
  { what: 'behavioural events', remove: ({ db }) => deleteOldBehaviour(db) },
  { what: 'domain events', remove: ({ db }) => deleteOldEvents(db, EVENT_DAYS) },
  { what: 'billing events that say nothing of a subscription', remove: ({ db }) => deleteOldBillingEvents(db, BILLING_DAYS) },
  { what: 'usage charges', remove: ({ db }) => deleteOldCharges(db, BILLING_DAYS) },
  // A year of usage and the month in which it is looked at.
  { what: 'model calls', remove: ({ db }) => deleteOldModelCalls(db, MODEL_CALL_DAYS) },
];
