import type { FastifyInstance } from 'fastify';
import { noteApiKeyUse } from '../../domain/store/api-key.store.ts';
import type { Deps } from '../deps.ts';

/** Notes that keys were used, without a query on the way of the request. */
export interface KeyUseLog {
  note(apiKeyId: string, at: Date): void;
}

/** `last_used_at` is as exact as that; a busy key is not a write a request. */
const onceMs = 60_000;
const flushEveryMs = 3_000;

/** Collected in memory, written every few seconds and at close. What is lost by a crash is noted by a later use. */
export function openKeyUseLog(app: FastifyInstance, { orm, now }: Pick<Deps, 'orm' | 'now'>): KeyUseLog {
  const notedAtMs = new Map<string, number>();
  let waiting = new Map<string, Date>();
  let writing = Promise.resolve();
  const write = async () => {
    const due = waiting;
    waiting = new Map();
    if (due.size === 0) return;
    await noteApiKeyUse(orm.em.fork(), due).catch((error: unknown) => {
      for (const id of due.keys()) notedAtMs.delete(id);
      app.log.warn({ err: error }, 'last use of keys not noted');
    });
  };
  // One after the other, so that the last at close has waited for all before.
  const flush = async () => await (writing = writing.then(write));
  const timer = setInterval(() => {
    const before = now().getTime() - onceMs;
    for (const [id, atMs] of notedAtMs) if (atMs <= before) notedAtMs.delete(id);
    void flush();
  }, flushEveryMs);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush();
  });
  return {
    note(apiKeyId, at) {
      const last = notedAtMs.get(apiKeyId);
      if (last !== undefined && at.getTime() - last < onceMs) return;
      notedAtMs.set(apiKeyId, at.getTime());
      waiting.set(apiKeyId, at);
    },
  };
}
