import type { Needs } from '#platform/context.ts';
import { saveDevice } from './device-store.ts';
import type { Device } from './schema.ts';

/** Writes down a device of a user, and whether toasts that reach no socket become pushes on it. */
export async function registerDevice({ db, clock }: Needs<'db' | 'clock'>, userId: string, device: Device) {
  const { device_token: token = null, environment = 'sandbox', fallback_enabled: isFallback = false } = device.apns ?? {};
  await db.transaction().execute((tx) =>
    saveDevice(tx, {
      user_id: userId,
      device_id: device.device_id,
      bundle_id: device.bundle_id ?? null,
      apns_device_token: token,
      apns_environment: environment,
      apns_fallback_enabled: isFallback,
      updated_at: clock.now(),
    }),
  );
  return { registered: true as const, device_id: device.device_id, apns_fallback_enabled: isFallback };
}
