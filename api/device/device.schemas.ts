import { z } from 'zod';
import { deviceSessionStatuses } from '../../domain/identity/device-code.ts';
import { datetime, text } from '../schemas.ts';

const agentPlatformType = z
  .string()
  .regex(/^[a-z0-9_-]{1,50}$/, 'must be 1 to 50 characters of a-z, 0-9, _ and -')
  .meta({
    description: 'Which kind of agent asks: openclaw, claude_desktop, cursor, custom_mcp, or another name',
    examples: ['openclaw'],
  });

const userCode = text(64).meta({
  description: 'As shown by the agent: 8 letters, in any case, with or without dash and spaces',
  examples: ['WDJB-MJHT'],
});

const seconds = z.int();

export const startBody = z
  .strictObject({ agent_platform_type: agentPlatformType })
  .meta({ id: 'DeviceAuthorizationRequest', examples: [{ agent_platform_type: 'openclaw' }] });

export const startedSession = z
  .object({
    device_code: z.string().meta({ description: 'For polling; the agent keeps it to itself' }),
    user_code: z.string().meta({ description: 'For the person: twice four letters', examples: ['WDJB-MJHT'] }),
    verification_url: z.string().meta({ description: 'Where the person approves; has the user code in it' }),
    expires_in: seconds.meta({ description: 'Seconds until both codes end' }),
    interval: seconds.meta({ description: 'Seconds to wait between two polls' }),
    agent_platform_type: z.string(),
  })
  .meta({ id: 'DeviceAuthorization' });

export const pollBody = z
  .strictObject({ device_code: text(200) })
  .meta({ id: 'DevicePollRequest', examples: [{ device_code: 'as answered by the start' }] });

export const pending = z
  .object({
    status: z.literal('pending'),
    interval: seconds.meta({ description: 'Seconds to wait before the next poll' }),
    expires_in: seconds.meta({ description: 'Seconds until the session ends' }),
    agent_platform_type: z.string(),
  })
  .meta({ id: 'DevicePollPending', description: 'With code 4801 while the person has not decided' });

export const approved = z
  .object({
    status: z.literal('approved'),
    api_key: z.string().meta({ description: 'Sent as X-Api-Key. The same in every poll until the session ends' }),
    user_id: z.uuid().meta({ description: 'Sent as X-Platform-User-Id: the key acts for this user only' }),
    agent_platform_type: z.string(),
  })
  .meta({ id: 'DevicePollApproved', description: 'With code 0' });

export const lookupQuery = z.strictObject({ user_code: userCode });

export const lookedUp = z
  .object({
    user_code: z.string(),
    agent_platform_type: z.string(),
    status: z.enum(deviceSessionStatuses),
    created_at: datetime,
    expires_at: datetime,
    address: z.string().nullable().meta({ description: 'The address from which the agent asked' }),
    user_agent: z.string().nullable().meta({ description: 'What the agent says of itself; anybody may say anything' }),
  })
  .meta({ id: 'DeviceSession' });

export const confirmBody = z
  .strictObject({ user_code: userCode, approve: z.boolean() })
  .meta({ id: 'DeviceConfirmRequest', examples: [{ user_code: 'WDJB-MJHT', approve: true }] });

export const confirmed = z
  .object({ status: z.enum(['approved', 'denied']), agent_platform_type: z.string() })
  .meta({ id: 'DeviceDecision' });
