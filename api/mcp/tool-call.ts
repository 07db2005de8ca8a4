import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/caller.ts';
import { derivedId } from '../../domain/identity/derived-id.ts';
import type { Context, Deps, IdempotencyClaim } from '../deps.ts';
import { claimOf, runWorkflowWrite } from '../plugins/idempotency.ts';
import { dataOf, makeContext } from '../route.ts';
import type { StreamLimit } from '../stream/stream-limit.ts';

/** One MCP request of an authenticated caller. */
export interface Exchange {
  readonly deps: Deps;
  readonly request: FastifyRequest;
  readonly caller: Caller;
  /** Has a place for each open wait. */
  readonly waits: StreamLimit;
}

/** One call of a tool: what it has to work with, on the same way as a REST request. */
export class ToolCall {
  readonly exchange: Exchange;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Aborts when the client has gone or has taken the call back. */
  readonly signal: AbortSignal;
  #replayed = false;

  constructor(exchange: Exchange, toolName: string, args: unknown, signal: AbortSignal) {
    this.exchange = exchange;
    this.toolName = toolName;
    this.args = (args ?? {}) as Readonly<Record<string, unknown>>;
    this.signal = signal;
  }

  /** True where the last write was the replay of an earlier one's answer. */
  get replayed(): boolean {
    return this.#replayed;
  }

  /** Runs what only reads. */
  async read<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
    return await work(this.#context(null, this.exchange.deps.orm.em.fork()));
  }

  /**
   * Runs what a workflow carries out, once for the key of the call. A call of several writes names each after the first
   * by a `step`, which has a key derived from that of the call: a retry goes on where the first call ended.
   */
  async write(httpStatus: 200 | 201, work: (ctx: Context) => Promise<unknown>, step?: string): Promise<unknown> {
    const claim = this.#claim(step);
    const em = this.exchange.deps.orm.em.fork();
    const answer = await runWorkflowWrite(em, claim, httpStatus, () => work(this.#context(claim, em)));
    this.#replayed = answer.replayed;
    return dataOf(answer);
  }

  #claim(step: string | undefined): IdempotencyClaim | null {
    const { request, caller } = this.exchange;
    const claim = claimOf(request, caller, `MCP ${this.toolName}`, this.args);
    if (claim === null || step === undefined) return claim;
    return { ...claim, key: derivedId('step', claim.key, step) };
  }

  #context(claim: IdempotencyClaim | null, em: Context['em']): Context {
    const { deps, request, caller } = this.exchange;
    return makeContext(deps, request, caller, claim, em);
  }
}
