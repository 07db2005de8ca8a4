import type { Em } from './orm.ts';

/** Until the end of the SQL transaction nobody else reads or makes signing keys under this lock. */
export async function lockSigningKeys(em: Em): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(7232)');
}
