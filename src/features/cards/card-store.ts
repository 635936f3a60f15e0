import { sql, type ColumnType } from 'kysely';
import { z } from 'zod';
import { newId } from '#lib/ids.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { defineDocument } from '#platform/documents/define-document.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    cards: CardsTable;
  }
}

/** What a card holds is its type's own matter. */
export const storedBody = defineDocument('card body', z.record(z.string(), z.unknown()), { version: 1, checks: 'older' });

/** What a card offers to do next. */
export const storedActions = defineDocument('card actions', z.array(z.record(z.string(), z.unknown())), { version: 1, checks: 'older' });

type CardsTable = {
  id: string;
  user_id: string;
  project_id: string | null;
  research_job_id: string | null;
  parent_card_id: string | null;
  source_msvc: string;
  card_type: string;
  title: string;
  body: ColumnType<unknown, string>;
  status: string;
  cta_actions: ColumnType<unknown, string | undefined>;
  scope: ColumnType<'private' | 'workspace' | 'public', undefined>;
  created_at: ColumnType<Date, Date | undefined>;
};

export type NewCard = {
  cardType: string;
  title: string;
  body: Record<string, unknown>;
  status: string;
  parentCardId?: string;
  ctaActions?: readonly { label: string; action: string }[];
};

/** Writes cards in their order, each a millisecond after the one before; gives their ids. */
export async function insertCards(
  tx: Tx,
  owner: { userId: string; projectId: string | null; researchJobId: string | null; source: string },
  cards: readonly NewCard[],
): Promise<string[]> {
  const ids = cards.map(() => newId());
  if (cards.length === 0) return ids;
  const written = cards.map((card, n) => ({
    n,
    id: ids[n],
    parent_card_id: card.parentCardId ?? null,
    card_type: card.cardType,
    // JSON would carry half a surrogate pair as an escape, which the database refuses.
    title: card.title.toWellFormed(),
    // As text, so that what they hold is not looked into on the way.
    body: storedBody.write(card.body),
    status: card.status,
    cta_actions: storedActions.write([...(card.ctaActions ?? [])]),
  }));
  // Pages are cut by the instant, which the wire gives in milliseconds: no two cards of one owner share one.
  await sql`
    insert into cards (id, user_id, project_id, research_job_id, parent_card_id, source_msvc, card_type, title, body, status, cta_actions, created_at)
    select id, ${owner.userId}, ${owner.projectId}::uuid, ${owner.researchJobId}::uuid, parent_card_id, ${owner.source}, card_type, title,
           body::json, status, cta_actions::json, base.at + n * interval '1 millisecond'
      from (select greatest(date_trunc('milliseconds', clock_timestamp()), max(created_at) + interval '1 millisecond') as at
              from cards where user_id = ${owner.userId}) base,
           json_to_recordset(${JSON.stringify(written)}::json)
             as card (n int, id uuid, parent_card_id uuid, card_type text, title text, body text, status text, cta_actions text)`.execute(tx);
  return ids;
}

export async function transferCards(tx: Tx, from: string, to: string): Promise<number> {
  const result = await tx.updateTable('cards').set({ user_id: to }).where('user_id', '=', from).executeTakeFirst();
  return Number(result.numUpdatedRows);
}

export async function deleteCardsOfProject(tx: Tx, projectId: string): Promise<void> {
  await sql`delete from cards where project_id = ${projectId}`.execute(tx);
}

/** Cards follow their research into another project. */
export async function moveCardsOfResearch(tx: Tx, researchJobId: string, projectId: string): Promise<void> {
  await tx.updateTable('cards').set({ project_id: projectId }).where('research_job_id', '=', researchJobId).execute();
}

/** A card as it goes over the wire. */
export type CardRow = {
  id: string;
  project_id: string | null;
  parent_card_id: string | null;
  source_msvc: string;
  card_type: string;
  title: string;
  body: Record<string, unknown>;
  status: string;
  cta_actions: Record<string, unknown>[];
  scope: 'private' | 'workspace' | 'public';
  created_at: Date;
};

const WIRE = [
  'id',
  'project_id',
  'parent_card_id',
  'source_msvc',
  'card_type',
  'title',
  'body',
  'status',
  'cta_actions',
  'scope',
  'created_at',
] as const;

const cardOf = (row: { body: unknown; cta_actions: unknown }): CardRow => ({
  ...(row as CardRow),
  body: storedBody.read(row.body),
  cta_actions: storedActions.read(row.cta_actions),
});

/** The owner's cards, newest first. */
export async function listCards(
  db: Db,
  userId: string,
  filter: { projectId: string | undefined; olderThan: Date | undefined; limit: number },
): Promise<CardRow[]> {
  let query = db.selectFrom('cards').select(WIRE).where('user_id', '=', userId);
  if (filter.projectId) query = query.where('project_id', '=', filter.projectId);
  if (filter.olderThan) query = query.where('created_at', '<', filter.olderThan);
  const rows = await query.orderBy('created_at', 'desc').orderBy('id').limit(filter.limit).execute();
  return rows.map(cardOf);
}

/** The newest card of a type that a research has. */
export async function findLatestCard(db: Db | Tx, researchJobId: string, cardType: string): Promise<CardRow | null> {
  const row = await db
    .selectFrom('cards')
    .select(WIRE)
    .where('research_job_id', '=', researchJobId)
    .where('card_type', '=', cardType)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? cardOf(row) : null;
}
