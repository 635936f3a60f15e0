import { invalid, malformed } from '#lib/errors.ts';
import { newId, sha256 } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import { FetchRefused } from '#platform/ports/guarded-fetch/port.ts';
import { areBrowserKeys } from '#platform/ports/push-gateway/encrypt-push.ts';
import { sealedColumn } from '#platform/sealed-column.ts';
import type { Principal } from '#platform/principal.ts';
import { deleteDevice, saveDevice } from './device-store.ts';
import type { Registration, Removal, Subscription } from './schema.ts';

/** Where a browser's keys belong: they open for no other subscription. */
export const keysPlace = (endpoint: string): string => `push subscription ${sha256(endpoint)}`;

export const sealedSubscriptions = sealedColumn('push_devices', 'keys_sealed', 'address', keysPlace);

/**
 * Registers a phone or a browser of a user for pushes, or once more.
 * @throws AppError 400 when there is neither, 422 for a subscription that nothing can be sent to
 */
export async function registerDevice(
  { db, secrets, fetch }: Needs<'db' | 'secrets' | 'fetch'>,
  { userId }: Principal,
  { device_token: token, environment, web_push: browser }: Registration,
): Promise<void> {
  if (token === undefined && browser === undefined) throw malformed('device_token: required');
  if (browser) checkSubscription(fetch, browser);
  await db.transaction().execute(async (tx) => {
    const owned = { owner_id: userId, environment: environment === 'production' ? environment : ('sandbox' as const) };
    if (token !== undefined) await saveDevice(tx, { ...owned, id: newId(), kind: 'apns', address: token, keys_sealed: null });
    if (browser) {
      const sealed = secrets.seal(JSON.stringify(browser.keys), keysPlace(browser.endpoint));
      await saveDevice(tx, { ...owned, id: newId(), kind: 'web_push', address: browser.endpoint, keys_sealed: sealed });
    }
  });
}

/** Pushes to it end, unless it was another's anyway. @throws AppError 400 when no device is named */
export async function removeDevice({ db }: Needs<'db'>, { userId }: Principal, { device_token: token, web_push: browser }: Removal): Promise<void> {
  if (token === undefined && browser === undefined) throw malformed('device_token: required');
  if (token !== undefined) await deleteDevice(db, userId, { kind: 'apns', address: token });
  if (browser) await deleteDevice(db, userId, { kind: 'web_push', address: browser.endpoint });
}

function checkSubscription(fetch: Needs<'fetch'>['fetch'], { endpoint, keys }: Subscription): void {
  if (!areBrowserKeys(keys)) throw invalid('web_push.keys: not the keys of a subscription');
  const url = new URL(endpoint);
  if (url.protocol !== 'https:' && !isThisMachine(url)) throw invalid('web_push.endpoint: must be https');
  try {
    fetch.check(url);
  } catch (error) {
    if (error instanceof FetchRefused) throw invalid(`web_push.endpoint: ${error.message}`);
    throw error;
  }
}

/** A push service on the machine of the service, which the operator has opened to it. */
const isThisMachine = ({ hostname }: URL): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
