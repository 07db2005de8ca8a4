import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Ask, Command } from '../domain/transaction/command.ts';
import { decide, nextDeadline } from '../domain/transaction/decide.ts';
import { toRecord, type TransactionRecord, type TransactionState } from '../domain/transaction/transaction.ts';
import { open, type Transition } from '../domain/transaction/transition.ts';
import { applyTransition } from './activities.ts';
import { ignoreCancellation } from './cancellation.ts';
import { currentDetails } from './current-details.ts';
import { asFailure, troubleOf } from './failure.ts';
import {
  catchUpUpdateName,
  createdUpdateName,
  operationMessages,
  stateQueryName,
  statusAttributeName,
  type IdempotencyTag,
  type OperationMessage,
  type OperationUpdate,
  type OperatorSignal,
  type TransactionStart,
} from './messages.ts';

const statusAttribute = defineSearchAttributeKey(statusAttributeName, SearchAttributeType.KEYWORD);

/** How long a deadline that could not be carried out waits before it is tried again. */
const troubledPauseMs = 60_000;

/** One transaction, from its first row to a terminal status: waits for an operation or a deadline, decides, applies. */
export async function transaction(start: TransactionStart): Promise<TransactionRecord> {
  ignoreCancellation();
  let state: TransactionState | null = start.kind === 'resume' ? start.state : null;
  let busy = false;
  let trouble: string | null = null;
  let stillborn: unknown = null;

  setHandler(defineQuery<TransactionState | null>(stateQueryName), () => state);
  setHandler(defineUpdate<TransactionRecord, [string | null]>(createdUpdateName), created, {
    validator: checkSameRequest,
  });
  setHandler(defineUpdate<TransactionRecord, [TransactionState]>(catchUpUpdateName), catchUp);
  for (const operation of operationMessages) {
    setHandler(defineUpdate<TransactionRecord, [OperationUpdate]>(operation), operate, { validator: checkOperation });
    setHandler(defineSignal<[OperatorSignal?]>(operation), (signal) => intervene(operation, signal));
  }

  await begin();
  for (;;) {
    const deadline = state === null ? null : nextDeadline(state);
    if (deadline === null) break;
    if (Date.now() < deadline.atMs) await ended(deadline.atMs);
    else await carryOut(deadline.command);
  }
  await condition(allHandlersFinished);
  return toRecord(present());

  async function begin(): Promise<void> {
    if (start.kind === 'resume') return show();
    try {
      await record(open(start.offer, Date.now()), start.idempotency);
    } catch (error) {
      stillborn = error;
      await condition(allHandlersFinished);
      throw error;
    }
  }

  /**
   * Waits until the deadline is due. An operation usually moves the deadline further away, and the timer that then fires
   * early finds nothing due: one timer for the whole of a swift transaction, instead of one a status.
   */
  async function ended(atMs: number): Promise<void> {
    const sooner = () => {
      const next = nextDeadline(present());
      return next === null || next.atMs < atMs;
    };
    await condition(sooner, atMs - Date.now(), { summary: 'next deadline' });
  }

  async function created(): Promise<TransactionRecord> {
    await condition(() => state !== null || stillborn !== null);
    if (stillborn !== null) throw stillborn;
    return toRecord(present());
  }

  function checkSameRequest(requestHash: string | null): void {
    const first = start.kind === 'offer' ? (start.idempotency?.request_hash ?? null) : null;
    if (first !== requestHash) throw ApplicationFailure.nonRetryable('another request', 'idempotency_key_reused');
  }

  function checkOperation({ command }: OperationUpdate): void {
    if (state === null)
      throw ApplicationFailure.nonRetryable('not recorded yet', 'unavailable', { retry_after_sec: 1 });
    refusable(() => decide(present(), command, Date.now()));
  }

  /** One at a time: each decides on what the one before recorded, and anew where the row was ahead. */
  async function operate({ command, idempotency }: OperationUpdate): Promise<TransactionRecord> {
    while (busy) await condition(() => !busy);
    busy = true;
    try {
      let isDone = false;
      while (!isDone)
        isDone = await record(
          refusable(() => decide(present(), command, Date.now())),
          idempotency,
        );
      return toRecord(present());
    } finally {
      busy = false;
    }
  }

  async function catchUp(row: TransactionState): Promise<TransactionRecord> {
    while (busy || state === null) await condition(() => !busy && state !== null);
    if (row.step > present().step) adopt(row);
    return toRecord(present());
  }

  async function intervene(operation: OperationMessage, signal: OperatorSignal | undefined): Promise<void> {
    const { operator, ...fields } = signal ?? {};
    const actor = { type: 'operator', name: operator ?? 'unnamed' } as const;
    // An operator's fields are checked by decide(), as everybody's.
    const command = { ask: { ...fields, operation } as Ask, actor };
    await condition(() => state !== null);
    await orTrouble(`${operation} by ${actor.name}`, () => operate({ command, idempotency: null }));
  }

  async function carryOut(command: Command): Promise<void> {
    const { step } = present();
    if (busy) return await condition(() => !busy);
    const done = await orTrouble(command.ask.operation, () => operate({ command, idempotency: null }));
    if (!done) await condition(() => present().step !== step, troubledPauseMs, { summary: 'pause after trouble' });
  }

  async function orTrouble(what: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      trouble = `${what}: ${troubleOf(error)}`;
      log.warn('not carried out', { what, trouble });
      show();
      return false;
    }
  }

  /** False where the row was ahead by something else: it is taken over, and what was asked is not done. */
  async function record(transition: Transition, idempotency: IdempotencyTag | null): Promise<boolean> {
    try {
      const instead = await applyTransition({ ...transition, idempotency });
      adopt(instead?.row ?? transition.next);
      return instead?.sameStep ?? true;
    } catch (error) {
      throw asFailure(error);
    }
  }

  function adopt(recorded: TransactionState): void {
    const before = state?.status;
    state = recorded;
    trouble = null;
    if (before !== undefined && before !== recorded.status) {
      upsertSearchAttributes([{ key: statusAttribute, value: recorded.status }]);
    }
    show();
  }

  function present(): TransactionState {
    if (state === null) throw new Error('the transaction is not recorded yet');
    return state;
  }

  function show(): void {
    if (state !== null) setCurrentDetails(currentDetails(state, trouble));
  }
}

function refusable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asFailure(error);
  }
}
