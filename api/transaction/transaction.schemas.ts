import { z } from 'zod';
import { resolveOutcomes } from '../../domain/transaction/lifecycle.ts';
import { transactionOrigins, transactionStatuses, transactionTypes } from '../../domain/transaction/transaction.ts';
import { bodyKey, datetime, jsonObject, pagedOf, pageQuery, text, ut, utInput, uuid } from '../schemas.ts';

/** Inline data only: larger results belong behind an address. */
const maxPayloadBytes = 64 * 1024;

const object = z.record(z.string(), z.unknown());
const payload = jsonObject.refine(
  (given) => Buffer.byteLength(JSON.stringify(given)) <= maxPayloadBytes,
  'must not be larger than 64 KiB; send an address instead',
);
const words = text(2_000);

export const transactionParams = z.object({ tx_id: uuid });

export const createTransactionBody = z
  .strictObject({
    capability_id: uuid,
    demand_id: uuid.nullish(),
    context_id: uuid.nullish(),
    booked_hours: z.int().min(1).max(8_760).nullish().describe('required for per_hour, refused otherwise'),
    idempotency_key: bodyKey.optional(),
  })
  .meta({ id: 'CreateTransactionRequest', examples: [{ capability_id: '019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d' }] });

export const deliverBody = z
  .strictObject({ result_payload: payload.nullish() })
  .meta({ id: 'DeliverRequest', examples: [{ result_payload: { answer: 42 } }] })
  .nullish();

export const disputeBody = z
  .strictObject({ reason: words, evidence: payload.nullish() })
  .meta({ id: 'DisputeRequest', examples: [{ reason: 'The delivered file is empty.', evidence: { file_size: 0 } }] });

export const requestChangesBody = z
  .strictObject({ note: words })
  .meta({ id: 'RequestChangesRequest', examples: [{ note: 'Please add the sources.' }] });

export const resolveBody = z
  .strictObject({ outcome: z.enum(resolveOutcomes), seller_share_ut: utInput.optional(), note: words })
  .refine((body) => (body.outcome === 'split') === (body.seller_share_ut !== undefined), {
    path: ['seller_share_ut'],
    message: 'is required for the outcome split, and only there',
  })
  .meta({ examples: [{ outcome: 'split', seller_share_ut: '4.00', note: 'Half was usable.' }] });

export const listTransactionsQuery = z.strictObject({
  role: z.enum(['buyer', 'seller', '']).default('').describe('empty for all'),
  status: z.enum([...transactionStatuses, '']).default(''),
  capability_id: uuid.optional(),
  context_id: uuid.optional(),
  ...pageQuery,
});

const time = datetime.nullable();

/** TransactionResponse of the interface, with the extra fields of its decisions. */
export const transaction = z
  .object({
    id: z.uuid(),
    buyer_user_id: z.uuid(),
    seller_user_id: z.uuid(),
    capability_id: z.uuid(),
    demand_id: z.uuid().nullable(),
    task_id: z.uuid().nullable(),
    skill_id: z.uuid().nullable(),
    transaction_type: z.enum(transactionTypes),
    origin: z.enum(transactionOrigins),
    context_id: z.uuid(),
    price_ut: ut,
    booked_hours: z.int().nullable(),
    status: z.enum(transactionStatuses),
    status_reason: z.string().nullable(),
    frozen_at: time,
    accepted_at: time,
    delivered_at: time,
    confirmed_at: time,
    settled_at: time,
    disputed_at: time,
    acceptance_deadline: time,
    delivery_deadline: time,
    auto_confirm_at: time,
    result_payload: object.nullable(),
    created_at: datetime,
    updated_at: datetime,
  })
  .meta({ id: 'Transaction' });

export const transactionPage = pagedOf(transaction).meta({ id: 'TransactionPage' });
