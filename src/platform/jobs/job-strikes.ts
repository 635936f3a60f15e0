import { existsSync, readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { INSERT_STRIKES, type LeftBehind, type StrikeRecord } from './record-strikes.ts';
import { RunFailure } from '#lib/run-failure.ts';

const LeftBehindText = z.object({ processId: z.uuid(), jobIds: z.array(z.uuid()) });

/** After so many processes went down with a job it is not tried again. */
export const STRIKES = 2;

/** Ends a job that took its process down twice; features tell its run and its owner so. */
export class SetAside extends RunFailure {
  constructor() {
    super({
      code: 'SET_ASIDE',
      message: 'The service went down twice while it worked on this, so it is not tried again.',
      retryable: false,
    });
  }
}

/** @param struckFile the file for an embedded database */
export function strikeRecord(database: Config['database'], struckFile: string): StrikeRecord | null {
  if (database.kind === 'postgres') return { kind: 'postgres', url: database.url };
  return database.kind === 'pglite' ? { kind: 'file', file: struckFile } : null;
}

/** Takes over what the process before left in the file; gives the ids of the jobs. One that cannot be read is dropped. */
export async function takeOverStrikes(database: Database, record: StrikeRecord): Promise<string[]> {
  if (record.kind !== 'file' || !existsSync(record.file)) return [];
  const left = readLeftBehind(record.file);
  if (left) await database.query(INSERT_STRIKES, [left.jobIds, left.processId]);
  rmSync(record.file);
  return left?.jobIds ?? [];
}

export async function countStrikes(database: Database, jobId: string): Promise<number> {
  const { rows } = await database.query('select count(*)::int as count from job_strikes where job_id = $1', [jobId]);
  return (rows[0] as { count: number }).count;
}

export async function forgetStrikes(database: Database, jobId: string): Promise<void> {
  await database.query('delete from job_strikes where job_id = $1', [jobId]);
}

function readLeftBehind(file: string): LeftBehind | null {
  try {
    return LeftBehindText.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
