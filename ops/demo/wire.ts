import { z } from 'zod';
import { transactionStatuses } from '../../domain/transaction/transaction.ts';

/** What the demo looks at in answers that the client has no types of: administration, and the data of refusals. */

export const creditedWallet = z.object({ available_ut: z.string() });
export type CreditedWallet = z.output<typeof creditedWallet>;

export const platform = z.object({ id: z.uuid(), name: z.string() });
export const apiKey = z.object({ id: z.uuid(), prefix: z.string(), api_key: z.string().optional() });
export const platformGrant = z.object({ platform_id: z.uuid(), user_id: z.uuid() });
export const revoked = z.object({ id: z.uuid() });

export const resolved = z.object({ status: z.enum(transactionStatuses), status_reason: z.string().nullable() });
export const ledgerCheck = z.object({ sound: z.boolean(), problems: z.array(z.string()) });

export const callFailure = z.object({ transaction_id: z.uuid() });
export const invalidField = z.object({ errors: z.array(z.object({ path: z.string() })) });
export const devicePending = z.object({ status: z.literal('pending'), interval: z.int() });
