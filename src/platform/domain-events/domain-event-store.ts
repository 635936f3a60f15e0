import { sql } from 'kysely';
import type { Actor } from '../actor.ts';
import type { Db, Tx } from '../db/database.ts';
import { documentColumns } from '../documents/document-columns.ts';
import { storedActor } from './stored-actor.ts';

/** Something that happened, as it is stored. */
export type HappenedEvent = {
  id: string;
  name: string;
  version: number;
  payload: unknown;
  actor: Actor;
  userId: string | null;
  projectId: string | null;
  occurredAt: Date;
};

/** A reaction that failed for the last time. */
export type GivenUp = { eventId: string; event: string; reaction: string; error: string | null; endedAt: Date };

/** The payload is read by `read` of its event, in the version that stands beside it. */
const withDocuments = documentColumns({ actor: storedActor });
const COLUMNS = sql.raw('id, name, version, payload, actor, owner_id as "userId", project_id as "projectId", occurred_at as "occurredAt"');

export async function insertEvent(tx: Db | Tx, event: Omit<HappenedEvent, 'occurredAt'>): Promise<void> {
  await sql`
    insert into domain_events (id, name, version, payload, actor, owner_id, project_id)
    values (${event.id}, ${event.name}, ${event.version}, ${JSON.stringify(event.payload)}, ${storedActor.write(event.actor)}, ${event.userId},
            ${event.projectId})`.execute(tx);
}

/** The event that a reaction follows; null when the reaction has run to success, or the event is gone. */
export async function findUnsettled(db: Db | Tx, id: string, reaction: string): Promise<HappenedEvent | null> {
  const { rows } = await sql<HappenedEvent>`
    select ${COLUMNS} from domain_events
     where id = ${id} and not exists
       (select from reaction_outcomes where event_id = ${id} and reaction = ${reaction} and outcome = 'done')`.execute(withDocuments(db));
  return rows[0] ?? null;
}

/** What happened in a project of that owner, newest first. */
export async function listOfProject(
  db: Db,
  { userId, projectId }: { userId: string; projectId: string },
  page: { limit: number; /** Id of the last event of the page before. */ after?: string },
): Promise<HappenedEvent[]> {
  const after = page.after ? sql`and sequence < (select sequence from domain_events where id = ${page.after} and owner_id = ${userId})` : sql``;
  const { rows } = await sql<HappenedEvent>`
    select ${COLUMNS} from domain_events
     where project_id = ${projectId} and owner_id = ${userId} ${after}
     order by sequence desc limit ${page.limit}`.execute(withDocuments(db));
  return rows;
}

/** Writes how a reaction ended; false when it was done before, or its event is gone. */
export async function settleReaction(tx: Db | Tx, eventId: string, reaction: string, outcome: 'done' | 'gave_up', error?: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into reaction_outcomes (event_id, reaction, outcome, error)
    select id, ${reaction}, ${outcome}, ${error ?? null} from domain_events where id = ${eventId} for key share
    on conflict (event_id, reaction) do update
      set outcome = excluded.outcome, error = excluded.error, ended_at = excluded.ended_at
      where reaction_outcomes.outcome <> 'done'`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Reactions that gave up, the latest first. */
export async function listGivenUp(db: Db, limit: number): Promise<GivenUp[]> {
  const { rows } = await sql<GivenUp>`
    select o.event_id as "eventId", e.name as event, o.reaction, o.error, o.ended_at as "endedAt"
      from reaction_outcomes o join domain_events e on e.id = o.event_id
     where o.outcome = 'gave_up' order by o.ended_at desc limit ${limit}`.execute(db);
  return rows;
}

export async function countGivenUp(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from reaction_outcomes where outcome = 'gave_up'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Takes the outcome of a reaction that gave up back, so that it may run again; false when it had not given up. */
export async function takeBackGivenUp(tx: Tx, eventId: string, reaction: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from reaction_outcomes where event_id = ${eventId} and reaction = ${reaction} and outcome = 'gave_up'`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** The same for up to `limit` of those reactions, oldest first; gives which. */
export async function takeBackAllGivenUp(tx: Tx, reactions: readonly string[], limit: number): Promise<Pick<GivenUp, 'eventId' | 'reaction'>[]> {
  const { rows } = await sql<Pick<GivenUp, 'eventId' | 'reaction'>>`
    with taken as (
      select event_id, reaction from reaction_outcomes where outcome = 'gave_up' and reaction = any(${reactions}::text[])
       order by ended_at limit ${limit} for update)
    delete from reaction_outcomes o using taken t where o.event_id = t.event_id and o.reaction = t.reaction
    returning o.event_id as "eventId", o.reaction`.execute(tx);
  return rows;
}

/** Removes events that are older than so many days, with their outcomes. */
export async function deleteOldEvents(db: Db, days: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from domain_events where occurred_at < now() - make_interval(days => ${days})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** What happened to one user's rows is told of another from now on. */
export async function transferEvents(tx: Tx, from: string, to: string): Promise<void> {
  await sql`update domain_events set owner_id = ${to} where owner_id = ${from}`.execute(tx);
}

export async function deleteEventsOfProject(tx: Db | Tx, projectId: string): Promise<void> {
  await sql`delete from domain_events where project_id = ${projectId}`.execute(tx);
}
