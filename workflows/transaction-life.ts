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
} from '@temporalio/workflow';
import type { RequestTrace } from '../domain/audit/audit-entry.ts';
import type { Ask, Command } from '../domain/transaction/command.ts';
import { decide, nextDeadline } from '../domain/transaction/decide.ts';
import { toRecord, type TransactionRecord, type TransactionState } from '../domain/transaction/transaction.ts';
import type { Transition } from '../domain/transaction/transition.ts';
import { applyTransition } from './activities.ts';
import { currentDetails } from './current-details.ts';
import { asFailure, refusable, troubleOf } from './failure.ts';
import { StatusAttribute } from './status-attribute.ts';
import {
  catchUpUpdateName,
  operationMessages,
  stateQueryName,
  type IdempotencyTag,
  type InvocationCall,
  type OperationMessage,
  type OperationUpdate,
  type OperatorSignal,
  type RecordedInstead,
} from './messages.ts';

/** How long a deadline that could not be carried out waits before it is tried again. */
const troubledPauseMs = 60_000;

/** What is recorded with a step besides the step. */
interface Along {
  readonly idempotency: IdempotencyTag | null;
  readonly invocation: InvocationCall | null;
  readonly request: RequestTrace | null;
}
const alone: Along = { idempotency: null, invocation: null, request: null };

/**
 * A transaction while its workflow runs: its state, its messages, its deadlines. Each operation decides on what the one
 * before recorded.
 */
export class TransactionLife {
  #state: TransactionState | null = null;
  #busy = false;
  #trouble: string | null = null;

  readonly #requestHash: string | null;
  readonly #statusAttribute: StatusAttribute;

  /** `requestHash` is that of the request that started the workflow; another request with its id is refused. */
  constructor(requestHash: string | null, statusRestMs: number) {
    this.#requestHash = requestHash;
    this.#statusAttribute = new StatusAttribute(statusRestMs);
    setHandler(defineQuery<TransactionState | null>(stateQueryName), () => this.#state);
    setHandler(defineUpdate<TransactionRecord, [TransactionState]>(catchUpUpdateName), (row) => this.catchUp(row));
    for (const operation of operationMessages) {
      setHandler(
        defineUpdate<TransactionRecord, [OperationUpdate]>(operation),
        ({ command, idempotency, request }) => this.operate(command, { idempotency, request: request ?? null }),
        { validator: ({ command }) => this.#checkOperation(command) },
      );
      setHandler(defineSignal<[OperatorSignal?]>(operation), (signal) => this.#intervene(operation, signal));
    }
  }

  /** An Update that waits for a moment of the transaction, and answers the record as it is then. */
  answerAt(updateName: string, moment: Promise<unknown>): void {
    const handler = async () => {
      await moment;
      return toRecord(this.state);
    };
    const validator = (requestHash: string | null) => {
      if (requestHash !== this.#requestHash)
        throw ApplicationFailure.nonRetryable('another request', 'idempotency_key_reused');
    };
    setHandler(defineUpdate<TransactionRecord, [string | null]>(updateName), handler, { validator });
  }

  /** The first row. */
  async begin(open: () => Transition, along: Along): Promise<void> {
    try {
      const transition = open();
      this.#take(transition, await applyTransition({ ...transition, ...along }));
    } catch (error) {
      throw asFailure(error);
    }
  }

  /** Goes on from the row of a workflow that was lost. */
  resume(row: TransactionState): void {
    this.#adopt(row);
  }

  /**
   * Waits for operations and deadlines until the transaction is over. Where its beginning is refused, so is everybody who
   * waits for it, and the workflow ends with the refusal.
   */
  async untilEnd(beginning: Promise<unknown>): Promise<TransactionRecord> {
    try {
      await beginning;
      for (;;) {
        const deadline = nextDeadline(this.state);
        if (deadline === null) return toRecord(this.state);
        if (Date.now() < deadline.atMs) await this.#ended(deadline.atMs);
        else await this.#carryOut(deadline.command);
      }
    } finally {
      if (!allHandlersFinished()) await condition(allHandlersFinished);
    }
  }

  /** One at a time: each decides on what the one before recorded, and anew where the row was ahead. */
  async operate(command: Command, asked: Partial<Along> = {}): Promise<TransactionRecord> {
    while (this.#busy) await condition(() => !this.#busy);
    this.#busy = true;
    try {
      for (;;) {
        const transition = decide(this.state, command, Date.now());
        const isDone = this.#take(transition, await applyTransition({ ...transition, ...alone, ...asked }));
        if (isDone) return toRecord(this.state);
      }
    } catch (error) {
      throw asFailure(error);
    } finally {
      this.#busy = false;
    }
  }

  /** Takes over a row that is ahead: what is recorded is what happened. */
  async catchUp(row: TransactionState): Promise<TransactionRecord> {
    while (this.#busy || !this.isRecorded) await condition(() => !this.#busy && this.isRecorded);
    if (row.step > this.state.step) this.#adopt(row);
    return toRecord(this.state);
  }

  /** Does what nobody waits for; where it is refused, operators see why. */
  async orTrouble(what: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#trouble = `${what}: ${troubleOf(error)}`;
      log.warn('not carried out', { what, trouble: this.#trouble });
      this.#show();
      return false;
    }
  }

  get isRecorded(): boolean {
    return this.#state !== null;
  }

  get state(): TransactionState {
    if (this.#state === null) throw new Error('the transaction is not recorded yet');
    return this.#state;
  }

  /**
   * Waits until the deadline is due. An operation usually moves the deadline further away, and the timer that then fires
   * early finds nothing due: one timer for the whole of a swift transaction, instead of one a status.
   */
  #ended(atMs: number): Promise<boolean> {
    const sooner = () => {
      const next = nextDeadline(this.state);
      return next === null || next.atMs < atMs;
    };
    return condition(sooner, atMs - Date.now(), { summary: 'next deadline' });
  }

  #checkOperation(command: Command): void {
    if (this.#state === null)
      throw ApplicationFailure.nonRetryable('not recorded yet', 'unavailable', { retry_after_sec: 1 });
    refusable(() => decide(this.state, command, Date.now()));
  }

  async #intervene(operation: OperationMessage, signal: OperatorSignal | undefined): Promise<void> {
    const { operator, ...fields } = signal ?? {};
    const actor = { type: 'operator', name: operator ?? 'unnamed' } as const;
    // An operator's fields are checked by decide(), as everybody's.
    const command = { ask: { ...fields, operation } as Ask, actor };
    await condition(() => this.isRecorded);
    await this.orTrouble(`${operation} by ${actor.name}`, () => this.operate(command));
  }

  async #carryOut(command: Command): Promise<void> {
    const { step } = this.state;
    if (this.#busy) return await condition(() => !this.#busy);
    const done = await this.orTrouble(command.ask.operation, () => this.operate(command));
    if (!done) await condition(() => this.state.step !== step, troubledPauseMs, { summary: 'pause after trouble' });
  }

  /** False where the row was ahead by something else: it is taken over, and what was asked is not done. */
  #take(transition: Transition, instead: RecordedInstead | null): boolean {
    this.#adopt(instead?.row ?? transition.next);
    return instead?.sameStep ?? true;
  }

  #adopt(recorded: TransactionState): void {
    this.#state = recorded;
    this.#trouble = null;
    this.#statusAttribute.show(recorded.status);
    this.#show();
  }

  #show(): void {
    if (this.#state !== null) setCurrentDetails(currentDetails(this.#state, this.#trouble));
  }
}
