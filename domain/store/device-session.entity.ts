import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { DeviceSessionStatus } from '../identity/device-code.ts';

/** An agent that asks for a key, and what the person it asked said. Both codes are kept as hashes only. */
export const DeviceSession = defineEntity({
  name: 'DeviceSession',
  tableName: 'device_session',
  properties: {
    id: p.uuid().primary(),
    device_code_hash: p.blob().hidden(),
    user_code_hash: p.blob().hidden(),
    agent_platform_type: p.text(),
    address: p.text().strictNullable(),
    network: p.text(),
    user_agent: p.text().strictNullable(),
    status: p.text().$type<DeviceSessionStatus>(),
    user_id: p.uuid().strictNullable(),
    decided_at: p.datetime(3).strictNullable(),
    api_key_id: p.uuid().strictNullable(),
    sealed_api_key: p.blob().strictNullable().hidden(),
    interval_sec: p.integer(),
    last_polled_at: p.datetime(3).strictNullable(),
    looked_up_by: p.array().$type<string[]>(),
    created_at: p.datetime(3),
    expires_at: p.datetime(3),
  },
});

export type DeviceSessionRow = InferEntity<typeof DeviceSession>;
