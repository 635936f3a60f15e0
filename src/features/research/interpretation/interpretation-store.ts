import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import { restate } from './restate.ts';
import { storedInterpretation, type StoredInterpretation } from './stored-interpretation.ts';

const read = (stored: unknown): StoredInterpretation | null => (stored === null || stored === undefined ? null : storedInterpretation.read(stored));

/** What a job that corrects another one begins with; for the worker, which acts for every owner. */
export async function findCorrection(db: Db, jobId: string): Promise<StoredInterpretation | null> {
  const { rows } = await sql<{ interpretation: unknown }>`
    select interpretation from research_jobs where id = ${jobId} and corrects is not null`.execute(db);
  return read(rows[0]?.interpretation);
}

/** How an owner's research understood its idea; null before it did. */
export async function findInterpretation(db: Db | Tx, userId: string, jobId: string): Promise<StoredInterpretation | null> {
  const { rows } = await sql<{ interpretation: unknown }>`
    select interpretation from research_jobs where id = ${jobId} and user_id = ${userId}`.execute(db);
  return read(rows[0]?.interpretation);
}

/** Makes a research that was just queued a correction of another one. */
export async function setCorrection(tx: Tx, jobId: string, corrects: string, corrected: StoredInterpretation): Promise<void> {
  await sql`
    update research_jobs set corrects = ${corrects}, interpretation = ${storedInterpretation.write(corrected)}::json where id = ${jobId}`.execute(tx);
}

/** A clone understands its idea, which may be written otherwise, as the research that it was made from. */
export async function copyInterpretation(tx: Tx, from: string, clone: { id: string; idea: string }): Promise<void> {
  const { rows } = await sql<{ interpretation: unknown }>`select interpretation from research_jobs where id = ${from}`.execute(tx);
  const original = read(rows[0]?.interpretation);
  if (!original) return;
  const own = storedInterpretation.write({ ...original, described: restate(original.described, clone.idea) });
  await sql`update research_jobs set interpretation = ${own}::json where id = ${clone.id}`.execute(tx);
}
