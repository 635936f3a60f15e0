export { deleteOldBillingEvents } from './event-store.ts';
export { billingEvent, UsageChanged } from './events.ts';
export { workEvent } from './reconcile.ts';
export { billingRoutes, usageRoutes } from './routes.ts';
export { sweepBilling } from './sweep-billing.ts';
export { transferBilling } from './transfer-billing.ts';
