import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CallLog } from './call-log.ts';
import { receive } from './reception.ts';
import { SecretStore } from './signature.ts';

/**
 * Entry: a seller of its own, whose capabilities the platform calls. What it does is told by the path (`behaviour.ts`);
 * it believes nothing that is not signed with a secret it was told. `PORT` 0 takes a free one.
 */
const connectionQueue = 1_024;
const known = { secrets: new SecretStore(), calls: new CallLog() };
const server = createServer((request, response) => {
  receive(request, response, known).catch(() => {
    // The caller hung up in the middle of its request, or sent what is none.
    response.destroy();
  });
});

const host = process.env['HOST'] ?? '127.0.0.1';
server.listen({ port: Number(process.env['PORT'] ?? 0), host, backlog: connectionQueue });
await once(server, 'listening');
const { family, address, port } = server.address() as AddressInfo;
const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
process.once('disconnect', stop);
console.log(JSON.stringify({ level: 'info', msg: 'seller ready', url }));
process.send?.(url);

/** Nothing is finished: whoever is being served sees the connection break. */
function stop(): void {
  server.close();
  server.closeAllConnections();
  if (process.connected) process.disconnect();
}
