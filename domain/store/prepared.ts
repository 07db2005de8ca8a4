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
 * Runs a prepared statement by itself, for what happens at every request: half the cost of `em.execute`, which formats
 * and plans anew. Never inside a SQL transaction, whose connection it would not use.
 */
export async function run<Row extends object>(em: Em, statement: Prepared, values: readonly unknown[]): Promise<Row[]> {
  if (em.isInTransaction()) throw new Error(`${statement.name} runs outside of SQL transactions only`);
  const pool = await em.getConnection().getNativeClient();
  const { rows } = await pool.query<Row>({ ...statement, values: [...values] });
  return rows;
}
