import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';

/** A run under way. Its key is that of its stream, or begins with it where several runs write to one stream. */
export type RunRow = {
  key: string;
  stream_key: string;
  kind: string;
  parent_key: string | null;
  /** What its job carries; null for a run of an earlier version. */
  payload: unknown;
  writer: number;
  /** In which version of its kind's shapes the payload, the question and the decisions stand. */
  version: number;
  warnings: string[];
  question: Question | null;
  decisions: Record<string, unknown>;
};

/** What a paused run wants to know; `name` tells it from other questions of the same run. */
export type Question = { name: string; question: unknown };

export type NewRun = { key: string; streamKey: string; kind: string; /** 1 without. */ version?: number; payload: unknown; parentKey?: string };

/** Writes the run in the transaction that asks for it, so that its stream stays open until it has ended. */
export async function beginRun(tx: Db | Tx, { key, streamKey, kind, version = 1, payload, parentKey }: NewRun): Promise<void> {
  await sql`
    insert into runs (key, stream_key, kind, version, payload, parent_key)
    values (${key}, ${streamKey}, ${kind}, ${version}, ${JSON.stringify(payload)}, ${parentKey ?? null})
    on conflict (key) do nothing`.execute(tx);
}

/** Takes the right to write from whoever had it; null when the run has ended, and its stream with it. */
export async function claimRun(db: Db | Tx, { key, streamKey, kind, version = 1, payload }: NewRun): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`
    with claimed as (update runs set writer = writer + 1 where key = ${key} returning *),
    begun as (
      insert into runs (key, stream_key, kind, version, payload, writer)
      select ${key}, s.key, ${kind}, ${version}::integer, ${JSON.stringify(payload)}::json, 1 from streams s where s.key = ${streamKey} and not s.closed and not exists (select from claimed)
      on conflict (key) do nothing returning *)
    select * from claimed union all select * from begun`.execute(db);
  return rows[0] ?? null;
}

export async function findRun(db: Db | Tx, key: string): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`select * from runs where key = ${key}`.execute(db);
  return rows[0] ?? null;
}

/** The run, held until the transaction ends. */
export async function lockRun(tx: Tx, key: string): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`select * from runs where key = ${key} for no key update`.execute(tx);
  return rows[0] ?? null;
}

/** Keeps what a run of an earlier version holds in the shapes of another one; nothing when it has a new writer. */
export async function storeLifted(db: Db | Tx, { key, writer, version, payload, question, decisions }: RunRow): Promise<void> {
  await sql`
    update runs set version = ${version}, payload = ${JSON.stringify(payload)}::json, decisions = ${JSON.stringify(decisions)}::json,
           question = ${question && JSON.stringify(question)}::json
     where key = ${key} and writer = ${writer}`.execute(db);
}

/** The writer that a run has now is sent away: its next write fails. Gives the new claim. */
export async function seizeRun(tx: Tx, key: string): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`update runs set writer = writer + 1 where key = ${key} returning *`.execute(tx);
  return rows[0] ?? null;
}

/** A run and those that were begun for it, children first. */
export async function listFamily(tx: Tx, key: string): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    with recursive family as (
      select runs.*, 0 as depth from runs where key = ${key}
      union all select child.*, family.depth + 1 from runs child join family on child.parent_key = family.key)
    select * from family order by depth desc`.execute(tx);
  return rows;
}

/** Warnings that go into the result of the run. */
export async function addWarning(db: Db | Tx, key: string, writer: number, warning: string): Promise<void> {
  await sql`
    update runs set warnings = (warnings::jsonb || to_jsonb(${warning}::text))::json where key = ${key} and writer = ${writer}`.execute(db);
}

export async function storeQuestion(tx: Tx, key: string, writer: number, question: Question): Promise<void> {
  await sql`update runs set question = ${JSON.stringify(question)}::json where key = ${key} and writer = ${writer}`.execute(tx);
}

/** Answers the question that a run waits with; gives the run, or null when it waits with none of that name. */
export async function storeDecision(tx: Tx, key: string, name: string, decision: unknown): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`
    update runs set question = null, decisions = (decisions::jsonb || jsonb_build_object(${name}::text, ${JSON.stringify(decision)}::jsonb))::json
     where key = ${key} and question ->> 'name' = ${name} returning *`.execute(tx);
  return rows[0] ?? null;
}
