/** Every workflow that the worker offers, by its type. */
export { transaction } from './transaction.workflow.ts';
