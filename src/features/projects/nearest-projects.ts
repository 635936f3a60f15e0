import type { Db } from '#platform/db/database.ts';
import { listOwnedProjects, type ProjectRow } from './project-store.ts';
import { vectorMemory, type VectorMemory } from './vector-memory.ts';
import { listVectorsAfter } from './vector-store.ts';

export type Nearest = { row: ProjectRow; similarity: number };

const PAGE = 500;
/** What the vectors of all owners may take in one process; those of the owner longest unused go first. */
const MOST_BYTES = 96_000_000;

type Kept = { memory: VectorMemory; reading: Promise<void> };

/**
 * The owner's projects nearest to a vector, best first, by dot product over all of them. Each process keeps the vectors
 * of the owners that asked last and reads only what was written since; no database extension is needed.
 */
export async function nearestProjects(
  db: Db,
  userId: string,
  vector: ArrayLike<number>,
  options: { limit: number; except?: string },
): Promise<Nearest[]> {
  const memory = await memoryOf(db, userId, vector.length);
  for (;;) {
    const near = memory.nearest(vector, options.limit + 1).filter(({ projectId }) => projectId !== options.except);
    const wanted = near.slice(0, options.limit);
    const rows = await listOwnedProjects(
      db,
      userId,
      wanted.map(({ projectId }) => projectId),
    );
    const gone = wanted.filter(({ projectId }) => !rows.has(projectId));
    if (gone.length === 0) return wanted.flatMap(({ projectId, similarity }) => ({ row: rows.get(projectId), similarity })).filter(isThere);
    // They were deleted, or have another owner.
    for (const { projectId } of gone) memory.remove(projectId);
  }
}

const isThere = (near: { row: ProjectRow | undefined; similarity: number }): near is Nearest => near.row !== undefined;

const perDatabase = new WeakMap<Db, Map<string, Kept>>();

/** What is kept of an owner, after everything that is committed by now was read. */
async function memoryOf(db: Db, userId: string, dimensions: number): Promise<VectorMemory> {
  const owners = perDatabase.get(db) ?? new Map<string, Kept>();
  perDatabase.set(db, owners);
  const kept = owners.get(userId) ?? { memory: vectorMemory(dimensions), reading: Promise.resolve() };
  owners.delete(userId);
  owners.set(userId, kept);
  // One reads after the other, so that no page overwrites a later one.
  kept.reading = kept.reading.catch(() => {}).then(() => readOn(db, userId, kept.memory));
  await kept.reading;
  forgetLongestUnused(owners);
  return kept.memory;
}

async function readOn(db: Db, userId: string, memory: VectorMemory): Promise<void> {
  for (;;) {
    const page = await listVectorsAfter(db, userId, memory.lastNo(), PAGE);
    memory.add(page);
    if (page.length < PAGE) return;
  }
}

function forgetLongestUnused(owners: Map<string, Kept>): void {
  let bytes = [...owners.values()].reduce((sum, { memory }) => sum + memory.bytes(), 0);
  for (const [userId, { memory }] of owners) {
    if (bytes <= MOST_BYTES) return;
    bytes -= memory.bytes();
    owners.delete(userId);
  }
}
