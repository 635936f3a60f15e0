import type { Db, Tx } from '../db/database.ts';
import { storeLifted, type RunRow } from './run-store.ts';

/** What a run holds for its kind. */
type Held = Pick<RunRow, 'payload' | 'question' | 'decisions'>;

/** In which shapes a kind of run holds things today, from 1, and what lifts each version before to the next. */
export type RunVersions = { version?: number; upcasts?: Readonly<Record<number, (held: Held) => Held>> };

/**
 * The run with what it holds in today's shapes, which are stored where they were not.
 * @throws Error when a newer program wrote it, or when nothing lifts its version
 */
export async function liftRun(db: Db | Tx, row: RunRow, { version: today = 1, upcasts = {} }: RunVersions): Promise<RunRow> {
  if (row.version === today) return row;
  if (row.version > today) throw new Error(`run ${row.key}: version ${row.version} was written by a newer program; this one reads up to ${today}`);
  let held: Held = row;
  for (let old = row.version; old < today; old += 1) {
    const upcast = upcasts[old];
    if (!upcast) throw new Error(`run ${row.key}: nothing lifts version ${old}`);
    held = upcast(held);
  }
  const { payload, question, decisions } = held;
  const lifted: RunRow = { ...row, payload, question, decisions, version: today };
  await storeLifted(db, lifted);
  return lifted;
}
