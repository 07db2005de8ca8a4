import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { giveBackDead } from './dead-connection.ts';
import { entities } from './entities.ts';
import { Ledger } from './migrations/1-ledger.ts';
import { Identity } from './migrations/2-identity.ts';
import { Trade } from './migrations/3-trade.ts';
import { Invocation } from './migrations/4-invocation.ts';
import { Access } from './migrations/5-access.ts';
import { SignIn } from './migrations/6-sign-in.ts';
import { Feed } from './migrations/7-feed.ts';
import { Webhook } from './migrations/8-webhook.ts';
import { AgentProtocol } from './migrations/9-agent-protocol.ts';

export type Em = EntityManager;

/**
 * SQL that lets the statement it is part of commit without waiting for the disk. For a statement by itself only, and for
 * what may be lost with the power: nothing of money, and nothing that is not found again by other means.
 */
export const notWaitingForDisk = `select set_config('synchronous_commit', 'off', true)`;

/** The migrations in their order; a landed one is never changed, a new one is appended. */
const migrationsList = [
  { name: '1-ledger', class: Ledger },
  { name: '2-identity', class: Identity },
  { name: '3-trade', class: Trade },
  { name: '4-invocation', class: Invocation },
  { name: '5-access', class: Access },
  { name: '6-sign-in', class: SignIn },
  { name: '7-feed', class: Feed },
  { name: '8-webhook', class: Webhook },
  { name: '9-agent-protocol', class: AgentProtocol },
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
    driverOptions: {
      statement_timeout: 15_000,
      connectionTimeoutMillis: 5_000,
      application_name: 'marketplace',
      onPoolCreated: giveBackDead,
    },
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
  });
}
