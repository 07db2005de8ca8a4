import { z } from 'zod';

/** What v0.1 sends. Unlike bodies of our own these may have more fields: clients add what later versions brought. */

const metadata = z.record(z.string(), z.unknown()).nullish();
const taskId = z.string().min(1).max(255);

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('data'), data: z.unknown() }),
  z.object({ type: z.literal('file') }),
]);

const pushNotification = z
  .object({
    url: z.string().min(1),
    token: z.string().min(1).nullish(),
    authentication: z
      .object({ schemes: z.array(z.string()).max(20), credentials: z.string().min(1).nullish() })
      .nullish(),
  })
  .nullable();

export const sendParams = z.object({
  id: taskId,
  sessionId: z.string().min(1).max(255).nullish(),
  message: z.object({ role: z.literal('user'), parts: z.array(part).min(1).max(100), metadata }),
  pushNotification: pushNotification.optional(),
  metadata,
});

/** Null takes away what was set. */
export const setPushParams = z.object({ id: taskId, pushNotificationConfig: pushNotification });

export const taskParams = z.object({ id: taskId, metadata });
