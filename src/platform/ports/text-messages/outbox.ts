import { sql } from 'kysely';
import { stableId } from '#lib/ids.ts';
import type { Needs } from '../../context.ts';
import { sealedColumn } from '../../sealed-column.ts';
import type { TextMessages } from './port.ts';

export type OutboxMessage = { id: string; to: string; /** Null when no key opens it. */ body: string | null; createdAt: Date };

const KEPT_DAYS = 7;

/** Where a sealed text belongs: it opens nowhere else. */
const textPlace = (id: string): string => `text message ${id}`;

export const sealedOutboxColumns = [sealedColumn('text_outbox', 'body_sealed', 'id', textPlace)];

/** Keeps messages for the operator, who passes them on: for installations without a text message service. */
export const outboxMessages = ({ db, secrets }: Needs<'db' | 'secrets'>): TextMessages => ({
  send: async ({ to, body, key }) => {
    const id = stableId(`text message ${key}`);
    await sql`
      insert into text_outbox (id, recipient, body_sealed) values (${id}, ${to}, ${secrets.seal(body, textPlace(id))})
      on conflict (id) do nothing`.execute(db);
    return { id };
  },
});

/** What waits in the outbox, the latest first, opened. */
export async function listOutbox({ db, secrets }: Needs<'db' | 'secrets'>, limit: number): Promise<OutboxMessage[]> {
  const { rows } = await sql<{ id: string; recipient: string; body_sealed: string; created_at: Date }>`
    select * from text_outbox order by created_at desc, id limit ${limit}`.execute(db);
  return rows.map(({ id, recipient, body_sealed: sealed, created_at: createdAt }) => ({
    id,
    to: recipient,
    body: opened(() => secrets.open(sealed, textPlace(id))),
    createdAt,
  }));
}

function opened(open: () => string): string | null {
  try {
    return open();
  } catch {
    return null;
  }
}

export async function countOutbox(db: Needs<'db'>['db']): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from text_outbox`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Removes messages that nobody has passed on by now. */
export async function deleteOldTexts(db: Needs<'db'>['db']): Promise<number> {
  const { numAffectedRows } = await sql`delete from text_outbox where created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
