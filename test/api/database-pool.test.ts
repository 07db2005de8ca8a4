import { afterAll, beforeAll, expect, it } from 'vitest';
import { openOrm } from '../../domain/store/orm.ts';
import { openWay } from '../database-way.ts';
import { startService, type Service } from '../harness.ts';

const poolSize = 3;
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => await service.close());

it('loses no connection to SQL transactions whose database goes away', async () => {
  await using cleanup = new AsyncDisposableStack();
  const way = await openWay(service.databaseUrl, cleanup);
  const orm = await openOrm(way.databaseUrl, poolSize);
  cleanup.defer(() => orm.close(true));
  const asMany = <T>(make: () => T) => Array.from({ length: poolSize }, make);
  const isCut = Promise.withResolvers<void>();
  const begun = asMany(() => Promise.withResolvers<void>());
  const dying = begun.map(({ resolve }) =>
    orm.em.fork().transactional(async (em) => {
      await em.execute('select 1');
      resolve();
      await isCut.promise;
      await em.execute('select 1');
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  way.cut();
  isCut.resolve();
  for (const one of await Promise.allSettled(dying)) expect(one.status).toBe('rejected');
  way.mend();
  const living = asMany(() => orm.em.fork().transactional((em) => em.execute<unknown[]>('select 1 as one')));
  expect(await Promise.all(living)).toEqual(asMany(() => [{ one: 1 }]));
});
