import type { KyselyPlugin } from 'kysely';
import type { Document } from './define-document.ts';

/** A connection or a transaction. */
type Pluggable = { withPlugin(plugin: KyselyPlugin): unknown };

/**
 * Says which columns hold documents. Gives a connection whose results come with them read, wherever a column of such a name
 * stands in one; null stays null. What is written goes through `write` of the document.
 * @throws DocumentError of the document, when a result is read
 */
export function documentColumns(documents: Readonly<Record<string, Document<unknown>>>): <D extends Pluggable>(db: D) => D {
  const columns = Object.entries(documents);
  const read = (row: Record<string, unknown>): Record<string, unknown> => {
    for (const [column, document] of columns) {
      const stored = row[column];
      if (stored !== undefined && stored !== null) row[column] = document.read(stored);
    }
    return row;
  };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(read) }),
  };
  return (db) => db.withPlugin(plugin) as typeof db;
}
