import { Client, Connection } from '@temporalio/client';
import { parseSettings, type Settings } from '../../domain/settings.ts';
import { openOrm } from '../../domain/store/orm.ts';
import { temporalConnectionOptions } from '../../temporal.config.ts';
import { runningStackSettings } from '../stack/running-stack.ts';
import { runCommand, usage } from './commands.ts';

/** `npm run support -- COMMAND …`: for the staff that mends stuck transactions, against a running stack. */
const settings: Settings = parseSettings({
  ...(await runningStackSettings(process.env['DATA_DIR'] ?? '.data')),
  ...process.env,
});
const [name, ...args] = process.argv.slice(2);
if (name === undefined || settings.databaseUrl === null) {
  console.error(
    settings.databaseUrl === null ? 'Set DATABASE_URL and TEMPORAL_ADDRESS, or run npm start first.' : usage,
  );
  process.exit(2);
}
// Whoever may start this has the database anyway: the name helps honest people, and proves nothing.
const operator = (process.env['SUDO_USER'] ?? process.env['USER'] ?? 'unknown').slice(0, 100);
const orm = await openOrm(settings.databaseUrl, 2);
const connection = await Connection.connect({ ...(await temporalConnectionOptions(settings)), connectTimeout: '5s' });
try {
  const client = new Client({ connection, namespace: settings.temporalNamespace });
  console.log(JSON.stringify(await runCommand(name, args, { em: orm.em.fork(), client, operator }), null, 2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await connection.close();
  await orm.close(true);
}
