import { describe, expect, it } from 'vitest';
import { openListening, type WatchedTail } from './event-session.ts';

const { session, watch } = openListening();

async function ready(): Promise<WatchedTail> {
  const watched = watch();
  await watched.isReady();
  return watched;
}

describe('a number that is missing', () => {
  it('holds what comes after it, until it is committed', async () => {
    const [slow, quick] = [await session(), await session()];
    const watched = await ready();
    await slow.run('begin');
    const first = await slow.append();
    const second = await quick.append();
    await watched.looks(3);
    expect(watched.told).toEqual([]);
    expect(watched.tail.settledSeq).toBeLessThan(first);
    await slow.run('commit');
    await watched.hasTold(2);
    expect(watched.told).toEqual([first, second]);
  });

  it.each(['event-lock-holder', 'event-following'])('is found where it is committed right before %s', async (name) => {
    const [slow, quick] = [await session(), await session()];
    let seen = 0;
    const watched = watch(async (query) => {
      // The gap was seen by then, and once more where only the second look asks.
      if (query === name && isOpen && (seen += 1) === 2) await slow.run('commit');
    });
    let isOpen = false;
    await watched.isReady();
    await slow.run('begin');
    const first = await slow.append();
    isOpen = true;
    const second = await quick.append();
    await watched.hasTold(2);
    expect(watched.told).toEqual([first, second]);
  });

  it('is left out where it was rolled back', async () => {
    const [slow, quick] = [await session(), await session()];
    const watched = await ready();
    await slow.run('begin');
    await slow.append();
    const second = await quick.append();
    await watched.looks(2);
    await slow.run('rollback');
    await watched.hasTold(1);
    expect(watched.told).toEqual([second]);
    expect(watched.tail.settledSeq).toBe(second);
  });

  it('is left out where a part of its SQL transaction was rolled back', async () => {
    const one = await session();
    const watched = await ready();
    await one.run('begin; savepoint part');
    await one.append();
    await one.run('rollback to part');
    const second = await one.append();
    await one.run('commit');
    await watched.hasTold(1);
    expect(watched.told).toEqual([second]);
  });

  it('waits for nobody who began to write after it was seen', async () => {
    const [slow, quick, late] = [await session(), await session(), await session()];
    const watched = await ready();
    await slow.run('begin');
    await slow.append();
    const second = await quick.append();
    await watched.looks(2);
    await late.run('begin');
    const third = await late.append();
    await slow.run('rollback');
    await watched.hasTold(1);
    expect(watched.told).toEqual([second]);
    await late.run('commit');
    await watched.hasTold(2);
    expect(watched.told).toEqual([second, third]);
  });

  it('is not waited for because of a SQL transaction that writes something else', async () => {
    const [other, slow, quick] = [await session(), await session(), await session()];
    await other.run('begin; create table bystander (); select count(*) from event');
    const watched = await ready();
    await slow.run('begin');
    await slow.append();
    await slow.run('rollback');
    const second = await quick.append();
    await watched.hasTold(1);
    expect(watched.told).toEqual([second]);
    await other.run('rollback');
  });

  it('ends with the session that holds it, when that is killed', async () => {
    const [slow, quick] = [await session(), await session()];
    const watched = await ready();
    await slow.run('begin');
    const first = await slow.append();
    const second = await quick.append();
    await watched.looks(2);
    expect(watched.tail.settledSeq).toBeLessThan(first);
    await slow.kill();
    await watched.hasTold(1);
    expect(watched.told).toEqual([second]);
  });

  it('can be one of many, each with an owner of its own, over several reads', async () => {
    const count = 450;
    const [odd, quick] = [await session(), await session()];
    const watched = await ready();
    const held = await Promise.all(Array.from({ length: 5 }, session));
    const heldSeqs: bigint[] = [];
    const seqs: bigint[] = [];
    for (let index = 0; index < count; index += 1) {
      const holder = index % 90 === 0 ? held[index / 90] : undefined;
      if (holder !== undefined) {
        await holder.run('begin');
        heldSeqs.push(await holder.append());
      }
      if (index % 50 === 0) {
        await odd.run('begin');
        await odd.append();
        await odd.run('rollback');
      }
      seqs.push(await quick.append());
    }
    for (const [index, holder] of held.entries()) await holder.run(index % 2 === 0 ? 'commit' : 'rollback');
    const committed = heldSeqs.filter((_, index) => index % 2 === 0);
    await watched.hasTold(count + committed.length);
    expect(watched.told).toEqual([...seqs, ...committed].toSorted((a, b) => Number(a - b)));
  });
});

describe('the first position', () => {
  it('is where everything that is missing has been decided', async () => {
    const [slow, quick] = [await session(), await session()];
    await slow.run('begin');
    const first = await slow.append();
    const second = await quick.append();
    const watched = watch();
    await watched.looks(3);
    expect(watched.tail.settledSeq).toBeNull();
    await slow.run('commit');
    await watched.isReady();
    expect(watched.tail.settledSeq).toBe(second);
    const found = await quick.client.query('select 1 from event where seq = $1', [first]);
    expect(found.rowCount).toBe(1);
    const third = await quick.append();
    await watched.hasTold(1);
    expect(watched.told).toEqual([third]);
  });

  it('waits for nobody who began to write later', async () => {
    const [slow, late] = [await session(), await session()];
    await slow.run('begin');
    await slow.append();
    const watched = watch();
    await watched.looks(1);
    await late.run('begin');
    const later = await late.append();
    await slow.run('rollback');
    await watched.isReady();
    await late.run('commit');
    await watched.hasTold(1);
    expect(watched.told).toEqual([later]);
  });
});

describe('a lost connection', () => {
  it('costs no event, and none is told twice', async () => {
    const one = await session();
    const watched = await ready();
    const seqs = [await one.append()];
    await watched.hasTold(1);
    await one.run(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'marketplace-event' and datname = current_database()`,
    );
    for (let index = 0; index < 20; index += 1) seqs.push(await one.append());
    await watched.hasTold(seqs.length);
    expect(watched.told).toEqual(seqs);
  });
});

it('relies on a sequence that keeps no numbers for a session', async () => {
  const one = await session();
  const { rows } = await one.client.query<{ cache: string }>(
    `select seqcache as cache from pg_sequence where seqrelid = pg_get_serial_sequence('event', 'seq')::regclass`,
  );
  expect(rows).toEqual([{ cache: '1' }]);
});
