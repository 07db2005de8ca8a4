import { Client, Connection } from '@temporalio/client';
import { parseSettings } from '../domain/settings.ts';
import { openOrm } from '../domain/store/orm.ts';
import { taskQueues, temporalConnectionOptions } from '../temporal.config.ts';
import { buildApi } from './app.ts';
import { ensureAdmin } from './auth/bootstrap-admin.ts';
import { openEndedSessions } from './auth/ended-session.ts';
import { openSecrets } from './auth/secrets.ts';
import { startMaintenance } from './maintenance.ts';
import { openEventFeed } from './stream/event-feed.ts';
import { OpenStreams } from './stream/open-stream.ts';
import { temporalWorkflows } from './transaction/temporal-workflows.ts';

/** Entry: settings → orm → temporal → listen until told to stop. */
const settings = parseSettings(process.env);
if (settings.databaseUrl === null) throw new Error('DATABASE_URL is not set. `npm start` sets it.');
const now = () => new Date();
const orm = await openOrm(settings.databaseUrl, settings.databasePoolSize);
const connection = await Connection.connect(await temporalConnectionOptions(settings));
const client = new Client({ connection, namespace: settings.temporalNamespace });
await ensureAdmin(orm.em.fork(), settings, now);
const eventFeed = openEventFeed(settings.databaseUrl);
const endedSessions = openEndedSessions(() => orm.em.fork(), settings.databaseUrl);
const deps = {
  orm,
  workflows: temporalWorkflows({ client, taskQueue: taskQueues.transaction }),
  eventFeed,
  streams: new OpenStreams(settings, eventFeed.closed),
  secrets: await openSecrets(orm.em.fork(), settings),
  endedSessions,
  settings,
  now,
};
const app = await buildApi(deps);
const stopMaintenance = startMaintenance(deps, app.log);
await app.listen({ host: settings.host, port: settings.port });

/** Open requests get this long; a connection that never sends one would keep the server for ever. */
const closeWithinMs = 5_000;
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void stop();
  });
}

async function stop(): Promise<void> {
  stopMaintenance();
  // Streams never end by themselves: the feed closes first, then open requests get their time.
  await eventFeed.close();
  const tooLate = setTimeout(() => app.server.closeAllConnections(), closeWithinMs);
  await app.close();
  clearTimeout(tooLate);
  await endedSessions.close();
  await connection.close();
  await orm.close(true);
}
