import type { Em } from './orm.ts';

/** A statement that each connection parses and plans once, under its name. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
}

/** Prepares a statement with `?` for its values. The name is the statement's for ever: one text, one name. */
export function prepare(name: string, sql: string): Prepared {
  let count = 0;
  return { name, text: sql.replaceAll('?', () => `$${(count += 1)}`) };
}

/**
 * Runs a prepared statement, for what happens at every request: half the cost of `em.execute`, which formats and plans
 * anew. Large values are for here as well: `em.execute` writes them into the text of the statement, character by character.
 * Inside a SQL transaction it uses the connection of that, where values are bound too, and the plan is made anew.
 */
export async function run<Row extends object>(em: Em, statement: Prepared, values: readonly unknown[]): Promise<Row[]> {
  if (em.isInTransaction()) return await runInside(em, statement, values);
  const pool = await em.getConnection().getNativeClient();
  const { rows } = await pool.query<Row>({ ...statement, values: [...values] });
  return rows;
}

/** By Kysely, which has the connection; it takes no names. */
async function runInside<Row extends object>(em: Em, { text: sql }: Prepared, parameters: readonly unknown[]) {
  const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] } as const;
  const queryId = { queryId: sql };
  const { rows } = await em.getKysely<unknown>().executeQuery<Row>({ sql, parameters, query, queryId });
  return rows;
}
