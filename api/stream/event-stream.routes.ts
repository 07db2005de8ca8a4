import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { MarketplaceError, invalidField } from '../../domain/errors.ts';
import { eventsAfter } from '../../domain/store/event.store.ts';
import { findTransaction } from '../../domain/store/transaction.store.ts';
import { isTerminal, type TransactionStatus } from '../../domain/transaction/transaction.ts';
import type { Deps } from '../deps.ts';
import { errorEnvelopeOf } from '../envelope.ts';
import { admit, securityOf, type Authenticate } from '../route.ts';
import { transactionParams } from '../transaction/transaction.schemas.ts';
import { EventStream } from './event-stream.ts';
import { StreamLimit } from './stream-limit.ts';

const batchSize = 100;
const maxStreamsPerUser = 20;

/** `GET /api/v1/transactions/{tx_id}/events`: the events so far, then each as it commits, until a terminal status. */
export function eventStreamRoute(app: FastifyInstance, deps: Deps, authenticate: Authenticate): void {
  const limit = new StreamLimit(maxStreamsPerUser);
  app.route({
    method: 'GET',
    url: '/api/v1/transactions/:tx_id/events',
    schema: {
      operationId: 'streamTransactionEvents',
      summary: 'Follow a transaction (server-sent events)',
      description:
        'Each event: `id` is its sequence number, `event` its type, `data` the event as JSON. Send the last id as ' +
        'Last-Event-ID to go on from there. Comments keep the connection alive. The stream ends after a terminal status.\n\n' +
        'API keys need the operation `read`.',
      tags: ['transactions'],
      security: [...securityOf('caller')],
      params: transactionParams,
      response: {
        200: { description: 'The stream', content: { 'text/event-stream': { schema: z.string() } } },
        ...errorResponses,
      },
    },
    config: { access: 'caller', write: 'none' },
    preValidation: async (request) => {
      request.caller = await admit('caller', 'read', authenticate, request);
    },
    handler: async (request, reply) => {
      const { tx_id: id } = request.params as z.output<typeof transactionParams>;
      const userId = request.caller?.userId ?? '';
      const after = lastEventId(request.headers['last-event-id']);
      const state = await findTransaction(deps.orm.em.fork(), id);
      if (state === null) throw new MarketplaceError('not_found', null, { text: 'No such transaction.' });
      if (state.buyer_user_id !== userId && state.seller_user_id !== userId) throw new MarketplaceError('not_a_party');
      await limit.within(userId, () => follow(deps, reply, id, after));
    },
  });
}

const errorResponses = {
  401: errorEnvelopeOf(['unauthenticated', 'token_expired', 'invalid_api_key']),
  403: errorEnvelopeOf(['forbidden', 'not_a_party', 'user_not_granted']),
  404: errorEnvelopeOf(['not_found']),
  422: errorEnvelopeOf(['validation_failed']),
  429: errorEnvelopeOf(['rate_limited']),
  500: errorEnvelopeOf(['internal_error']),
  503: errorEnvelopeOf(['unavailable']),
};

function lastEventId(header: string | string[] | undefined): bigint {
  if (header === undefined || header === '') return 0n;
  if (typeof header !== 'string' || !/^\d{1,18}$/.test(header)) {
    throw invalidField('Last-Event-ID', 'must be the id of an event of this stream');
  }
  return BigInt(header);
}

async function follow(deps: Deps, reply: FastifyReply, id: string, after: bigint): Promise<void> {
  const stream = new EventStream(reply, deps.eventFeed.closed);
  // Subscribed before the first look, so that nothing falls between the two.
  const unsubscribe = deps.eventFeed.subscribe(id, () => stream.wake());
  let seen = after;
  try {
    while (stream.isOpen) {
      const events = await eventsAfter(deps.orm.em.fork(), id, seen, batchSize);
      for (const event of events) {
        await stream.send({ id: event.seq, event: event.type, data: event });
        seen = BigInt(event.seq);
        if (isTerminal(event.data['status'] as TransactionStatus)) return;
      }
      if (events.length === 0 && (await hasEnded(deps, id))) return;
      if (events.length < batchSize) await stream.woken();
    }
  } catch (error) {
    reply.log.warn({ err: error }, 'event stream broke; the client resumes it');
  } finally {
    unsubscribe();
    stream.end();
  }
}

/** A client that resumes after the last event of an ended transaction waits for nothing. */
async function hasEnded(deps: Deps, id: string): Promise<boolean> {
  const state = await findTransaction(deps.orm.em.fork(), id);
  return state === null || isTerminal(state.status);
}
