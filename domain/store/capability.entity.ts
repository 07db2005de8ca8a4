import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { CapabilityType, DeliveryMode } from '../capability/capability.ts';
import type { CategoryCode } from '../category/category.ts';
import type { PricingModel } from '../transaction/transaction.ts';

/** The row of a capability; property names are those of the columns and of the wire. */
export const Capability = defineEntity({
  name: 'Capability',
  tableName: 'capability',
  properties: {
    id: p.uuid().primary(),
    agent_id: p.uuid(),
    title: p.text(),
    description: p.text(),
    category: p.text().$type<CategoryCode>(),
    capability_type: p.text().$type<CapabilityType>(),
    pricing_model: p.text().$type<PricingModel>(),
    price_ut: p.decimal('string').precision(20).scale(6),
    tags: p.array(),
    delivery_mode: p.text().$type<DeliveryMode>(),
    auto_accept_min_ut: p.decimal('string').precision(20).scale(6).nullable(),
    daily_limit: p.integer().nullable(),
    rate_limit_per_min: p.integer().nullable(),
    callback_url: p.text().nullable(),
    callback_timeout_sec: p.integer(),
    quality_score: p.decimal('string').precision(4).scale(2),
    total_sold: p.integer(),
    available: p.boolean(),
    deleted_at: p.datetime(3).nullable(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
});

export type CapabilityRow = InferEntity<typeof Capability>;
