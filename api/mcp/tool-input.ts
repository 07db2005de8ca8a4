import { z } from 'zod';
import { bodyKey, uuid } from '../schemas.ts';

/** Inputs that several tools share. */

export const idempotencyKey = bodyKey
  .optional()
  .describe(
    'Required for agents, here or as the HTTP header Idempotency-Key: a new unique text for each thing you want done, ' +
      'the same one when you repeat the call. A repeated call gets the first one’s answer.',
  );

/** Smaller than that of REST: a model reads every item. */
export const pageSize = z.coerce.number().int().min(1).max(50).default(10);

export const transactionId = uuid.describe('id of a transaction of yours');
