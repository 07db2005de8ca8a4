import { v7 } from 'uuid';
import {
  checkPushConfig,
  configsPerTask,
  isConfigId,
  type PushConfig,
  type PushCredential,
  type PushData,
} from '../../domain/a2a/push-config.ts';
import type { Generation } from '../../domain/a2a/task-state.ts';
import { refusedAddress } from '../../domain/capability/callback-address.ts';
import { invalidField, MarketplaceError } from '../../domain/errors.ts';
import { derivedId } from '../../domain/identity/derived-id.ts';
import type { Em } from '../../domain/store/orm.ts';
import { lastSeqOf, replaceWebhookConfig } from '../../domain/store/webhook-config.store.ts';
import {
  deleteWebhook,
  insertLockedWebhook,
  listWebhooks,
  lockGrantOfKey,
  lockWebhookConfig,
  lockWebhooksOf,
  webhookCredentialPurpose,
  type NewWebhook,
  type WebhookRow,
} from '../../domain/store/webhook.store.ts';
import { isTerminal, type TransactionState } from '../../domain/transaction/transaction.ts';
import type { WebhookProtocol } from '../../domain/webhook/webhook.ts';
import { audit } from '../audit/audit.ts';
import type { Context } from '../deps.ts';
import { checkOperation } from '../route.ts';
import { contextOf, type A2aCall } from './call.ts';
import { ProtocolFault } from './protocol-fault.ts';
import { readState } from './task.reads.ts';

/** A config as it is shown: token and credentials never leave again. */
export interface ShownConfig {
  readonly taskId: string;
  readonly configId: string;
  readonly url: string;
  readonly scheme: string | null;
}

const protocols: Readonly<Record<Generation, WebhookProtocol>> = {
  '0.1': 'a2a-0.1',
  '0.3': 'a2a-0.3',
  '1.0': 'a2a-1.0',
};

/** Refuses a config that can never be, before anything is bought or changed. It tells of a task, so it takes reading. */
export function checkConfig({ caller, deps }: A2aCall, config: PushConfig): void {
  checkOperation(caller, 'read');
  checkPushConfig(config);
  const refused = refusedAddress(config.url, deps.settings.callbackAllowPrivate);
  if (refused !== null) throw invalidField('url', refused);
}

/**
 * Has what happens to a task from now on posted to an address. The same id again replaces. Throws unsupported_operation
 * for a task that ended or is only proposed, conflict where it has too many.
 */
export async function saveConfig(
  call: A2aCall,
  givenTaskId: string,
  config: PushConfig,
  ids: PushData['ids'] = null,
): Promise<ShownConfig> {
  checkConfig(call, config);
  const unbought = 'Nothing was bought yet, so nothing will happen to this task.';
  const ifProposed = () => new ProtocolFault('unsupported_operation', unbought);
  const { id: taskId, status } = await changeableTask(call, givenTaskId, ifProposed);
  if (isTerminal(status)) throw new ProtocolFault('unsupported_operation', 'This task has ended. Get it instead.');
  const configId = config.configId ?? ownId(call, taskId, config.url);
  const ctx = contextOf(call);
  await ctx.em.transactional(async (em) => {
    const { id, action } = await writeConfig(ctx, em, call.generation, { ...config, configId, taskId, ids });
    const data = { transaction_id: taskId, protocol: protocols[call.generation] };
    await audit(ctx, { action, target: { type: 'webhook', id }, data }, em);
  });
  return { taskId, configId, url: config.url, scheme: config.authentication?.scheme ?? null };
}

/** A task whose configs the caller may change: a key that only reads sets nothing up. */
async function changeableTask(
  call: A2aCall,
  taskId: string,
  ifProposed?: () => ProtocolFault,
): Promise<TransactionState> {
  const state = await readState(call, taskId, ifProposed);
  checkOperation(call.caller, state.buyer_user_id === call.caller.userId ? 'buy' : 'sell');
  return state;
}

/** Of a config without an id: before 1.0 a task has one such, in 1.0 each address, however often it is sent. */
function ownId({ generation, caller }: A2aCall, taskId: string, url: string): string {
  return generation === '1.0' ? derivedId('a2a push config', caller.userId, taskId, url) : taskId;
}

type Written = PushConfig & Pick<PushData, 'ids'> & { readonly configId: string; readonly taskId: string };

/** Answers the id of the webhook that the config has become. Locks in the order in which a grant is revoked. */
async function writeConfig(
  ctx: Context,
  em: Em,
  generation: Generation,
  config: Written,
): Promise<{ readonly id: string; readonly action: 'webhook.create' | 'webhook.update' }> {
  const { caller, secrets } = ctx;
  const { taskId, configId, url, token, authentication, ids } = config;
  if (!(await lockGrantOfKey(em, caller.apiKeyId, caller.userId))) throw new MarketplaceError('user_not_granted');
  await lockWebhooksOf(em, caller.userId);
  const known = await lockWebhookConfig(em, { userId: caller.userId, transactionId: taskId }, configId);
  const id = known?.id ?? v7();
  const credential: PushCredential = { token, authentication, taskId: ids?.id ?? taskId };
  const data: PushData = { scheme: authentication?.scheme ?? null, ids };
  const webhook: NewWebhook = {
    id,
    userId: caller.userId,
    apiKeyId: caller.apiKeyId,
    protocol: protocols[generation],
    transactionId: taskId,
    configId,
    url,
    eventTypes: [],
    description: null,
    sealedCredential: secrets.encrypt(JSON.stringify(credential), webhookCredentialPurpose(id)),
    protocolData: { ...data },
    settledSeq: await lastSeqOf(em, taskId),
    at: ctx.now(),
  };
  if (known !== null) await replaceWebhookConfig(em, id, webhook);
  else if ((await insertLockedWebhook(em, webhook, configsPerTask)) === 'limit_reached') throw tooMany();
  return { id, action: known === null ? 'webhook.create' : 'webhook.update' };
}

function tooMany(): MarketplaceError {
  const text = `A task has at most ${configsPerTask} push notification configs of one user. Delete one first.`;
  return new MarketplaceError('conflict', { limit: configsPerTask }, { text });
}

/** The caller's configs of a task, also of one that ended, oldest first. There are never more than a page. */
export async function listConfigs(call: A2aCall, givenTaskId: string): Promise<ShownConfig[]> {
  checkOperation(call.caller, 'read');
  const { id: transactionId } = await readState(call, givenTaskId);
  const scope = { userId: call.caller.userId, transactionId };
  const [rows] = await listWebhooks(contextOf(call).em, scope, { page: 1, page_size: configsPerTask });
  return rows.toReversed().map((row) => shown(transactionId, row));
}

function shown(taskId: string, { config_id, url, protocol_data }: WebhookRow): ShownConfig {
  const { scheme } = protocol_data as unknown as PushData;
  return { taskId, configId: config_id ?? '', url, scheme };
}

/** One config of the caller's; null where there is none such. Without an id: the one that a config without an id gets. */
export async function findConfig(call: A2aCall, taskId: string, configId: string | null): Promise<ShownConfig | null> {
  const configs = await listConfigs(call, taskId);
  if (configId !== null) return configs.find((config) => config.configId === configId) ?? null;
  return configs.find((config) => config.configId === config.taskId) ?? configs[0] ?? null;
}

/** Nothing is posted to it any more. Again, and of one that never was: the same. */
export async function deleteConfig(call: A2aCall, givenTaskId: string, configId: string): Promise<void> {
  const { id: transactionId } = await changeableTask(call, givenTaskId);
  if (!isConfigId(configId)) return;
  const ctx = contextOf(call);
  await ctx.em.transactional(async (em) => {
    const known = await lockWebhookConfig(em, { userId: call.caller.userId, transactionId }, configId);
    if (known === null) return;
    await deleteWebhook(em, known.id, ctx.now());
    const target = { type: 'webhook', id: known.id } as const;
    await audit(ctx, { action: 'webhook.delete', target, data: { transaction_id: transactionId } }, em);
  });
}
