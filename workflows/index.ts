/** Every workflow that the worker offers, by its type. */
export { callback_test } from './callback-test.workflow.ts';
export { invocation } from './invocation.workflow.ts';
export { transaction } from './transaction.workflow.ts';
export { webhook_delivery } from './webhook-delivery.workflow.ts';
export { webhook_relay } from './webhook-relay.workflow.ts';
