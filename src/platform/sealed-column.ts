import { sql } from 'kysely';
import type { Db } from './db/database.ts';

/** A value of a sealed column, and where it belongs. */
export type SealedValue = { id: string; sealed: string; place: string };

/** A column of sealed values. `app/sealed.ts` lists them all. */
export type SealedColumn = {
  /** `table.column`. */
  name: string;
  /** The next values, by id, that do not begin with a prefix. */
  list(db: Db, page: { after: string; without: string; limit: number }): Promise<SealedValue[]>;
  /** Puts another in the place of a value; false when it has changed meanwhile. */
  replace(db: Db, value: SealedValue, by: string): Promise<boolean>;
};

/** @param id the column that names a row @param placeOf where the value of a row belongs, as it was sealed */
export function sealedColumn(table: string, column: string, id: string, placeOf: (id: string) => string): SealedColumn {
  const [at, named, value] = [sql.table(table), sql`${sql.ref(id)}::text collate "C"`, sql.ref(column)];
  return {
    name: `${table}.${column}`,
    list: async (db, { after, without, limit }) => {
      const { rows } = await sql<{ id: string; sealed: string }>`
        select ${sql.ref(id)}::text as id, ${value} as sealed from ${at}
         where ${value} is not null and not starts_with(${value}, ${without}) and ${named} > ${after}
         order by ${named} limit ${limit}`.execute(db);
      return rows.map((row) => ({ ...row, place: placeOf(row.id) }));
    },
    replace: async (db, row, by) => {
      const { numAffectedRows } = await sql`
        update ${at} set ${value} = ${by} where ${sql.ref(id)} = ${row.id} and ${value} = ${row.sealed}`.execute(db);
      return numAffectedRows === 1n;
    },
  };
}
