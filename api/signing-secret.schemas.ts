import { z } from 'zod';
import { bodyKey } from './schemas.ts';

/** The body of a request for a new signing secret, of a callback or a webhook. */
export const rotateSecretBody = z
  .strictObject({
    immediately: z
      .boolean()
      .default(false)
      .describe('true: every earlier secret stops signing at once. For a secret that has leaked'),
    idempotency_key: bodyKey.optional(),
  })
  .nullish()
  .meta({ examples: [{ immediately: true }] });
