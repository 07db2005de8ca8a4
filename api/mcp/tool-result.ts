import type { CallToolResult } from '@modelcontextprotocol/server';
import { errorTable, type MarketplaceError } from '../../domain/errors.ts';

/** Text is for clients that do not read structured content; a model has no use for more of it. */
const maxTextLength = 64 * 1024;

interface Circumstance {
  readonly requestId: string;
  /** The answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

/** The data of an operation as the result of a tool: structured, and as text, which is cut where it is long. */
export function resultOf(data: Record<string, unknown>, circumstance: Circumstance): CallToolResult {
  return {
    content: [{ type: 'text', text: textOf(data) }],
    structuredContent: data,
    _meta: metaOf(circumstance),
  };
}

/** A refusal as the result of a tool, so that the model reads it and can act on it. */
export function refusalResultOf(error: MarketplaceError, circumstance: Circumstance): CallToolResult {
  const { code } = errorTable[error.errorName];
  const data = error.errorName === 'internal_error' ? { request_id: circumstance.requestId } : error.data;
  const refusal = { code, name: error.errorName, message: error.message, data };
  return { ...resultOf(refusal, circumstance), isError: true };
}

function metaOf({ requestId, replayed }: Circumstance): Record<string, unknown> {
  return { request_id: requestId, ...(replayed ? { idempotent_replayed: true } : {}) };
}

function textOf(data: unknown): string {
  const text = JSON.stringify(data);
  if (text.length <= maxTextLength) return text;
  return `${text.slice(0, maxTextLength)}… (cut after ${maxTextLength} characters; structuredContent has the whole)`;
}
