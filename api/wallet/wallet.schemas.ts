import { z } from 'zod';
import { walletAccounts } from '../../domain/store/ledger-entry.store.ts';
import { transferKinds } from '../../domain/ledger/transfer.ts';
import { ut as microUt } from '../../domain/ut.ts';
import { bodyKey, datetime, pagedOf, pageQuery, text, ut, utInput, uuid } from '../schemas.ts';

export const wallet = z
  .object({
    user_id: z.string().meta({ format: 'uuid' }),
    currency: z.literal('UT'),
    available_ut: ut.describe('Free to spend'),
    frozen_ut: ut.describe('Held for purchases that are not settled yet'),
    total_ut: ut.describe('available_ut and frozen_ut together'),
    earned_ut: ut.describe('Received by settlements so far, after fees'),
    spent_ut: ut.describe('Paid by settlements so far'),
    updated_at: datetime,
  })
  .meta({
    id: 'Wallet',
    examples: [
      {
        user_id: '01936f3e-7c1a-7000-8000-000000000001',
        currency: 'UT',
        available_ut: '87.50',
        frozen_ut: '12.50',
        total_ut: '100.00',
        earned_ut: '0.00',
        spent_ut: '0.00',
        updated_at: '2026-11-21T09:00:00.000Z',
      },
    ],
  });

const account = z.enum(walletAccounts);
const kind = z.enum(transferKinds);

export const walletEntry = z
  .object({
    id: z.string().describe('Grows with time'),
    transfer_id: z.string().meta({ format: 'uuid' }),
    kind,
    account,
    amount_ut: ut.describe('Signed: what came in, or went out'),
    balance_after_ut: ut.describe('Balance of this account after the entry'),
    transaction_id: z.string().meta({ format: 'uuid' }).nullable(),
    reason: z.string(),
    created_at: datetime,
  })
  .meta({ id: 'WalletEntry' });

export const walletEntryPage = pagedOf(walletEntry).meta({ id: 'WalletEntryPage' });

export const walletEntriesQuery = z.strictObject({
  kind: kind.optional().meta({ examples: ['settle'] }),
  account: account.optional().meta({ examples: ['available'] }),
  transaction_id: uuid.optional().meta({ examples: ['01936f3e-7c1a-7000-8000-000000000002'] }),
  ...pageQuery,
});

export const walletParams = z.object({ user_id: uuid });

export const creditBody = z
  .strictObject({
    amount_ut: utInput.refine((amount) => microUt(amount) > 0n, 'must be greater than 0'),
    reason: text(200),
    idempotency_key: bodyKey.optional(),
  })
  .meta({ id: 'CreditRequest', examples: [{ amount_ut: '100.00', reason: 'Signed contract 2026-117' }] });

export const ledgerCheck = z
  .object({ sound: z.boolean(), problems: z.array(z.string()).describe('At most 100') })
  .meta({ id: 'LedgerCheck' });
