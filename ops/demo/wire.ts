import { z } from 'zod';
import { transactionStatuses } from '../../domain/transaction/transaction.ts';

/** The parts of the service's answers that the demo looks at. */

export const envelope = z.object({ code: z.int(), message: z.string(), data: z.unknown() });
export type Envelope = z.output<typeof envelope>;

export const user = z.object({ id: z.uuid(), email: z.string(), roles: z.array(z.string()) });
export const session = z.object({ access_token: z.string(), user });
export type Session = z.output<typeof session>;

export const wallet = z.object({ available_ut: z.string(), frozen_ut: z.string(), total_ut: z.string() });
export type Wallet = z.output<typeof wallet>;

export const capability = z.object({
  id: z.uuid(),
  title: z.string(),
  price_ut: z.string(),
  pricing_model: z.string(),
  /** In the first answer to its creation only, and null where it is not called. */
  callback_secret: z.string().nullish(),
});
export type Capability = z.output<typeof capability>;

export const transaction = z.object({
  id: z.uuid(),
  price_ut: z.string(),
  status: z.enum(transactionStatuses),
  status_reason: z.string().nullable(),
  acceptance_deadline: z.string().nullable(),
  delivery_deadline: z.string().nullable(),
  auto_confirm_at: z.string().nullable(),
  result_payload: z.record(z.string(), z.unknown()).nullable(),
});
export type Transaction = z.output<typeof transaction>;
export const transactionPage = z.object({ items: z.array(transaction), total: z.int() });

export const invocation = z.object({
  transaction_id: z.uuid(),
  result: z.record(z.string(), z.unknown()).nullable(),
  charged_ut: z.string(),
  latency_ms: z.number(),
});
export const callFailure = z.object({ transaction_id: z.uuid() });
export const invalidField = z.object({ errors: z.array(z.object({ path: z.string() })) });

export const platform = z.object({ id: z.uuid(), name: z.string() });
export const apiKey = z.object({ id: z.uuid(), prefix: z.string(), api_key: z.string().optional() });
export const platformGrant = z.object({ platform_id: z.uuid(), user_id: z.uuid() });
export const deviceSession = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_url: z.string(),
  expires_in: z.int(),
  interval: z.int(),
});
export type DeviceSession = z.output<typeof deviceSession>;
export const devicePending = z.object({ status: z.literal('pending'), interval: z.int() });
export type DevicePending = z.output<typeof devicePending>;
export const deviceKey = z.object({ status: z.literal('approved'), api_key: z.string(), user_id: z.uuid() });
export type DeviceKey = z.output<typeof deviceKey>;
export const deviceLookup = z.object({
  agent_platform_type: z.string(),
  status: z.string(),
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
});
export const deviceDecision = z.object({ status: z.enum(['approved', 'denied']), agent_platform_type: z.string() });

export const deleted = z.object({ id: z.uuid(), deleted: z.literal(true) });

export const transactionEvent = z.object({
  operation: z.string(),
  data: z.object({ status: z.enum(transactionStatuses).optional() }),
});

export const ledgerCheck = z.object({ sound: z.boolean(), problems: z.array(z.string()) });
