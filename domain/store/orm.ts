import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { entities } from './entities.ts';
import { Ledger } from './migrations/1-ledger.ts';
import { Identity } from './migrations/2-identity.ts';
import { Trade } from './migrations/3-trade.ts';

export type Em = EntityManager;

/** The migrations in their order; a landed one is never changed, a new one is appended. */
const migrationsList = [
  { name: '1-ledger', class: Ledger },
  { name: '2-identity', class: Identity },
  { name: '3-trade', class: Trade },
];

/** Connects lazily. The pool is bounded; a statement that runs for 15 s is ended by the server. */
export async function openOrm(databaseUrl: string, poolSize: number): Promise<MikroORM> {
  return await MikroORM.init({
    clientUrl: databaseUrl,
    entities: [...entities],
    extensions: [Migrator],
    migrations: { migrationsList, tableName: 'migration', snapshot: false, silent: true },
    forceUtcTimezone: true,
    pool: { min: 0, max: poolSize },
    driverOptions: { statement_timeout: 15_000, connectionTimeoutMillis: 5_000, application_name: 'marketplace' },
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
  });
}
