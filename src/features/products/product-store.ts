import { sql, type ColumnType, type Selectable } from 'kysely';
import { z } from 'zod';
import { newId } from '#lib/ids.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { defineDocument } from '#platform/documents/define-document.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    product_cards: ProductCardsTable;
    behavioral_events: BehavioralEventsTable;
  }
}

/** What the card shows until the research is there. */
const FirstReading = z.object({
  title: z.string(),
  product_name: z.string().nullable(),
  summary: z.string(),
  category: z.string(),
  subcategory: z.string(),
  market_type: z.string(),
  confidence: z.number(),
  normalized_idea: z.string(),
  target_user: z.string(),
  problem_statement: z.string(),
  proposed_solution: z.string(),
});
export type FirstReading = z.output<typeof FirstReading>;

export const storedReading = defineDocument('first reading of a product', FirstReading, { version: 1 });

type ProductCardsTable = {
  id: string;
  user_id: string;
  semantic_key: string;
  idea: string;
  research_job_id: string;
  project_id: string | null;
  /** Read and written through `storedReading`. */
  interpretation: ColumnType<unknown, string>;
  created_at: ColumnType<Date, undefined>;
  updated_at: ColumnType<Date, undefined, Date>;
};

type BehavioralEventsTable = { id: string; user_id: string; event: string; card_id: string | null; metadata: ColumnType<unknown, string> };

const EVENTS_KEPT_DAYS = 90;
/** How many behavioural events a user keeps. */
const MOST_EVENTS = 1000;

export type ProductRow = Selectable<ProductCardsTable> & { interpretation: FirstReading };

const productOf = (row: Selectable<ProductCardsTable>): ProductRow => ({ ...row, interpretation: storedReading.read(row.interpretation) });

export async function findByMeaning(db: Db, userId: string, semanticKey: string): Promise<ProductRow | null> {
  const row = await db
    .selectFrom('product_cards')
    .selectAll()
    .where('user_id', '=', userId)
    .where('semantic_key', '=', semanticKey)
    .executeTakeFirst();
  return row ? productOf(row) : null;
}

export async function findOwnedProduct(db: Db, userId: string, id: string): Promise<ProductRow | null> {
  const row = await db.selectFrom('product_cards').selectAll().where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();
  return row ? productOf(row) : null;
}

/**
 * Writes the card of an idea; the one that the account already has for it, with the research `replaces`, points to the new
 * research from now on. Null when the account's card is another by now.
 */
export async function upsertProduct(
  tx: Tx,
  card: {
    userId: string;
    semanticKey: string;
    idea: string;
    researchJobId: string;
    replaces: string | null;
    projectId: string | null;
    reading: FirstReading;
  },
): Promise<ProductRow | null> {
  const row = await tx
    .insertInto('product_cards')
    .values({
      id: newId(),
      user_id: card.userId,
      semantic_key: card.semanticKey,
      idea: card.idea,
      research_job_id: card.researchJobId,
      project_id: card.projectId,
      interpretation: storedReading.write(card.reading),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'semantic_key'])
        .doUpdateSet({
          research_job_id: card.researchJobId,
          project_id: card.projectId,
          updated_at: sql<Date>`clock_timestamp()`,
        })
        .where('product_cards.research_job_id', '=', card.replaces),
    )
    .returningAll()
    .executeTakeFirst();
  return row ? productOf(row) : null;
}

export async function listProducts(db: Db, userId: string, page: { limit: number; offset: number }): Promise<ProductRow[]> {
  const rows = await db
    .selectFrom('product_cards')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map(productOf);
}

export async function linkProject(tx: Tx, id: string, projectId: string): Promise<void> {
  await tx.updateTable('product_cards').set({ project_id: projectId }).where('id', '=', id).execute();
}

/** Moves the cards of a research to the top; gives them. */
export async function touchProductsOf(db: Db, researchJobId: string): Promise<ProductRow[]> {
  const rows = await db
    .updateTable('product_cards')
    .set({ updated_at: sql<Date>`clock_timestamp()` })
    .where('research_job_id', '=', researchJobId)
    .returningAll()
    .execute();
  return rows.map(productOf);
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

/** Removes events that are too old, and of each user those beyond the newest; gives how many. */
export async function deleteOldEvents(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from behavioral_events where at < now() - make_interval(days => ${EVENTS_KEPT_DAYS}) or id in (
      select id from (select id, row_number() over (partition by user_id order by at desc) as place from behavioral_events) placed
       where place > ${MOST_EVENTS})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Gives a user's cards to another; an idea both have keeps a key of its own. */
export async function transferProducts(tx: Tx, from: string, to: string): Promise<number> {
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
