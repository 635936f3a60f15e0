import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

/** What is voted on: a project, or a page that belongs to none. */
export type Subject = { projectId: string } | { slug: string };

const keyOf = (subject: Subject): string => ('projectId' in subject ? `project:${subject.projectId}` : `slug:${subject.slug}`);

export type Ballot = {
  subject: Subject;
  voter: string;
  earlierNames: readonly string[];
  vote: -1 | 0 | 1;
  comment: string | null;
  slug: string;
};
export type Totals = { up: number; down: number };

/** Puts a principal's vote in the place of the one before, or takes it back; gives the totals with it. Votes on one subject wait for each other. */
export async function saveVote(tx: Tx, { subject, voter, earlierNames, vote, comment, slug }: Ballot): Promise<Totals> {
  const key = keyOf(subject);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`clip votes ${key}`}, 0))`.execute(tx);
  if (earlierNames.length > 0) await sql`delete from clip_votes where subject = ${key} and voter = any(${earlierNames})`.execute(tx);
  if (vote === 0) await sql`delete from clip_votes where subject = ${key} and voter = ${voter}`.execute(tx);
  else
    await sql`
      insert into clip_votes (subject, voter, vote, comment, slug) values (${key}, ${voter}, ${vote}, ${comment}, ${slug})
      on conflict (subject, voter) do update
        set vote = excluded.vote, comment = excluded.comment, slug = excluded.slug, voted_at = clock_timestamp()`.execute(tx);
  const { rows } = await sql<Totals>`
    select count(*) filter (where vote = 1)::int as up, count(*) filter (where vote = -1)::int as down
      from clip_votes where subject = ${key}`.execute(tx);
  return rows[0] ?? { up: 0, down: 0 };
}

/** True for the first vote on a project there ever was, and never again. */
export async function noteFirstVote(tx: Tx, projectId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into clip_first_votes (project_id) values (${projectId}) on conflict (project_id) do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

export type CommentRow = { vote: number; comment: string; voted_at: Date };

/** What voters wrote on a page, one more than `limit`; the latest first. */
export async function listComments(db: Db, slug: string, { limit, offset }: { limit: number; offset: number }): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`
    select vote, comment, voted_at from clip_votes where slug = ${slug} and comment is not null
     order by voted_at desc, voter limit ${limit + 1} offset ${offset}`.execute(db);
  return rows;
}

/** Votes on a page that belongs to no project. */
export async function deleteVotesOfPage(tx: Tx, slug: string): Promise<void> {
  await sql`delete from clip_votes where subject = ${keyOf({ slug })}`.execute(tx);
}

export async function deleteVotesOfProject(tx: Tx, projectId: string): Promise<void> {
  await sql`delete from clip_votes where subject = ${keyOf({ projectId })}`.execute(tx);
  await sql`delete from clip_first_votes where project_id = ${projectId}`.execute(tx);
}

/** Votes move along; where both voted, that of the new principal stands, also when it comes in at this moment. */
export async function transferVotes(tx: Tx, from: string, to: string): Promise<number> {
  const { numAffectedRows } = await sql`
    with moved as (delete from clip_votes where voter = ${from} returning subject, vote, comment, slug, voted_at)
    insert into clip_votes (subject, voter, vote, comment, slug, voted_at)
    select subject, ${to}, vote, comment, slug, voted_at from moved
    on conflict (subject, voter) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
