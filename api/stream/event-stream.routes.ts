import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { MarketplaceError } from '../../domain/errors.ts';
import { eventsAfter } from '../../domain/store/event.store.ts';
import { findTransaction } from '../../domain/store/transaction.store.ts';
import { isTerminal, type TransactionStatus } from '../../domain/transaction/transaction.ts';
import type { Deps } from '../deps.ts';
import { admit, refusalsOf, securityOf, type Authenticate } from '../route.ts';
import { transactionParams } from '../transaction/transaction.schemas.ts';
import { bytesOf } from './event-bytes.ts';
import type { EventStream } from './event-stream.ts';
import { lastEventIdOf } from './last-event-id.ts';
import { transactionEvent } from './transaction-event.schemas.ts';

const batchSize = 100;
const access = 'caller';
const write = 'none';

/** `GET /api/v1/transactions/{tx_id}/events`: the events so far, then each as it commits, until a terminal status. */
export function eventStreamRoute(app: FastifyInstance, deps: Deps, authenticate: Authenticate): void {
  app.route({
    method: 'GET',
    url: '/api/v1/transactions/:tx_id/events',
    // A head without a body would hold a stream that nobody reads.
    exposeHeadRoute: false,
    schema: {
      operationId: 'streamTransactionEvents',
      summary: 'Follow a transaction (server-sent events)',
      description:
        'Each event: `id` is its sequence number, `event` its type, `data` the event as JSON. Send the last id as ' +
        'Last-Event-ID to go on from there. Comments keep the connection alive. The stream ends after a terminal status, ' +
        'and when your credential ends.\n\n' +
        'API keys need the operation `read`.',
      tags: ['transactions'],
      security: [...securityOf(access)],
      params: transactionParams,
      response: {
        200: {
          description: 'The stream; the schema is that of each `data`',
          content: { 'text/event-stream': { schema: transactionEvent } },
        },
        ...refusalsOf({ access, write, params: transactionParams, errors: ['not_found', 'not_a_party'] }),
      },
    },
    config: { access, write },
    preValidation: async (request) => {
      request.caller = await admit(access, 'read', authenticate, request);
    },
    handler: async (request, reply) => {
      const confirm = () => admit(access, 'read', authenticate, request);
      const { tx_id: id } = request.params as z.output<typeof transactionParams>;
      const userId = request.caller?.userId ?? '';
      const after = lastEventIdOf(request) ?? 0n;
      const state = await findTransaction(deps.orm.em.fork(), id);
      if (state === null) throw new MarketplaceError('not_found', null, { text: 'No such transaction.' });
      if (state.buyer_user_id !== userId && state.seller_user_id !== userId) throw new MarketplaceError('not_a_party');
      const start = { id, after, isOver: isTerminal(state.status) };
      await deps.streams.within(userId, () => follow(deps, deps.streams.open(reply, confirm), start, reply.log));
    },
  });
}

interface Start {
  readonly id: string;
  readonly after: bigint;
  /** Nothing will come any more. */
  readonly isOver: boolean;
}

async function follow(deps: Deps, stream: EventStream, start: Start, log: FastifyBaseLogger): Promise<void> {
  const { id } = start;
  let { after, isOver } = start;
  // Subscribed before the first look, so that nothing falls between the two.
  const unsubscribe = deps.eventFeed.subscribe(id, () => stream.wake());
  try {
    while (stream.isOpen) {
      const events = await eventsAfter(deps.orm.em, id, after, batchSize);
      for (const event of events) {
        await stream.write(bytesOf(event));
        after = BigInt(event.seq);
        if (isTerminal(event.data['status'] as TransactionStatus)) return;
      }
      if (events.length === batchSize) continue;
      // A transaction that had ended before this read was begun has no more events than it found.
      if (isOver) return;
      await stream.woken();
      if (events.length === 0) isOver = await hasEnded(deps, id);
    }
  } catch (error) {
    log.warn({ err: error }, 'event stream broke; the client resumes it');
  } finally {
    unsubscribe();
    stream.end();
  }
}

/** For a client that resumes after an event that its transaction does not have. */
async function hasEnded(deps: Deps, id: string): Promise<boolean> {
  const state = await findTransaction(deps.orm.em.fork(), id);
  return state === null || isTerminal(state.status);
}
