import { afterAll, beforeAll, expect, test } from 'vitest';
import { categoryCodes } from '../../domain/category/category.ts';
import { startService, type Service } from '../harness.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => await service.close());

test('every category is listed with its four fields, without credentials', async () => {
  const reply = await service.call('GET', '/api/v1/categories');
  expect(reply).toMatchObject({ status: 200, code: 0, message: 'success' });
  expect(reply.data).toHaveLength(22);
  expect(reply.data.map((category: { code: string }) => category.code)).toEqual(categoryCodes);
  for (const category of reply.data) {
    expect(Object.keys(category)).toEqual(['code', 'label', 'icon', 'description']);
    expect(Object.values(category).every((text) => typeof text === 'string' && text !== '')).toBe(true);
  }
});

test('the codes of the interface are the codes that a capability takes', async () => {
  const seller = await service.human('seller');
  const { data } = await seller.call('POST', '/api/v1/capabilities/batch', {
    items: categoryCodes.map((category) => ({
      category,
      title: 'T',
      description: 'D',
      capability_type: 'service',
      pricing_model: 'per_day',
    })),
  });
  expect(data).toMatchObject({ total: 22, succeeded: 22 });
});
