import { allowedOperations } from '../domain/transaction/lifecycle.ts';
import { isTerminal, type TransactionState } from '../domain/transaction/transaction.ts';

/** The Markdown that the Temporal UI shows of a transaction: what it is, what it waits for, what went wrong last. */
export function currentDetails(state: TransactionState, trouble: string | null): string {
  const lines = [
    `**${state.status}**${state.status_reason === null ? '' : ` (${state.status_reason})`} · ${state.price_ut} UT · ${state.transaction_type}`,
    `Buyer \`${state.buyer_user_id}\`, seller \`${state.seller_user_id}\`, capability \`${state.capability_id}\``,
  ];
  if (!isTerminal(state.status)) {
    lines.push(`Ends by itself at ${state.deadline_at ?? 'no time'}`);
    for (const role of ['buyer', 'seller', 'admin'] as const) {
      const allowed = allowedOperations(state.status, role);
      if (allowed.length > 0) lines.push(`The ${role} may ${allowed.join(', ')}`);
    }
  }
  if (trouble !== null) lines.push(`**Last trouble:** ${trouble}`);
  return lines.join('\n\n');
}
