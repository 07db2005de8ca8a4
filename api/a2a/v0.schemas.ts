import { z } from 'zod';

/** What v0.1 sends. Unlike bodies of our own these may have more fields: clients add what later versions brought. */

const metadata = z.record(z.string(), z.unknown()).nullish();
const taskId = z.string().min(1).max(255);

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('data'), data: z.unknown() }),
  z.object({ type: z.literal('file') }),
]);

export const sendParams = z.object({
  id: taskId,
  sessionId: z.string().min(1).max(255).nullish(),
  message: z.object({ role: z.literal('user'), parts: z.array(part).min(1).max(100), metadata }),
  pushNotification: z.unknown().optional(),
  metadata,
});

export const taskParams = z.object({ id: taskId, metadata });
