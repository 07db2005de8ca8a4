import { z } from 'zod';
import { roles } from '../../domain/caller.ts';
import { datetime, text } from '../schemas.ts';

const maxEmailCharacters = 254;
const maxPasswordCharacters = 200;

const email = z
  .string()
  .max(maxEmailCharacters)
  .trim()
  .toLowerCase()
  .pipe(z.email('must be an e-mail address'))
  .meta({ examples: ['ada@example.com'] });
const newPassword = z
  .string()
  .min(12)
  .max(maxPasswordCharacters)
  .regex(/^[^\0]*$/, 'must not contain the character NUL')
  .meta({ examples: ['correct horse battery staple'] });
const refreshToken = z.string().min(1).max(200);

export const registerBody = z
  .strictObject({
    email,
    password: newPassword,
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

export const passwordBody = z
  .strictObject({ current_password: z.string().max(maxPasswordCharacters), new_password: newPassword })
  .meta({
    id: 'PasswordChangeRequest',
    examples: [{ current_password: 'correct horse battery staple', new_password: 'battery staple correct horse' }],
  });

export const refreshBody = z
  .strictObject({ refresh_token: refreshToken })
  .meta({ id: 'RefreshTokenRequest', examples: [{ refresh_token: 'as answered by login' }] });

export const user = z
  .object({
    id: z.uuid(),
    email: z.string().nullable().meta({
      description: 'Null where an external issuer gave no verified address, or one that another account has',
    }),
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
export const endedSessions = z.object({
  ended_sessions: z.int().meta({ description: 'How many sessions were ended' }),
});
