import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to the database of a service, by which what is tested goes alone. */
export interface DatabaseWay {
  /** The same database, by this way. */
  readonly databaseUrl: string;
  /** Ends all connections, and lets no other come about until it is mended. */
  cut(): void;
  mend(): void;
}

/** Opens a way that is gone with `cleanup`. */
export async function openWay(databaseUrl: string, cleanup: AsyncDisposableStack): Promise<DatabaseWay> {
  const { hostname: host, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = createConnection({ host, port: Number(port) });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => void server.close());
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    databaseUrl: url.href,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => void (isCut = false),
  };
}
