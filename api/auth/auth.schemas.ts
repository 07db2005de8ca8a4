import { z } from 'zod';
import { roles } from '../../domain/caller.ts';
import { datetime, pagedOf, pageQuery, text, uuid } from '../schemas.ts';

const maxEmailCharacters = 254;
const maxPasswordCharacters = 200;

const email = z
  .string()
  .max(maxEmailCharacters)
  .trim()
  .toLowerCase()
  .pipe(z.email('must be an e-mail address'))
  .meta({ examples: ['ada@example.com'] });
const refreshToken = z.string().min(1).max(200);

export const registerBody = z
  .strictObject({
    email,
    password: z
      .string()
      .min(12)
      .max(maxPasswordCharacters)
      .meta({ examples: ['correct horse battery staple'] }),
    display_name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  })
  .meta({
    id: 'RegisterRequest',
    examples: [{ email: 'ada@example.com', password: 'correct horse battery staple', display_name: 'Ada' }],
  });

/** The rules of registration are left out: what does not keep them is simply wrong. */
export const loginBody = z
  .strictObject({ email: text(maxEmailCharacters), password: z.string().max(maxPasswordCharacters) })
  .meta({ id: 'LoginRequest', examples: [{ email: 'ada@example.com', password: 'correct horse battery staple' }] });

export const refreshBody = z
  .strictObject({ refresh_token: refreshToken })
  .meta({ id: 'RefreshTokenRequest', examples: [{ refresh_token: 'as answered by login' }] });

export const user = z
  .object({
    id: z.uuid(),
    email: z.string(),
    display_name: z.string(),
    roles: z.array(z.enum(roles)),
    created_at: datetime,
  })
  .meta({ id: 'User' });

export const session = z
  .object({
    access_token: z
      .string()
      .meta({ description: 'JWT, sent as Authorization: Bearer; checked by /.well-known/jwks.json' }),
    refresh_token: z.string().meta({ description: 'Works once; each refresh answers the next' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds that the access token lives' }),
    user,
  })
  .meta({ id: 'Session' });

export const loggedOut = z.object({ logged_out: z.literal(true) });

export const platformParams = z.object({ platform_id: uuid });
export const grantQuery = z.strictObject({ platform_id: uuid.optional(), ...pageQuery });
export const grant = z
  .object({ platform_id: z.uuid(), platform_name: z.string(), created_at: datetime })
  .meta({ id: 'PlatformGrant' });
export const grantPage = pagedOf(grant).meta({ id: 'PlatformGrantPage' });
export const deleted = z.object({ id: z.uuid(), deleted: z.literal(true) });
