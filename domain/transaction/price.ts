import { invalidField, MarketplaceError } from '../errors.ts';
import { formatUt, multiplyUt, ut } from '../ut.ts';
import type { PricingModel, TransactionTerms } from './transaction.ts';

const hourMs = 3_600_000;
/** What a booked service gets on top of its hours to deliver. */
const bookedGraceMs = 24 * hourMs;

interface Priced {
  readonly pricing_model: PricingModel;
  readonly price_ut: string;
  readonly auto_accept_min_ut: string | null;
}

export interface Quote {
  readonly price_ut: string;
  readonly booked_hours: number | null;
  readonly auto_accept: boolean;
  readonly terms: TransactionTerms;
}

/**
 * What a purchase costs and on which terms: unit price, times the booked hours for per_hour. Source: decisions on price,
 * delivery_deadline and auto_accept_min_ut. Throws validation_failed where hours are missing or out of place.
 */
export function quote(priced: Priced, bookedHours: number | null, defaults: TransactionTerms): Quote {
  const perHour = priced.pricing_model === 'per_hour';
  if (perHour && bookedHours === null)
    throw invalidField('booked_hours', 'is required for a capability priced per_hour');
  if (!perHour && bookedHours !== null) {
    throw invalidField('booked_hours', `is only for per_hour; this capability is priced ${priced.pricing_model}`);
  }
  const price = multiplyUt(ut(priced.price_ut), bookedHours ?? 1);
  if (price === null)
    throw new MarketplaceError('validation_failed', null, { text: 'The price is larger than any amount.' });
  const booked = bookedHours === null ? {} : { deliveryTimeoutMs: bookedHours * hourMs + bookedGraceMs };
  return {
    price_ut: formatUt(price),
    booked_hours: bookedHours,
    auto_accept: priced.auto_accept_min_ut !== null && price >= ut(priced.auto_accept_min_ut),
    terms: { ...defaults, ...booked },
  };
}
