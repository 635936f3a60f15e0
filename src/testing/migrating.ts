import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

const FOLDER = join(import.meta.dirname, '../../migrations');
const run = (tx: Tx, name: string) => sql.raw(readFileSync(join(FOLDER, name), 'utf8')).execute(tx);

/**
 * Runs the migrations before one, writes the rows of that time, runs the one, and looks at what it made of them; in a schema
 * of its own, of which nothing stays.
 */
export async function migrating(db: Db, name: string, steps: { before(tx: Tx): Promise<void>; after(tx: Tx): Promise<void> }): Promise<void> {
  const undone = new Error('undo');
  const work = db.transaction().execute(async (tx) => {
    await sql`create schema earlier`.execute(tx);
    await sql`set local search_path to earlier`.execute(tx);
    for (const earlier of readdirSync(FOLDER).sort()) if (earlier.endsWith('.sql') && earlier < name) await run(tx, earlier);
    await steps.before(tx);
    await run(tx, name);
    await steps.after(tx);
    throw undone;
  });
  await work.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}
