import type { Needs } from '#platform/context.ts';
import type { Db } from '#platform/db/database.ts';
import { sealedColumn } from '#platform/sealed-column.ts';
import { newVapidSecret, vapidKeysOf, type VapidKeys } from '#platform/ports/push-gateway/vapid.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    push_keys: { name: string; sealed: string };
  }
}

const NAME = 'vapid';
const PLACE = `push key ${NAME}`;

export const sealedPushKeys = sealedColumn('push_keys', 'sealed', 'name', (name) => `push key ${name}`);

/**
 * The keys that sign pushes to browsers: those of the configuration, or a pair that is made once and kept encrypted, the same
 * for every process. Browsers that subscribed with other keys have to subscribe again.
 * @param configured the private key's 32 bytes
 */
export function openVapidKeys({ db, secrets }: Needs<'db' | 'secrets'>, configured: Buffer | undefined): () => Promise<VapidKeys> {
  let known: Promise<VapidKeys> | undefined;
  const read = async (): Promise<VapidKeys> => {
    const sealed = (await findSealed(db)) ?? (await keepSealed(db, secrets.seal(newVapidSecret().toString('base64url'), PLACE)));
    return vapidKeysOf(Buffer.from(secrets.open(sealed, PLACE), 'base64url'));
  };
  return () => {
    known ??= configured ? Promise.resolve(vapidKeysOf(configured)) : read();
    known.catch(() => (known = undefined));
    return known;
  };
}

async function findSealed(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('push_keys').select('sealed').where('name', '=', NAME).executeTakeFirst())?.sealed;
}

/** Gives the key that is kept: another process may have been first. */
async function keepSealed(db: Db, sealed: string): Promise<string> {
  await db
    .insertInto('push_keys')
    .values({ name: NAME, sealed })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await findSealed(db)) ?? sealed;
}
