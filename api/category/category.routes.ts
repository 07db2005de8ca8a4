import { z } from 'zod';
import { categories } from '../../domain/category/category.ts';
import type { AddRoute } from '../route.ts';

const category = z
  .object({ code: z.string(), label: z.string(), icon: z.string(), description: z.string() })
  .meta({ id: 'Category', examples: [categories[0]] });

export function categoryRoutes(add: AddRoute): void {
  add({
    method: 'GET',
    url: '/api/v1/categories',
    operationId: 'listCategories',
    summary: 'List every category',
    tag: 'categories',
    access: 'open',
    write: 'none',
    data: z.array(category),
    errors: [],
    handler: async () => categories,
  });
}
