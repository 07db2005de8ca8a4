import { MarketplaceError } from '../errors.ts';
import { parseUt, ut } from '../ut.ts';
import type { Actor, Ask, Command } from './command.ts';
import { allowedOperations, deadlines, lifecycle, maxChangeRequests, operationPath } from './lifecycle.ts';
import type { ActorRole, Move } from './lifecycle.ts';
import { isTerminal, type TransactionState, type TransactionStatus } from './transaction.ts';
import { apply, type Transition } from './transition.ts';

/**
 * Decides what an operation does to a transaction. Pure: time comes in, nothing goes out.
 * Throws not_a_party, invalid_state (with status and allowed_operations) or validation_failed; then nothing changes.
 */
export function decide(state: TransactionState, command: Command, nowMs: number): Transition {
  const { move, role } = findMove(state, command);
  checkLimits(state, command.ask);
  const first = apply(state, move, role, command, nowMs);
  if (first.next.status !== 'frozen' || !first.next.auto_accept) return first;
  return followedBy(first, { ask: { operation: 'auto_accept' }, actor: { type: 'system' } }, nowMs);
}

/** Two moves in one step: they are recorded together or not at all. */
export function followedBy(first: Transition, command: Command, nowMs: number): Transition {
  const then = decide(first.next, command, nowMs);
  return {
    next: { ...then.next, step: first.next.step },
    transfers: [...first.transfers, ...then.transfers],
    events: [...first.events, ...then.events],
    result_delivery_id: then.result_delivery_id,
  };
}

function findMove(state: TransactionState, { ask, actor }: Command): { move: Move; role: ActorRole } {
  const role = roleOf(state, actor, ask);
  const moves = lifecycle.filter((move) => move.operation === ask.operation && sameOutcome(move, ask));
  const mine = moves.filter((move) => move.by === role || mayStandIn(role, move));
  if (mine.length === 0) throw new MarketplaceError('not_a_party');
  const known = mine.filter(({ origin }) => origin === undefined || origin === state.origin);
  const move = known.find((candidate) => candidate.from.includes(state.status));
  if (move === undefined) throw invalidState(state, role);
  return { move, role };
}

function sameOutcome(move: Move, ask: Ask): boolean {
  return move.outcome === undefined || (ask.operation === 'resolve' && ask.outcome === move.outcome);
}

/**
 * An operator repairs: they may do what a party, an admin or the system could, but never make a deadline pass or answer
 * for a seller who was called.
 */
function mayStandIn(role: ActorRole, move: Move): boolean {
  return role === 'operator' && move.by !== 'timer' && move.by !== 'callback';
}

function roleOf(state: TransactionState, actor: Actor, ask: Ask): ActorRole {
  if (actor.type !== 'user') return actor.type;
  if (ask.operation === 'resolve' && actor.is_admin) return 'admin';
  if (actor.user_id === state.buyer_user_id) return 'buyer';
  if (actor.user_id === state.seller_user_id) return 'seller';
  throw new MarketplaceError('not_a_party');
}

/** The refusal of an operation that the present status does not allow. */
export function invalidState(state: { readonly status: TransactionStatus }, role: ActorRole): MarketplaceError {
  return new MarketplaceError('invalid_state', {
    status: state.status,
    allowed_operations: allowedOperations(state.status, role),
  });
}

function checkLimits(state: TransactionState, ask: Ask): void {
  if (ask.operation === 'request_changes' && state.change_request_count >= maxChangeRequests) {
    const allowed = allowedOperations(state.status, 'buyer').filter(
      (name) => name !== operationPath('request_changes'),
    );
    throw new MarketplaceError(
      'invalid_state',
      { status: state.status, allowed_operations: allowed },
      { text: `Changes were requested ${maxChangeRequests} times already. Confirm or dispute the delivery.` },
    );
  }
  if (ask.operation === 'resolve' && ask.outcome === 'split') {
    const share = parseUt(ask.seller_share_ut);
    if (share === null || share < 0n || share > ut(state.price_ut)) {
      const message = `must be between 0 and the price, ${state.price_ut}`;
      throw new MarketplaceError('validation_failed', { errors: [{ path: 'seller_share_ut', message }] });
    }
  }
}

/** What ends the present status by itself, or null in a terminal one. */
export function nextDeadline(state: TransactionState): { command: Command; atMs: number } | null {
  const deadline = deadlines[state.status];
  if (isTerminal(state.status) || deadline === undefined || state.deadline_at === null) return null;
  return {
    command: { ask: { operation: deadline.operation }, actor: { type: 'timer' } },
    atMs: Date.parse(state.deadline_at),
  };
}
