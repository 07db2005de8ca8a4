import type { Pool, PoolClient } from 'pg';

/**
 * Takes connections that died out of the pool, also while somebody has them: Kysely gives none back whose begin, commit or
 * rollback fails (kysely-org/kysely#1990), and a database that starts again would leave a pool that is full of them.
 */
export function giveBackDead(pool: Pool): void {
  const taken = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => taken.add(client));
  pool.on('release', (_error, client) => taken.delete(client));
  pool.on('connect', (client) =>
    client.once('end', () => {
      if (!taken.has(client)) return;
      client.release(true);
      // Whoever took it may give it back yet, which the pool allows once.
      client.release = () => undefined;
    }),
  );
}
