import { A2aSigningKey } from './a2a-signing-key.entity.ts';
import { ApiKey } from './api-key.entity.ts';
import { Capability } from './capability.entity.ts';
import { DeviceSession } from './device-session.entity.ts';
import { PlatformGrant } from './platform-grant.entity.ts';
import { Platform } from './platform.entity.ts';
import { RefreshToken } from './refresh-token.entity.ts';
import { SigningKey } from './signing-key.entity.ts';
import { User } from './user.entity.ts';

/** Every entity, by name: discovery by folder would hide what belongs to the schema. */
export const entities = [
  User,
  RefreshToken,
  SigningKey,
  A2aSigningKey,
  Platform,
  ApiKey,
  PlatformGrant,
  DeviceSession,
  Capability,
] as const;
