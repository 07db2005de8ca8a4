import { openOrm } from './orm.ts';

/** Brings the schema up to date; safe to call from several processes at once. Answers the names it applied. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const orm = await openOrm(databaseUrl, 3);
  try {
    return await orm.em.getConnection().transactional(async (trx) => {
      await orm.em.getConnection().execute('select pg_advisory_xact_lock(7230)', [], 'run', trx);
      const applied = await orm.migrator.up({ transaction: trx });
      return applied.map((migration) => migration.name);
    });
  } finally {
    await orm.close(true);
  }
}
