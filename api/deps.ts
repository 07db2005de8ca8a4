import type { MikroORM } from '@mikro-orm/postgresql';
import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../domain/caller.ts';
import type { Settings } from '../domain/settings.ts';
import type { Em } from '../domain/store/orm.ts';
import type { EndedSessions } from './auth/ended-session.ts';
import type { Secrets } from './auth/secrets.ts';
import type { EventFeed } from './stream/event-feed.ts';
import type { OpenStreams } from './stream/open-stream.ts';
import type { TransactionWorkflows } from './transaction/transaction.workflows.ts';

/** What one API process owns. Made in `main.ts` and in the tests' harness, handed down by argument. */
export interface Deps {
  readonly orm: MikroORM;
  readonly workflows: TransactionWorkflows;
  readonly eventFeed: EventFeed;
  readonly streams: OpenStreams;
  readonly secrets: Secrets;
  readonly endedSessions: EndedSessions;
  readonly settings: Settings;
  readonly now: () => Date;
}

/** Which earlier request this one may be the retry of. */
export interface IdempotencyClaim {
  readonly userId: string;
  readonly key: string;
  readonly requestHash: string;
}

/** What one request works with. `em` is its own fork, inside a SQL transaction for a plain write. */
export interface Context<C extends Caller | null = Caller> {
  readonly em: Em;
  readonly caller: C;
  readonly workflows: TransactionWorkflows;
  readonly eventFeed: EventFeed;
  readonly secrets: Secrets;
  readonly endedSessions: EndedSessions;
  readonly settings: Settings;
  readonly now: () => Date;
  readonly log: FastifyBaseLogger;
  readonly requestId: string;
  /** Where the request comes from, as far as the proxies in front are to be believed. */
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly idempotency: IdempotencyClaim | null;
  /** A new id of this kind: derived from caller and idempotency key where there is one, else UUIDv7. */
  readonly newId: (kind: string) => string;
}
