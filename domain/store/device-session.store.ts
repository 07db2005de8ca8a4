import { LockMode } from '@mikro-orm/core';
import { DeviceSession, type DeviceSessionRow } from './device-session.entity.ts';
import type { Em } from './orm.ts';

export interface NewDeviceSession {
  readonly id: string;
  readonly deviceCodeHash: Buffer;
  readonly userCodeHash: Buffer;
  readonly agentPlatformType: string;
  /** Null where the proxy in front named none. */
  readonly address: string | null;
  /** What sessions of one asker are counted by. */
  readonly network: string;
  readonly userAgent: string | null;
  readonly intervalSec: number;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Until the end of the SQL transaction nobody else starts a session from this network. */
export async function lockNetwork(em: Em, network: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 7234))', [network]);
}

/** How many sessions of a network wait, and when the first of them ends. */
export async function pendingOfNetwork(
  em: Em,
  network: string,
  at: Date,
): Promise<{ readonly count: number; readonly firstEnd: Date | null }> {
  const [row] = await em.execute<[{ count: string; first_end: string | Date | null }]>(
    `select count(*) as count, min(expires_at) as first_end from device_session
     where network = ? and status = 'pending' and expires_at > ?`,
    [network, at],
  );
  return { count: Number(row.count), firstEnd: row.first_end === null ? null : new Date(row.first_end) };
}

/** True where so many sessions wait already, of all networks together. */
export async function arePendingSessions(em: Em, atLeast: number, at: Date): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `select 1 from device_session where status = 'pending' and expires_at > ? offset ? limit 1`,
    [at, atLeast - 1],
  );
  return rows.length > 0;
}

/** Writes a session that waits. False where its user code is taken: nothing is written, another code will do. */
export async function insertDeviceSession(em: Em, session: NewDeviceSession): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `insert into device_session (id, device_code_hash, user_code_hash, agent_platform_type, address, network, user_agent,
       status, interval_sec, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?) on conflict (user_code_hash) do nothing returning 1`,
    [
      session.id,
      session.deviceCodeHash,
      session.userCodeHash,
      session.agentPlatformType,
      session.address,
      session.network,
      session.userAgent,
      session.intervalSec,
      session.at,
      session.expiresAt,
    ],
  );
  return rows.length > 0;
}

type CodeHash = Pick<DeviceSessionRow, 'device_code_hash'> | Pick<DeviceSessionRow, 'user_code_hash'>;

/** Finds a session by the hash of one of its codes and locks it: polls and decisions come one after the other. */
export async function lockDeviceSession(em: Em, hash: CodeHash): Promise<DeviceSessionRow | null> {
  return await em.findOne(DeviceSession, hash, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** The platform that all agents of a type belong to, made at its first use. */
export async function devicePlatformId(em: Em, id: string, agentPlatformType: string, at: Date): Promise<string> {
  const name = `device:${agentPlatformType}`;
  await em.execute(
    `insert into platform (id, name, kind, created_at) values (?, ?, 'device', ?) on conflict (name) do nothing`,
    [id, name, at],
  );
  // A partner's platform of that name must not get the right to act for the person who approved a device.
  const [row] = await em.execute<{ id: string }[]>(`select id from platform where name = ? and kind = 'device'`, [
    name,
  ]);
  if (row === undefined) throw new Error(`a platform of another kind has the name ${name}`);
  return row.id;
}

/** Deletes sessions that have ended, the sealed keys in them; at most `limit` a call. Answers how many. */
export async function forgetDeviceSessions(em: Em, now: Date, limit: number): Promise<number> {
  const rows = await em.execute<unknown[]>(
    `delete from device_session where id in (select id from device_session where expires_at <= ?
       order by expires_at limit ? for update skip locked) returning 1`,
    [now, limit],
  );
  return rows.length;
}
