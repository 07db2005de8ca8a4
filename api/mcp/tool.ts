import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { OperationClass } from '../../domain/caller.ts';
import { errorTable } from '../../domain/errors.ts';
import { logFault, toMarketplaceError } from '../error-handler.ts';
import { parseBy } from '../parse.ts';
import { checkAccess, checkOperation } from '../route.ts';
import type { ToolCall } from './tool-call.ts';
import { refusalResultOf, resultOf } from './tool-result.ts';

/** A tool: what a model is told of it, who may call it, and the operation that it is. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>;
  readonly access: 'caller' | 'agent';
  readonly input: I;
  readonly output: O;
  /** What the caller's key must be allowed. */
  operationOf(input: z.output<I>): OperationClass;
  run(call: ToolCall, input: z.output<I>): Promise<unknown>;
}

export const reads = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
/** Moves money, and cannot be undone at will; the same key does it once. */
export const writes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** A tool with the types of its schemas. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(spec: Tool<I, O>): Tool<I, O> {
  return spec;
}

/** Carries a call out. Never throws: a refusal is a result, and what is not in the error table tells nothing of itself. */
export async function callTool(spec: Tool, call: ToolCall): Promise<CallToolResult> {
  const { request } = call.exchange;
  const log = request.log.child({ tool: spec.name });
  try {
    const data = spec.output.parse(await admitted(spec, call));
    log.info('tool called');
    return resultOf(data, { requestId: request.id, replayed: call.replayed });
  } catch (thrown) {
    const error = toMarketplaceError(thrown);
    logFault({ log }, error);
    log.info({ code: errorTable[error.errorName].code }, 'tool refused');
    return refusalResultOf(error, { requestId: request.id, replayed: call.replayed });
  }
}

async function admitted(spec: Tool, call: ToolCall): Promise<unknown> {
  const caller = checkAccess(spec.access, call.exchange.caller);
  const input = parseBy(spec.input, call.args);
  checkOperation(caller, spec.operationOf(input));
  return await spec.run(call, input);
}
