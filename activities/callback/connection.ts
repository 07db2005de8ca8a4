import { type buildConnector, type Dispatcher, Pool } from 'undici';

export interface ConnectionOptions {
  readonly connect: buildConnector.connector;
  /** Connections to one origin. */
  readonly maxPerOrigin: number;
  /** Origins with connections. Beyond it the one that was used longest ago is given up, and ends what it has begun. */
  readonly maxOrigins: number;
}

/** Connections that are kept between requests, and bounded in number. */
export interface Connections {
  /** Sends over a connection that is there, or opens one. Follows no redirect, and waits as long as the signal lets it. */
  request(options: Dispatcher.RequestOptions & { readonly origin: string }): Promise<Dispatcher.ResponseData>;
  /** Closes all; what is under way fails. */
  close(): Promise<void>;
}

/** Connections with nothing to do are kept this long, whatever the other side offers. */
const idleMs = 10_000;

/**
 * Opens connections by `connect`. Not an agent of undici, which never forgets an origin whose last request was aborted, and
 * takes no new one when it is full: sellers who never answer would end the calls of all others.
 */
export function openConnections({ connect, maxPerOrigin, maxOrigins }: ConnectionOptions): Connections {
  const settings: Pool.Options = {
    connect,
    allowH2: false,
    connections: maxPerOrigin,
    pipelining: 1,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // Theirs begin anew with every byte. The time of a call does not.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  /** In the order of their last use. */
  const pools = new Map<string, Pool>();
  const ending = new Set<Pool>();

  function poolOf(origin: string): Pool {
    const pool = pools.get(origin) ?? new Pool(origin, settings);
    pools.delete(origin);
    pools.set(origin, pool);
    const [oldest] = pools;
    if (pools.size > maxOrigins && oldest !== undefined) void giveUp(...oldest);
    return pool;
  }

  async function giveUp(origin: string, pool: Pool): Promise<void> {
    pools.delete(origin);
    ending.add(pool);
    await pool.close();
    ending.delete(pool);
  }

  return {
    request: (options) => poolOf(options.origin).request(options),
    async close() {
      await Promise.all([...pools.values(), ...ending].map((pool) => pool.destroy()));
    },
  };
}
