import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOffered } from '../../domain/store/capability.store.ts';
import { startService, type Person, type Service } from '../harness.ts';
import { register } from './capability-offer.ts';

let service: Service;
let ann: Person;
let bob: Person;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  ann = await service.agent('ann');
  bob = await service.human('bob');
  const offers = {
    map: {
      title: 'Map tiles',
      description: 'Vector tiles of the world',
      price_ut: '1',
      category: 'data',
      tags: ['geo'],
    },
    logo: { title: 'Logo design', description: 'A mark and its use', price_ut: '250.000001', category: 'design' },
    tutor: { title: 'Tutoring', description: 'Algebra, and maps of the mind', price_ut: '30', category: 'education' },
    crawl: {
      title: 'Crawler',
      description: 'Pages of the world as text',
      price_ut: '1',
      category: 'data',
      capability_type: 'tool',
      pricing_model: 'per_use',
      callback_url: 'http://127.0.0.1:9/cb',
      delivery_mode: 'async',
      tags: ['web', 'geo'],
    },
  };
  for (const [name, changes] of Object.entries(offers)) {
    ids[name] = (await register(name === 'tutor' ? bob : ann, changes)).id;
  }
  await bob.call('PUT', `/api/v1/capabilities/${ids['tutor']}`, { available: false });
  await service.em.execute(`update capability set quality_score = 4.5, total_sold = 7 where id = ?`, [ids['logo']]);
});
afterAll(async () => await service.close());

async function list(query: string, person = bob) {
  const reply = await person.call('GET', `/api/v1/capabilities${query}`);
  if (reply.status !== 200) throw new Error(`answered ${reply.status}: ${reply.text}`);
  return reply.data as { items: { id: string; callback_url: string | null }[]; total: number; has_more: boolean };
}

function named(items: readonly { id: string }[]): string[] {
  return items.map((item) => Object.keys(ids).find((name) => ids[name] === item.id) ?? 'unknown');
}

describe('the list of capabilities', () => {
  test('is newest first, in the paged payload', async () => {
    const page = await list('');
    expect(named(page.items)).toEqual(['crawl', 'tutor', 'logo', 'map']);
    expect(page).toMatchObject({ total: 4, page: 1, page_size: 20, has_more: false });
  });

  test.each([
    ['category=data', ['crawl', 'map']],
    ['capability_type=tool', ['crawl']],
    ['pricing_model=per_hour', ['tutor', 'logo', 'map']],
    ['delivery_mode=async', ['crawl']],
    ['tag=geo', ['crawl', 'map']],
    ['tag=ge', []],
    ['q=world', ['crawl', 'map']],
    ['q=WORLD+tiles', ['map']],
    ['q=world+-crawler', ['map']],
    ['q=%27%22%29%3B+drop+table', []],
    ['q=%26%7C%21', []],
    ['min_price_ut=30', ['tutor', 'logo']],
    ['max_price_ut=30', ['crawl', 'tutor', 'map']],
    ['min_price_ut=1.000001&max_price_ut=250', ['tutor']],
    ['min_price_ut=250.000001', ['logo']],
    ['available=false', ['tutor']],
    ['available=true&category=data&tag=web', ['crawl']],
  ])('narrowed by %s has %j', async (query, expected) => {
    const page = await list(`?${query}`);
    expect(named(page.items)).toEqual(expected);
    expect(page.total).toBe(expected.length);
  });

  test('narrowed by agent_id has what that user registered', async () => {
    expect(named((await list(`?agent_id=${bob.userId}`)).items)).toEqual(['tutor']);
    expect((await list(`?agent_id=${service.admin.userId}`)).total).toBe(0);
  });

  test.each([
    ['price_asc', ['crawl', 'map', 'tutor', 'logo']],
    ['price_desc', ['logo', 'tutor', 'crawl', 'map']],
    ['quality', ['logo']],
    ['sold', ['logo']],
  ])('sorted by %s starts with %j, equals in a fixed order', async (sort, start) => {
    const whole = named((await list(`?sort=${sort}`)).items);
    const known = start.map((name) => (name === 'crawl' || name === 'map' ? 'cheap' : name));
    const seen = whole.map((name) => (name === 'crawl' || name === 'map' ? 'cheap' : name));
    expect(seen.slice(0, known.length)).toEqual(known);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?sort=${sort}&page_size=1&page=${page}`)));
    expect(pages.flatMap((page) => named(page.items))).toEqual(whole);
  });

  test('shows the callback_url to its owner only', async () => {
    expect((await list('?tag=web', ann)).items[0]?.callback_url).toBe('http://127.0.0.1:9/cb');
    expect((await list('?tag=web', bob)).items[0]?.callback_url).toBeNull();
  });

  test.each([
    'page=0',
    'page_size=0',
    'page_size=101',
    'page=x',
    'sort=random',
    'category=nothing',
    'min_price_ut=-1',
    'min_price_ut=1e2',
    'agent_id=me',
    'available=yes',
    'q=',
    'q=%00',
    'tags=geo',
  ])('refuses %s with 4000 that names the parameter', async (query) => {
    const reply = await bob.call('GET', `/api/v1/capabilities?${query}`);
    expect(reply).toMatchObject({ status: 422, code: 4000, data: { errors: [{ path: query.split('=')[0] }] } });
  });
});

describe('pages', () => {
  test('neither repeat nor skip where many are equal, and stay so when one is added in front', async () => {
    const many = await service.agent('many');
    const items = Array.from({ length: 30 }, (_, index) => ({
      title: `Same ${index}`,
      description: 'same',
      category: 'other',
      capability_type: 'service',
      pricing_model: 'per_day',
      price_ut: '5',
    }));
    await many.call('POST', '/api/v1/capabilities/batch', { items });
    for (const sort of ['newest', 'price_asc', 'quality']) {
      const query = `?agent_id=${many.userId}&sort=${sort}&page_size=7`;
      const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list(`${query}&page=${page}`)));
      expect(new Set(pages.flatMap((page) => page.items.map((item) => item.id))).size).toBe(30);
      expect(pages.map((page) => page.has_more)).toEqual([true, true, true, true, false]);
    }
    const first = await list(`?agent_id=${many.userId}&page_size=10`);
    const { id } = await register(many, { title: 'Newest' });
    const shifted = await list(`?agent_id=${many.userId}&page_size=11`);
    expect(shifted.items.map((item) => item.id)).toEqual([id, ...first.items.map((item) => item.id)]);
  });

  test('past the end are empty', async () => {
    expect(await list('?page=1000000')).toMatchObject({ items: [], has_more: false, total: expect.any(Number) });
  });
});

describe('what a purchase sees', () => {
  test('is the offer with canonical amounts, and nothing once it is deleted', async () => {
    const { id } = await register(ann, { price_ut: '7', auto_accept_min_ut: '5.5' });
    expect(await findOffered(service.em, id)).toEqual({
      id,
      agent_id: ann.userId,
      title: 'Company register lookup',
      pricing_model: 'per_hour',
      price_ut: '7.00',
      auto_accept_min_ut: '5.50',
      available: true,
    });
    await ann.call('DELETE', `/api/v1/capabilities/${id}`);
    expect(await findOffered(service.em, id)).toBeNull();
  });
});
