import { sql, type ColumnType, type Selectable } from 'kysely';
import { newId } from '#lib/ids.ts';
import type { Db, Tx } from '#platform/db/database.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    product_cards: ProductCardsTable;
    behavioral_events: BehavioralEventsTable;
  }
}

/** What the card shows until the research is there. */
export type FirstReading = {
  title: string;
  product_name: string | null;
  summary: string;
  category: string;
  subcategory: string;
  market_type: string;
  confidence: number;
  normalized_idea: string;
  target_user: string;
  problem_statement: string;
  proposed_solution: string;
};

type ProductCardsTable = {
  id: string;
  user_id: string;
  semantic_key: string;
  idea: string;
  research_job_id: string;
  project_id: string | null;
  interpretation: ColumnType<FirstReading, string>;
  created_at: ColumnType<Date, undefined>;
  updated_at: ColumnType<Date, undefined, Date>;
};

type BehavioralEventsTable = { id: string; user_id: string; event: string; card_id: string | null; metadata: ColumnType<unknown, string> };

export type ProductRow = Selectable<ProductCardsTable>;

export async function findByMeaning(db: Db, userId: string, semanticKey: string): Promise<ProductRow | null> {
  const row = await db
    .selectFrom('product_cards')
    .selectAll()
    .where('user_id', '=', userId)
    .where('semantic_key', '=', semanticKey)
    .executeTakeFirst();
  return row ?? null;
}

export async function findOwnedProduct(db: Db, userId: string, id: string): Promise<ProductRow | null> {
  return (await db.selectFrom('product_cards').selectAll().where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Writes the card of an idea; one that the account already has for it points to the new research from now on. */
export async function upsertProduct(
  tx: Tx,
  card: { userId: string; semanticKey: string; idea: string; researchJobId: string; projectId: string | null; reading: FirstReading },
): Promise<ProductRow> {
  return tx
    .insertInto('product_cards')
    .values({
      id: newId(),
      user_id: card.userId,
      semantic_key: card.semanticKey,
      idea: card.idea,
      research_job_id: card.researchJobId,
      project_id: card.projectId,
      interpretation: JSON.stringify(card.reading),
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'semantic_key']).doUpdateSet({
        research_job_id: card.researchJobId,
        project_id: card.projectId,
        updated_at: sql<Date>`clock_timestamp()`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function listProducts(db: Db, userId: string, page: { limit: number; offset: number }): Promise<ProductRow[]> {
  return db
    .selectFrom('product_cards')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function linkProject(tx: Tx, id: string, projectId: string): Promise<void> {
  await tx.updateTable('product_cards').set({ project_id: projectId }).where('id', '=', id).execute();
}

/** Moves the cards of a research to the top; gives them. */
export async function touchProductsOf(db: Db, researchJobId: string): Promise<ProductRow[]> {
  return db
    .updateTable('product_cards')
    .set({ updated_at: sql<Date>`clock_timestamp()` })
    .where('research_job_id', '=', researchJobId)
    .returningAll()
    .execute();
}

export async function recordEvent(
  db: Db,
  event: { userId: string; event: string; cardId: string | null; metadata: Record<string, unknown> },
): Promise<void> {
  await db
    .insertInto('behavioral_events')
    .values({ id: newId(), user_id: event.userId, event: event.event, card_id: event.cardId, metadata: JSON.stringify(event.metadata) })
    .execute();
}

/** Gives a user's cards to another; an idea both have keeps a key of its own. */
export async function reownProducts(tx: Tx, from: string, to: string): Promise<number> {
  const cards = await sql`
    update product_cards p set user_id = ${to},
      semantic_key = case when exists (select from product_cards o where o.user_id = ${to} and o.semantic_key = p.semantic_key)
        then p.semantic_key || ':' || p.id else p.semantic_key end
    where p.user_id = ${from}`.execute(tx);
  const events = await tx.updateTable('behavioral_events').set({ user_id: to }).where('user_id', '=', from).executeTakeFirst();
  return Number(cards.numAffectedRows ?? 0n) + Number(events.numUpdatedRows);
}

export async function deleteProductsOfProject(tx: Tx, projectId: string): Promise<void> {
  await tx.deleteFrom('product_cards').where('project_id', '=', projectId).execute();
}
