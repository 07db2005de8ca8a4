import { listAuditEntries } from '../../domain/store/audit-entry.store.ts';
import type { AddRoute } from '../route.ts';
import { paged } from '../schemas.ts';
import { auditPage, auditQuery } from './audit.schemas.ts';

/** The trail, for support. Reading it leaves an entry too. */
export function auditRoutes(add: AddRoute): void {
  add({
    method: 'GET',
    url: '/api/v1/admin/audit',
    operationId: 'listAuditEntries',
    summary: 'Read the audit trail, newest first',
    description:
      'Who did what, by which credential, from where, in which request. Reading it is written there too. Everything that ' +
      'matches is counted: name `from` where the trail is long.',
    tag: 'admin',
    access: 'support',
    write: 'none',
    hidden: true,
    query: auditQuery,
    data: auditPage,
    errors: [],
    audit: {
      action: 'audit.read',
      // Ids and times only: there is nothing in a filter that somebody typed.
      detail: ({ query: { page: _page, page_size: _size, ...filters } }) => ({ data: { ...filters } }),
    },
    handler: async (ctx, { query }) => {
      const { page, page_size, ...filters } = query;
      const [items, total] = await listAuditEntries(ctx.em, { page, page_size }, filters);
      return paged(items, total, { page, page_size });
    },
  });
}
