import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { z } from 'zod';
import type { PushConfig } from '../../domain/a2a/push-config.ts';
import { parseBy } from '../parse.ts';
import type { A2aCall } from './call.ts';
import { ProtocolFault } from './protocol-fault.ts';
import { deleteConfig, findConfig, listConfigs, saveConfig, type ShownConfig } from './push-config.ts';

/** The SDK takes over from 0.3 whatever stands there. */
const given = z.object({
  id: z.string(),
  url: z.string(),
  token: z.string(),
  authentication: z.object({ scheme: z.string(), credentials: z.string() }).optional(),
});

/** A config as 1.0 and 0.3 send it; the SDK has brought 0.3 into the form of 1.0, where empty means absent. */
export function readConfig(params: TaskPushNotificationConfig): PushConfig {
  const { id, url, token, authentication } = parseBy(given, params);
  const { scheme = '', credentials = '' } = authentication ?? {};
  return {
    configId: id || null,
    url,
    token: token || null,
    // 0.3 may list no scheme.
    authentication: scheme === '' && credentials === '' ? null : { scheme, credentials: credentials || null },
  };
}

/** The methods for push notification configs, for one call. */
export function pushMethods(call: A2aCall) {
  return {
    create: async (params: TaskPushNotificationConfig) =>
      wire(await saveConfig(call, params.taskId, readConfig(params))),
    get: async ({ taskId, id }: GetTaskPushNotificationConfigRequest) => {
      // Only in 0.3 may the id be left out.
      const config = await findConfig(call, taskId, id === '' && call.generation === '0.3' ? null : id);
      if (config === null) throw new ProtocolFault('task_not_found', 'This task has no such push notification config.');
      return wire(config);
    },
    list: async ({ taskId }: ListTaskPushNotificationConfigsRequest) => {
      const configs = await listConfigs(call, taskId);
      return { configs: configs.map(wire), nextPageToken: '' };
    },
    delete: async ({ taskId, id }: DeleteTaskPushNotificationConfigRequest) => await deleteConfig(call, taskId, id),
  };
}

/** What is secret of a config is not shown: empty strings are left out on the wire. */
function wire({ taskId, configId, url, scheme }: ShownConfig): TaskPushNotificationConfig {
  const authentication = scheme === null ? undefined : { scheme, credentials: '' };
  return { tenant: '', id: configId, taskId, url, token: '', authentication };
}
