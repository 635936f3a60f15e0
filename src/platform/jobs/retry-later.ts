import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';

/** How often one job may put itself off; from then on that counts as a failed try. */
export const MOST_DEFERRALS = 30;
/** However far away the moment is that a vendor names. */
const LONGEST_MS = 24 * 60 * 60 * 1000;
/** Longer than any wait. */
const KEPT_DAYS = 7;

/**
 * What a job throws that can go on at a later moment, such as the one of a vendor's `Retry-After`. It comes back then, at
 * the latest in a day, and has lost no try; meanwhile it holds no slot.
 */
export class RetryLater extends Error {
  override name = 'RetryLater';
  readonly at: Date;

  constructor(named: Date, options?: ErrorOptions) {
    // A vendor may name a moment that no date holds.
    const at = Number.isNaN(named.getTime()) ? new Date(Date.now() + LONGEST_MS) : named;
    super(`to be tried again at ${at.toISOString()}`, options);
    this.at = at;
  }
}

/** Milliseconds until that moment, within a day. */
export const waitUntil = (at: Date, now = Date.now()): number => Math.min(LONGEST_MS, Math.max(0, at.getTime() - now));

/** How often a job was put off. */
export async function countDeferrals(db: Db, jobId: string): Promise<number> {
  const { rows } = await sql<{ times: number }>`select times from job_deferrals where job_id = ${jobId}`.execute(db);
  return rows[0]?.times ?? 0;
}

export async function addDeferral(tx: Tx, jobId: string): Promise<void> {
  await sql`
    insert into job_deferrals as d (job_id, times) values (${jobId}, 1)
    on conflict (job_id) do update set times = d.times + 1, last_at = now()`.execute(tx);
}

/** Removes what is known of jobs that are over. */
export async function deleteOldDeferrals(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from job_deferrals where last_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
