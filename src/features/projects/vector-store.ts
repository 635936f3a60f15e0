import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

/** The vector of a project, and its place in the order in which its owner's vectors were written. */
export type StoredVector = { projectId: string; no: number; vector: Float32Array };

/** Writes the vector of a project under the next number of whoever owns it; an empty one for a text that could not be embedded. */
export async function saveVector(db: Db | Tx, projectId: string, vector: readonly number[]): Promise<void> {
  await sql`
    with project as (select id, user_id from projects where id = ${projectId} for update),
      counted as (
        insert into project_owners (owner_id, last_no) select user_id, 1 from project
        on conflict (owner_id) do update set last_no = project_owners.last_no + 1 returning last_no)
    insert into project_vectors (project_id, owner_id, no, vector)
      select project.id, project.user_id, counted.last_no, ${toBytes(vector)} from project, counted
    on conflict (project_id) do update set owner_id = excluded.owner_id, no = excluded.no, vector = excluded.vector`.execute(db);
}

export async function findVector(db: Db, projectId: string): Promise<Float32Array | null> {
  const { rows } = await sql<{ vector: Buffer }>`select vector from project_vectors where project_id = ${projectId} and vector != ''`.execute(db);
  return rows[0] ? fromBytes(rows[0].vector) : null;
}

/** An owner's vectors that were written after the one with the given number, in their order. */
export async function listVectorsAfter(db: Db, userId: string, no: number, limit: number): Promise<StoredVector[]> {
  const { rows } = await sql<{ projectId: string; no: number; vector: Buffer }>`
    select project_id as "projectId", no, vector from project_vectors
     where owner_id = ${userId} and no > ${no} order by no limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, vector: fromBytes(row.vector) }));
}

/** Gives an owner's vectors to another, as the newest of that one. Whoever calls holds the projects' rows. */
export async function transferVectors(tx: Tx, from: string, to: string): Promise<void> {
  await sql`
    with moved as (select project_id, (row_number() over (order by no))::int as place from project_vectors where owner_id = ${from}),
      counted as (
        insert into project_owners (owner_id, last_no) select ${to}, count(*)::int from moved having count(*) > 0
        on conflict (owner_id) do update set last_no = project_owners.last_no + excluded.last_no returning last_no)
    update project_vectors v set owner_id = ${to}, no = counted.last_no - (select count(*)::int from moved) + moved.place
      from moved, counted where v.project_id = moved.project_id`.execute(tx);
}

/** 32-bit floats, the high byte first: what PostgreSQL's `float4send` gives. */
function toBytes(vector: readonly number[]): Buffer {
  const floats = Float32Array.from(vector);
  return Buffer.from(floats.buffer).swap32();
}

function fromBytes(bytes: Buffer): Float32Array {
  const own = Uint8Array.from(bytes);
  Buffer.from(own.buffer).swap32();
  return new Float32Array(own.buffer);
}
