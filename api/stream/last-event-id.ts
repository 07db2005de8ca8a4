import type { FastifyRequest } from 'fastify';
import { invalidField } from '../../domain/errors.ts';

/** The number after which a stream goes on, by its header; null where it has none. Throws `validation_failed`. */
export function lastEventIdOf({ headers }: Pick<FastifyRequest, 'headers'>): bigint | null {
  const header = headers['last-event-id'];
  if (header === undefined || header === '') return null;
  if (typeof header === 'string' && /^\d{1,18}$/.test(header)) return BigInt(header);
  throw invalidField('Last-Event-ID', 'must be the id of an event of this stream');
}
