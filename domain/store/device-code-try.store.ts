import type { Em } from './orm.ts';

/** Whose wrong codes are counted together, and how many are too many. */
export interface TrySubject {
  readonly subject: string;
  readonly atMost: number;
}

/** Until the end of the SQL transaction nobody else tries a code as one of these: the count is exact on every node. */
export async function lockTries(em: Em, subjects: readonly TrySubject[]): Promise<void> {
  // One order for all, so that no two wait for each other.
  for (const { subject } of subjects.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))) {
    await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 7233))', [subject]);
  }
}

/** When the next try is allowed; null where it is allowed now. */
export async function triesResumeAt(
  em: Em,
  subjects: readonly TrySubject[],
  at: Date,
  windowMs: number,
): Promise<Date | null> {
  let latest: number | null = null;
  for (const { subject, atMost } of subjects) {
    const [row] = await em.execute<{ at: string | Date }[]>(
      `select at from device_code_try where subject = ? and at > ? order by at desc offset ? limit 1`,
      [subject, new Date(at.getTime() - windowMs), atMost - 1],
    );
    if (row !== undefined) latest = Math.max(latest ?? 0, new Date(row.at).getTime() + windowMs);
  }
  return latest === null ? null : new Date(latest);
}

/** Counts a wrong code for each of these. */
export async function recordTry(em: Em, subjects: readonly TrySubject[], at: Date): Promise<void> {
  for (const { subject } of subjects) {
    await em.execute(`insert into device_code_try (subject, at) values (?, ?)`, [subject, at]);
  }
}

/** Deletes tries made before a moment; at most `limit` a call. Answers how many. */
export async function forgetTries(em: Em, before: Date, limit: number): Promise<number> {
  const rows = await em.execute<unknown[]>(
    `delete from device_code_try where ctid = any (array(select ctid from device_code_try where at < ? limit ?))
     returning 1`,
    [before, limit],
  );
  return rows.length;
}
