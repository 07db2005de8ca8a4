import { parseSettings } from '../../domain/settings.ts';
import { temporalConnectionOptions } from '../../temporal.config.ts';
import { pollUntil } from '../stack/deadline.ts';
import { ensureNamespace } from '../stack/namespace.ts';
import { checkTemporal } from '../stack/temporal-connection.ts';

const REACH_TIMEOUT_MS = 120_000;

/** Entry of the one-shot job that makes the namespace and its search attributes before API and worker start. */
const settings = parseSettings(process.env);
const { address, ...credentials } = await temporalConnectionOptions(settings);
await pollUntil(`Temporal at ${address}`, { timeoutMs: REACH_TIMEOUT_MS, everyMs: 1_000 }, () =>
  checkTemporal(address, credentials),
);
await ensureNamespace(address, settings.temporalNamespace, credentials);
console.log(`Namespace ${settings.temporalNamespace} at ${address} is ready.`);
