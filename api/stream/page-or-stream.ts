import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { envelopeOf } from '../envelope.ts';
import type { Confirm } from './event-stream.ts';

/** What a stream is opened on. */
export interface StreamLine {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Rejects where the caller may not come in any more. */
  readonly confirm: Confirm;
}

/** Whoever can read JSON as well is answered so, and whoever only asks for the head. */
export function wantsStream({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  return method === 'GET' && /\btext\/event-stream\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept);
}

/** The response of a route that answers a page or a stream; `event` is the shape of each `data` of the stream. */
export function pageOrStream(data: z.ZodType, event: z.ZodType) {
  return {
    description: 'A page; or with `Accept: text/event-stream` the stream, whose schema is that of each `data`',
    content: {
      'application/json': { schema: envelopeOf(data) },
      'text/event-stream': { schema: event },
    },
  };
}
