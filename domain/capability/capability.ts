import type { CategoryCode } from '../category/category.ts';
import { MarketplaceError } from '../errors.ts';
import type { PricingModel } from '../transaction/transaction.ts';
import { ut } from '../ut.ts';
import { refusedAddress } from './callback-address.ts';

/** A priced service that a buyer purchases, or that an agent calls; names as on the wire, decimals as strings. */

export const capabilityTypes = [
  'data',
  'compute',
  'service',
  'tool',
  'account_sharing',
  'knowledge',
  'api',
  'workflow',
] as const;
export type CapabilityType = (typeof capabilityTypes)[number];

export const deliveryModes = ['instant', 'async'] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

/** The models that the platform serves by calling the seller: without an address there is nothing to sell. */
const calledModels: readonly PricingModel[] = ['per_query', 'per_use'];

export const titleMaxLength = 200;
export const descriptionMaxLength = 4000;
export const callbackUrlMaxLength = 2000;
export const callbackTimeoutSec = { min: 5, max: 120, default: 30 } as const;
export const batchMaxItems = 50;

/** What its owner may say of a capability. */
export interface CapabilityTerms {
  readonly title: string;
  readonly description: string;
  readonly category: CategoryCode;
  readonly capability_type: CapabilityType;
  readonly pricing_model: PricingModel;
  readonly price_ut: string;
  readonly tags: readonly string[];
  readonly delivery_mode: DeliveryMode;
  readonly auto_accept_min_ut: string | null;
  readonly daily_limit: number | null;
  readonly rate_limit_per_min: number | null;
  readonly callback_url: string | null;
  readonly callback_timeout_sec: number;
}

/** A capability as the wire shows it; `callback_url` is null for everyone but its owner. */
export interface CapabilityRecord extends CapabilityTerms {
  readonly id: string;
  readonly agent_id: string;
  readonly quality_score: string;
  readonly total_sold: number;
  readonly available: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What a purchase needs to know of a capability. */
export interface OfferedCapability {
  readonly id: string;
  readonly agent_id: string;
  readonly title: string;
  readonly pricing_model: PricingModel;
  readonly price_ut: string;
  readonly auto_accept_min_ut: string | null;
  readonly available: boolean;
}

/** What an invocation needs to know of a capability, of its limits at this moment, and of the buyer's money. */
export interface InvocableCapability extends OfferedCapability {
  readonly callback_url: string | null;
  readonly callback_timeout_sec: number;
  readonly has_secret: boolean;
  readonly balance_ut: string;
  readonly reached: 'day' | 'minute' | null;
  readonly wait_sec: number | null;
}

/**
 * Refuses what cannot be invoked now, before anything is started for it. Balance and limits are checked once more, and
 * exactly, when the price is frozen. Answers the address to call.
 */
export function checkInvocable(capability: InvocableCapability, buyerId: string): string {
  const { callback_url, price_ut, balance_ut, reached, wait_sec } = capability;
  if (capability.agent_id === buyerId) throw new MarketplaceError('self_dealing');
  if (!capability.available) throw conflict('This capability is not available now.');
  if (!calledModels.includes(capability.pricing_model))
    throw conflict(`This capability is priced ${capability.pricing_model}; buy it by POST /api/v1/transactions.`);
  if (callback_url === null) throw conflict('This capability has no callback_url to call.');
  if (!capability.has_secret)
    throw conflict('This capability has no signing secret yet; its seller makes one by rotate-secret.');
  if (reached !== null)
    throw new MarketplaceError(reached === 'day' ? 'daily_limit_reached' : 'rate_limited', {
      retry_after_sec: wait_sec,
    });
  if (ut(balance_ut) < ut(price_ut))
    throw new MarketplaceError('insufficient_balance', { available_ut: balance_ut, required_ut: price_ut });
  return callback_url;
}

function conflict(text: string): MarketplaceError {
  return new MarketplaceError('conflict', null, { text });
}

/** Refuses terms that no shape can tell to be wrong, naming every field at fault. */
export function checkTerms(
  terms: Pick<CapabilityTerms, 'pricing_model' | 'callback_url'>,
  callbackAllowPrivate: boolean,
): void {
  const errors: { path: string; message: string }[] = [];
  if (terms.callback_url === null && calledModels.includes(terms.pricing_model)) {
    errors.push({ path: 'callback_url', message: `is required when pricing_model is ${calledModels.join(' or ')}` });
  }
  const refused = terms.callback_url === null ? null : refusedAddress(terms.callback_url, callbackAllowPrivate);
  if (refused !== null) errors.push({ path: 'callback_url', message: refused });
  if (errors.length > 0) throw new MarketplaceError('validation_failed', { errors });
}
