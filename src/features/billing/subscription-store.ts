import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Line } from './fold-events.ts';

type StoredLine = Omit<Line, 'transactions'>;
type LineRow = {
  product_id: string | null;
  status: Line['status'];
  entitled: boolean;
  expires_at: Date | null;
  will_renew: boolean;
  changed_at: Date;
};

export async function listLines(db: Db | Tx, userId: string): Promise<StoredLine[]> {
  const { rows } = await sql<LineRow>`
    select product_id, status, entitled, expires_at, will_renew, changed_at
      from billing_subscriptions where user_id = ${userId} order by line`.execute(db);
  return rows.map((row) => ({
    productId: row.product_id,
    status: row.status,
    entitled: row.entitled,
    expiresAt: row.expires_at?.getTime() ?? null,
    willRenew: row.will_renew,
    changedAt: row.changed_at.getTime(),
  }));
}

/** Writes a user's lines in place of those that are there; whether they say anything else than before. */
export async function replaceLines(tx: Tx, userId: string, lines: readonly Line[]): Promise<boolean> {
  const stored = lines.map(({ transactions: _known, ...line }): StoredLine => line);
  const before = await listLines(tx, userId);
  await sql`delete from billing_subscriptions where user_id = ${userId}`.execute(tx);
  for (const [place, line] of stored.entries()) {
    const { productId, status, entitled, expiresAt, willRenew, changedAt } = line;
    await sql`
      insert into billing_subscriptions (user_id, line, product_id, status, entitled, expires_at, will_renew, changed_at)
      values (${userId}, ${place}, ${productId}, ${status}, ${entitled}, ${expiresAt === null ? null : new Date(expiresAt)}, ${willRenew},
              ${new Date(changedAt)})`.execute(tx);
  }
  return said(before) !== said(stored);
}

/** When a line was last spoken of is nothing that it says. */
const said = (lines: readonly StoredLine[]): string => JSON.stringify(lines.map(({ changedAt: _at, ...line }) => line));

/** Users with a line that entitles although it ended before a moment. */
export async function listOverdue(db: Db, before: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from billing_subscriptions where entitled and expires_at < ${before} limit ${most}`.execute(db);
  return rows.map((row) => row.user_id);
}
