import type { Database } from '../db/database.ts';

/** What the queue holds, as every worker of it sees it. */
export type Outlook = {
  /** Kinds with a job that may begin. */
  due: string[];
  /** Kinds with a job whose worker is gone, or took too long. */
  lost: string[];
  /** Milliseconds until the next job may begin, or the next worker counts as gone if nothing is heard of it; infinite without. */
  nextInMs: number;
};

type Found = { name: string; isActive: boolean; isDue: boolean; seconds: number | null };

/** The conditions by which the queue hands out a job, and by which it gives one to another worker; the queue looks at one kind at a time. */
const OUTLOOK = `
  select name, false as "isActive", bool_or(start_after <= now) as "isDue",
         extract(epoch from min(start_after) filter (where start_after > now) - now)::float8 as seconds
    from jobs.job_common, jobs.job_now() as now
   where state < 'active' and not blocked group by name, now
  union all
  select name, true, min(ends) < now, extract(epoch from min(ends) filter (where ends >= now) - now)::float8
    from (select name, least(heartbeat_on + heartbeat_seconds * interval '1s', started_on + expire_seconds * interval '1s') as ends
            from jobs.job_common where state = 'active') active, jobs.job_now() as now
   group by name, now`;

export async function lookAtQueue(database: Database): Promise<Outlook> {
  const { rows } = await database.query(OUTLOOK);
  const found = rows as Found[];
  const namesOf = (isActive: boolean): string[] => found.filter((row) => row.isDue && row.isActive === isActive).map(({ name }) => name);
  const waits = found.flatMap(({ seconds }) => (seconds === null ? [] : [seconds * 1000]));
  return { due: namesOf(false), lost: namesOf(true), nextInMs: Math.min(Number.POSITIVE_INFINITY, ...waits) };
}
