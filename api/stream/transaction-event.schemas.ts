import { z } from 'zod';
import { transactionStatuses } from '../../domain/transaction/transaction.ts';
import { event } from './feed.schemas.ts';

/** An event of a transaction, as its stream tells it. */
export const transactionEvent = event
  .extend({
    transaction_id: z.uuid(),
    step: z.int().describe('Counts the changes of the transaction, from 1'),
    operation: z.string().meta({ description: 'What led to it', examples: ['freeze'] }),
    data: z.looseObject({ status: z.enum(transactionStatuses).optional().describe('The status from then on') }),
  })
  .meta({ id: 'TransactionEvent' });
