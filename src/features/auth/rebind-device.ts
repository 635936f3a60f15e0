import { conflict, unauthenticated } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Principal } from '#platform/principal.ts';
import { analyticsAlias } from './deliver-alias.ts';
import { insertAlias, lockDevice, markRebound } from './session-store.ts';

/** Moves everything one feature holds from one owner to another; gives the number of rows. */
export type TransferOwnership = (tx: Tx, from: string, to: string, ctx: Needs<'secrets'>) => Promise<number>;

export type Rebinding = { rebound: boolean; rows_updated: number; anon_uuid: string | null };

const UNCHANGED: Rebinding = { rebound: false, rows_updated: 0, anon_uuid: null };

/**
 * Gives a device's anonymous artifacts to the user who signed in on it, once and in one transaction.
 * @throws AppError 401 for an anonymous caller, 409 when the device belongs to another user
 */
export async function rebindDevice(
  { db, queue, secrets, clock }: Needs<'db' | 'queue' | 'secrets' | 'clock'>,
  principal: Principal,
  deviceId: string,
  ownershipTransfers: readonly TransferOwnership[],
): Promise<Rebinding> {
  if (principal.anonymous) throw unauthenticated('Rebind requires an authenticated user token; got anonymous session');
  return db.transaction().execute(async (tx) => {
    const device = await lockDevice(tx, deviceId);
    if (!device || device.reboundTo === principal.userId) return UNCHANGED;
    if (device.reboundTo) throw conflict(`device ${deviceId} already rebound to a different user`);
    const anonId = `anon:${device.anonUuid}`;
    let rows = 0;
    for (const transfer of ownershipTransfers) rows += await transfer(tx, anonId, principal.userId, { secrets });
    await markRebound(tx, deviceId, principal.userId, clock.now());
    await insertAlias(tx, anonId, principal.userId);
    await queue.send(tx, analyticsAlias, { anonId, userId: principal.userId });
    return { rebound: true, rows_updated: rows, anon_uuid: device.anonUuid };
  });
}
