import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { z } from 'zod';

const LOOPBACK = '127.0.0.1';
const port = z.coerce.number('must be a port').int('must be a port').min(0).max(65_535);

const portSettings = z.object({
  POSTGRES_PORT: port.default(54_329),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_PORT: port.default(8233),
});

/** Ports of the stack's parts: 0 picks a free one, null leaves the part out. */
export type StackPorts = { postgres: number; temporal: number; temporalUi: number | null };

/** Reads the optional settings of the stack's ports; throws an Error that names each wrong one. */
export function parseStackPorts(env: Readonly<Record<string, string | undefined>>): StackPorts {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = portSettings.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`Wrong settings in the environment:\n${lines.join('\n')}`);
  }
  const { POSTGRES_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT } = parsed.data;
  return { postgres: POSTGRES_PORT, temporal: TEMPORAL_PORT, temporalUi: TEMPORAL_UI_PORT };
}

/** So many different ports that nothing on this machine listens on. */
export async function freePorts(count: number): Promise<number[]> {
  // All stay open until the last is found, so that none is handed out twice.
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0, LOOPBACK)));
  const ports = servers.map(portOf);
  await Promise.all(servers.map(close));
  return ports;
}

/** The wished port if it is free, a free one for 0; else an Error that says what wants it and which setting moves it. */
export async function claimPort(
  wished: number,
  wantedFor: string,
  setting: string,
  host: string = LOOPBACK,
): Promise<number> {
  try {
    const server = await listen(wished, host);
    const found = portOf(server);
    await close(server);
    return found;
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const problem = taken ? 'is taken by another process' : `cannot be used (${String(error)})`;
    throw new Error(
      `Port ${wished} for ${wantedFor} ${problem}. Stop that process or choose another port: ` +
        `${setting}=${wished + 1} npm start (0 picks a free one).`,
      { cause: error },
    );
  }
}

async function listen(wished: number, host: string): Promise<Server> {
  const server = createServer().listen({ port: wished, host, exclusive: true });
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening TCP server has no port');
  return address.port;
}
