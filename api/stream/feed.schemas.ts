import { z } from 'zod';
import { datetime, uuid } from '../schemas.ts';

const example = {
  seq: '4711',
  type: 'transaction.frozen',
  transaction_id: '019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d',
  step: 2,
  operation: 'freeze',
  actor_type: 'buyer',
  actor_user_id: '019ab7c2-1111-7a61-9c55-0f5f5a1b2c3d',
  data: { status: 'frozen', status_reason: null },
  created_at: '2026-11-21T09:00:00.000Z',
};

const seq = z.string().meta({ description: 'Orders all events; a decimal number', examples: ['4711'] });

export const event = z
  .object({
    seq,
    type: z.string().describe('`transaction.` and what happened, or another kind: expect new ones'),
    transaction_id: z.uuid().nullable().describe('null, as step and operation, for what belongs to no transaction'),
    step: z.int().nullable().describe('Counts the changes of a transaction, from 1'),
    operation: z.string().nullable(),
    actor_type: z.string().describe('buyer, seller, admin, operator, system …'),
    actor_user_id: z.uuid().nullable(),
    data: z
      .record(z.string(), z.unknown())
      .describe('Of a transaction: its status and status_reason, and what was said'),
    created_at: datetime,
  })
  .meta({ id: 'Event', examples: [example] });

export const eventPage = z
  .object({
    items: z.array(event),
    next_after: seq.describe('Send it as `after` to go on, also where has_more is false'),
    has_more: z.boolean().describe('There is more already'),
  })
  .meta({ id: 'EventPage', examples: [{ items: [example], next_after: '4711', has_more: false }] });

const position = z
  .string()
  .regex(/^\d{1,18}$/, 'must be the seq of an event, or 0')
  .transform(BigInt);

export const feedQuery = z.strictObject({
  after: position.optional().meta({
    description: 'Events after this number. Left out: a page starts at the first, a stream with what happens now',
    type: 'string',
    pattern: String.raw`^\d{1,18}$`,
    examples: ['4711'],
  }),
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Of a page; a stream has none'),
  transaction_id: uuid.optional().describe('Events of one transaction'),
  type: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[a-z0-9_.]+$/, 'must be the type of an event')
    .optional()
    .meta({ description: 'Events of one type', examples: ['transaction.settled'] }),
});
export type FeedQuery = z.output<typeof feedQuery>;
