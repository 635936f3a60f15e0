import { sql } from 'kysely';
import { invalid } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import type { SealedColumn, SealedValue } from '#platform/sealed-column.ts';

type Counted = { column: string; resealed: number; unreadable: number };

/** What one step of a rotation did; `next` is where the following one begins, null when all is done. */
export type RotationStep = { newKey: boolean; columns: Counted[]; next: string | null };

type Place = { column: number; after: string };

/** Values that one step looks at, and those that it reads at a time. */
const STEP = 500;
const BATCH = 100;

/**
 * Seals values under the first key, a step at a time, beside whatever else goes on; a rotation that was cut off goes on
 * with what is left. One that begins makes a new key before, where keys are in a file.
 * @param cursor `next` of the step before, null to begin
 * @throws AppError 422 for a cursor that none gave
 */
export async function rotateSecrets(
  ctx: Needs<'db' | 'secrets' | 'log'>,
  columns: readonly SealedColumn[],
  cursor: string | null,
): Promise<RotationStep> {
  const place = cursor === null ? START : placeOf(columns, cursor);
  const newKey = cursor === null && (await begin(ctx, columns));
  return { newKey, ...(await resealFrom(ctx, columns, place)) };
}

const START: Place = { column: 0, after: '' };

function placeOf(columns: readonly SealedColumn[], cursor: string): Place {
  const [name = '', after] = cursor.split(/ (.*)/s);
  const column = columns.findIndex((each) => each.name === name);
  if (column < 0 || after === undefined) throw invalid('cursor: unknown');
  return { column, after };
}

/**
 * Makes a key where they are in a file and no rotation is under way; one process at a time, and only in the place of the key
 * that was first before it was looked whether one is under way.
 */
async function begin({ db, secrets }: Needs<'db' | 'secrets'>, columns: readonly SealedColumn[]): Promise<boolean> {
  const { renew } = secrets;
  const { first, earlier, prefix } = secrets.keys();
  if (!renew || (earlier > 0 && (await isLeft({ db, secrets }, columns, prefix)))) return false;
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('rotation of secrets', 0))`.execute(tx);
    return renew(first);
  });
}

/** Whether an earlier rotation left something that its key does not seal yet. */
async function isLeft({ db, secrets }: Needs<'db' | 'secrets'>, columns: readonly SealedColumn[], prefix: string): Promise<boolean> {
  for (const column of columns) {
    for (let after = ''; ;) {
      const values = await column.list(db, { after, without: prefix, limit: BATCH });
      if (values.some((value) => resealed(secrets, value) !== null)) return true;
      const last = values.at(-1);
      if (!last) break;
      after = last.id;
    }
  }
  return false;
}

async function resealFrom(
  { db, secrets, log }: Needs<'db' | 'secrets' | 'log'>,
  columns: readonly SealedColumn[],
  start: Place,
): Promise<Omit<RotationStep, 'newKey'>> {
  const counted: Counted[] = [];
  const { prefix } = secrets.keys();
  let seen = 0;
  let { after } = start;
  for (const column of columns.slice(start.column)) {
    const count = { column: column.name, resealed: 0, unreadable: 0 };
    counted.push(count);
    for (;;) {
      if (seen >= STEP) return { columns: counted, next: `${column.name} ${after}` };
      const values = await column.list(db, { after, without: prefix, limit: BATCH });
      for (const value of values) {
        const by = resealed(secrets, value);
        if (by === null) log.warn({ column: column.name, id: value.id }, 'no key opens a sealed value');
        if (by === null) count.unreadable += 1;
        else if (await column.replace(db, value, by)) count.resealed += 1;
      }
      seen += values.length;
      const last = values.at(-1);
      if (!last) break;
      after = last.id;
    }
    after = '';
  }
  return { columns: counted, next: null };
}

/** The value under the first key; null when no key opens it. */
function resealed({ reseal }: Needs<'secrets'>['secrets'], { sealed, place }: SealedValue): string | null {
  try {
    return reseal(sealed, place) ?? sealed;
  } catch {
    return null;
  }
}
