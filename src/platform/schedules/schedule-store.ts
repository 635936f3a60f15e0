import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';

export type ScheduleRow = {
  id: string;
  kind: string;
  key: string;
  owner_id: string | null;
  /** As it is stored; `storedTiming` reads it. */
  timing: unknown;
  /** As it is stored; `stored` of its schedule reads it. */
  payload: unknown;
  next_run_at: Date | null;
  running_at: Date | null;
  last_run_at: Date | null;
  last_error: string | null;
};

type NewSchedule = Pick<ScheduleRow, 'id' | 'kind' | 'key' | 'owner_id' | 'next_run_at'> & { /** JSON texts. */ timing: string; payload: string };

/** Creates the schedule of a kind and key, or gives the one that is there another timing and payload; the same timing keeps the next run. */
export async function putSchedule(tx: Db | Tx, row: NewSchedule): Promise<void> {
  await sql`
    insert into schedules (id, kind, key, owner_id, timing, payload, next_run_at)
    values (${row.id}, ${row.kind}, ${row.key}, ${row.owner_id}, ${row.timing}, ${row.payload}, ${row.next_run_at})
    on conflict (kind, key) do update
      set owner_id = excluded.owner_id, timing = excluded.timing, payload = excluded.payload,
          next_run_at = case when schedules.timing::text = excluded.timing::text then schedules.next_run_at else excluded.next_run_at end`.execute(
    tx,
  );
}

export async function findSchedule(db: Db | Tx, kind: string, key: string): Promise<ScheduleRow | null> {
  const { rows } = await sql<ScheduleRow>`select * from schedules where kind = ${kind} and key = ${key}`.execute(db);
  return rows[0] ?? null;
}

/** The schedule whose run of that moment is under way; null when it was removed meanwhile. */
export async function findRunning(db: Db | Tx, id: string, at: Date): Promise<ScheduleRow | null> {
  const { rows } = await sql<ScheduleRow>`select * from schedules where id = ${id} and running_at = ${at}`.execute(db);
  return rows[0] ?? null;
}

export async function deleteSchedule(tx: Db | Tx, kind: string, key: string): Promise<void> {
  await sql`delete from schedules where kind = ${kind} and key = ${key}`.execute(tx);
}

/** Schedules whose time has come and whose earlier run is over, locked; those that another node holds are left to it. */
export async function lockDue(tx: Tx, now: Date, limit: number): Promise<ScheduleRow[]> {
  const { rows } = await sql<ScheduleRow>`
    select * from schedules where next_run_at <= ${now} and running_at is null
     order by next_run_at limit ${limit} for update skip locked`.execute(tx);
  return rows;
}

/** Writes what a tick decided: the run that begins, if one does, and the next one. */
export async function advanceSchedules(tx: Tx, steps: readonly { id: string; runningAt: Date | null; nextRunAt: Date | null }[]): Promise<void> {
  const list = JSON.stringify(steps.map(({ id, runningAt, nextRunAt }) => ({ id, running_at: runningAt, next_run_at: nextRunAt })));
  await sql`
    update schedules s set running_at = step.running_at, next_run_at = step.next_run_at
      from json_to_recordset(${list}::json) as step (id uuid, running_at timestamptz, next_run_at timestamptz)
     where s.id = step.id`.execute(tx);
}

/** Ends the run of that moment. */
export async function endRun(db: Db | Tx, id: string, at: Date, error: string | null): Promise<void> {
  await sql`
    update schedules set running_at = null, last_run_at = ${at}, last_error = ${error} where id = ${id} and running_at = ${at}`.execute(db);
}

/** When the next schedule comes that may begin; null when there is none. */
export async function nextDue(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ next: Date | null }>`select min(next_run_at) as next from schedules where running_at is null`.execute(db);
  return rows[0]?.next ?? null;
}

export async function transferSchedules(tx: Tx, from: string, to: string): Promise<void> {
  await sql`update schedules set owner_id = ${to} where owner_id = ${from}`.execute(tx);
}
