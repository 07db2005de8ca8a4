import type { z } from 'zod';
import { isBearer, type PushConfig } from '../../domain/a2a/push-config.ts';
import type { ClientIds } from '../../domain/a2a/v0-task.ts';
import type { A2aCall } from './call.ts';
import { deleteConfig, findConfig, saveConfig, type ShownConfig } from './push-config.ts';
import type { setPushParams } from './v0.schemas.ts';

type Given = z.output<typeof setPushParams>['pushNotificationConfig'];

/** A config as v0.1 sends it; a task has one at most. Of several schemes without credentials it is the one that needs none. */
export function readV0Config(given: Given | undefined): PushConfig | null {
  if (given === undefined || given === null) return null;
  const { url, token, authentication } = given;
  const { schemes = [], credentials } = authentication ?? {};
  const scheme = (credentials ? undefined : schemes.find(isBearer)) ?? schemes[0] ?? null;
  return {
    configId: null,
    url,
    token: token ?? null,
    authentication: scheme === null && !credentials ? null : { scheme: scheme ?? '', credentials: credentials ?? null },
  };
}

/** Sets the config of a task, or takes it away; answers it as `get` does. */
export async function setV0Config(call: A2aCall, taskId: string, ids: ClientIds, given: Given) {
  const config = readV0Config(given);
  if (config !== null) return wire(ids, await saveConfig(call, taskId, config, ids));
  await deleteConfig(call, taskId, taskId);
  return wire(ids, null);
}

/** The config of a task without what is secret of it; null where none is set. */
export async function getV0Config(call: A2aCall, taskId: string, ids: ClientIds) {
  return wire(ids, await findConfig(call, taskId, taskId));
}

function wire({ id }: ClientIds, config: ShownConfig | null) {
  if (config === null) return { id, pushNotificationConfig: null };
  const { url, scheme } = config;
  return { id, pushNotificationConfig: { url, ...(scheme === null ? {} : { authentication: { schemes: [scheme] } }) } };
}
