import type { OperationClass } from '../../domain/caller.ts';
import { offer } from './capability-offer.ts';

/** Whose objects a stranger's request names: each stands in the path for the parameter of its name. */
export interface Objects {
  readonly cap_id: string;
  readonly tx_id: string;
  readonly platform_id: string;
  readonly key_id: string;
  readonly webhook_id: string;
  readonly delivery_id: string;
  readonly user_id: string;
}

/** Who may come in, in words of this test: it is a second description of the routes, written by hand. */
export type Entrance = 'open' | 'caller' | 'human' | 'agent' | 'support' | 'admin';

export interface RouteClass {
  readonly entrance: Entrance;
  /** What a key needs, for routes that keys may come to. */
  readonly operation?: OperationClass;
  /** An agent must send Idempotency-Key. */
  readonly keyed?: true;
  /** A body that the route reads; a write needs one that is good, so that nothing but the rule refuses. */
  readonly body?: (objects: Objects) => unknown;
  readonly query?: string;
  /**
   * What somebody gets who has every credential that the entrance asks for, and no part in the objects that the path
   * names. Every path with a parameter must say. 0 is for what everybody may see.
   */
  readonly stranger?: number;
  /** Shows things of everybody's; any other answer must not name what the stranger has no part in. */
  readonly isPublic?: true;
}

const buy = { entrance: 'caller', operation: 'buy', keyed: true } as const;
const sell = { entrance: 'caller', operation: 'sell', keyed: true } as const;
const read = { entrance: 'caller', operation: 'read' } as const;
const human = { entrance: 'human' } as const;
const admin = { entrance: 'admin' } as const;
const support = { entrance: 'support' } as const;
const open = { entrance: 'open' } as const;
const notParty = 4031;
const notOwner = 4030;
const hidden = 4040;

const transactions = '/api/v1/transactions';
const capabilities = '/api/v1/capabilities';
const webhooks = '/api/v1/webhooks';

/** Every route of the API. A route that is not here fails the test: say who may come in, and what a stranger gets. */
export const routeClasses: Readonly<Record<string, RouteClass>> = {
  'GET /api/v1/categories': { ...open, isPublic: true },
  'POST /api/v1/auth/register': open,
  'POST /api/v1/auth/login': open,
  'POST /api/v1/auth/refresh': open,
  'POST /api/v1/auth/logout': open,
  'POST /api/v1/auth/device-auth': open,
  'POST /api/v1/auth/device-auth/poll': open,

  'POST /api/v1/auth/logout-all': human,
  'POST /api/v1/auth/password': human,
  'GET /api/v1/auth/me': human,
  'GET /api/v1/auth/device-auth/lookup': { ...human, query: 'user_code=BBBB-BBBB', stranger: hidden },
  'POST /api/v1/auth/device-auth/confirm': {
    ...human,
    body: () => ({ user_code: 'BBBB-BBBB', approve: true }),
    stranger: hidden,
  },
  'GET /api/v1/connections': human,
  'DELETE /api/v1/connections/:platform_id': { ...human, stranger: hidden },
  'DELETE /api/v1/connections/:platform_id/keys/:key_id': { ...human, stranger: hidden },

  'GET /api/v1/wallet': read,
  'GET /api/v1/wallet/entries': read,

  'GET /api/v1/events': read,

  [`POST ${capabilities}`]: { ...sell, body: () => offer },
  [`POST ${capabilities}/batch`]: { ...sell, body: () => ({ items: [offer] }) },
  [`GET ${capabilities}`]: { ...read, isPublic: true },
  [`GET ${capabilities}/:cap_id`]: { ...read, isPublic: true, stranger: 0 },
  [`PUT ${capabilities}/:cap_id`]: { ...sell, body: () => ({ title: 'Taken over' }), stranger: notOwner },
  [`DELETE ${capabilities}/:cap_id`]: { ...sell, stranger: notOwner },
  [`POST ${capabilities}/:cap_id/rotate-secret`]: { ...sell, stranger: notOwner },
  [`POST ${capabilities}/:cap_id/test-callback`]: { ...sell, stranger: notOwner },
  [`GET ${capabilities}/:cap_id/deliveries`]: { ...read, operation: 'sell', stranger: notOwner },
  // Open to every agent that can pay; this one cannot.
  [`POST ${capabilities}/:cap_id/invoke`]: {
    entrance: 'agent',
    operation: 'buy',
    keyed: true,
    body: () => ({ input: {} }),
    stranger: 4020,
  },

  [`POST ${transactions}`]: { ...buy, body: ({ cap_id }) => ({ capability_id: cap_id }) },
  [`GET ${transactions}`]: read,
  [`GET ${transactions}/:tx_id`]: { ...read, stranger: notParty },
  [`GET ${transactions}/:tx_id/events`]: { ...read, stranger: notParty },
  [`POST ${transactions}/:tx_id/freeze`]: { ...buy, stranger: notParty },
  [`POST ${transactions}/:tx_id/accept`]: { ...sell, stranger: notParty },
  [`POST ${transactions}/:tx_id/reject`]: { ...sell, stranger: notParty },
  [`POST ${transactions}/:tx_id/confirm`]: { ...buy, stranger: notParty },
  [`POST ${transactions}/:tx_id/cancel`]: { ...buy, stranger: notParty },
  [`POST ${transactions}/:tx_id/deliver`]: { ...sell, stranger: notParty },
  [`POST ${transactions}/:tx_id/dispute`]: { ...buy, body: () => ({ reason: 'none' }), stranger: notParty },
  [`POST ${transactions}/:tx_id/request-changes`]: { ...buy, body: () => ({ note: 'none' }), stranger: notParty },

  [`POST ${webhooks}`]: { ...sell, body: () => ({ url: 'http://127.0.0.1:1/nobody' }) },
  [`GET ${webhooks}`]: read,
  [`GET ${webhooks}/:webhook_id`]: { ...read, stranger: hidden },
  [`PUT ${webhooks}/:webhook_id`]: { ...sell, body: () => ({ status: 'disabled' }), stranger: hidden },
  [`DELETE ${webhooks}/:webhook_id`]: { ...sell, stranger: hidden },
  [`POST ${webhooks}/:webhook_id/rotate-secret`]: { ...sell, stranger: hidden },
  [`POST ${webhooks}/:webhook_id/test`]: { ...sell, stranger: hidden },
  [`GET ${webhooks}/:webhook_id/deliveries`]: { ...read, stranger: hidden },
  [`GET ${webhooks}/:webhook_id/deliveries/:delivery_id`]: { ...read, stranger: hidden },
  [`POST ${webhooks}/:webhook_id/deliveries/:delivery_id/resend`]: { ...sell, stranger: hidden },

  'POST /api/v1/admin/platforms': { ...admin, body: () => ({ name: 'Nobody asked for it' }) },
  'GET /api/v1/admin/platforms': admin,
  'POST /api/v1/admin/platforms/:platform_id/grants': {
    ...admin,
    body: ({ user_id }) => ({ user_id }),
    stranger: 4030,
  },
  'DELETE /api/v1/admin/platforms/:platform_id/grants/:user_id': { ...admin, stranger: 4030 },
  'POST /api/v1/admin/platforms/:platform_id/keys': { ...admin, body: () => ({ name: 'mine' }), stranger: 4030 },
  'GET /api/v1/admin/platforms/:platform_id/keys': { ...admin, stranger: 4030 },
  'PUT /api/v1/admin/keys/:key_id': { ...admin, body: () => ({ addresses: null }), stranger: 4030 },
  'POST /api/v1/admin/keys/:key_id/rotate': { ...admin, stranger: 4030 },
  'DELETE /api/v1/admin/keys/:key_id': { ...admin, stranger: 4030 },
  'POST /api/v1/admin/wallets/:user_id/credit': {
    ...admin,
    body: () => ({ amount_ut: '5', reason: 'mine' }),
    stranger: 4030,
  },
  'GET /api/v1/admin/wallets/:user_id': { ...admin, stranger: 4030 },
  'GET /api/v1/admin/ledger/check': admin,
  'GET /api/v1/admin/transactions/:tx_id': { ...support, stranger: 4030 },
  'POST /api/v1/admin/transactions/:tx_id/resolve': {
    ...admin,
    body: () => ({ outcome: 'refund', note: 'none' }),
    stranger: 4030,
  },
  'GET /api/v1/admin/audit': support,
};

/** Addresses with formats, and tests, of their own. `guarded`: they ask for credentials, and are tried without any. */
export const unwalked: readonly { readonly pattern: RegExp; readonly because: string; readonly guarded?: true }[] = [
  { pattern: /^GET \/(device|connections|page\/:version\/:name)$/, because: 'pages hold nothing about anybody' },
  { pattern: /^GET \/docs(\/.*)?$|^GET \/api\/v1\/public\/openapi\.json$/, because: 'the public description' },
  { pattern: /^GET \/(healthz|readyz|metrics)$/, because: 'for whoever runs the service' },
  { pattern: /^GET \/\.well-known\/(jwks|agent|agent-card)\.json$/, because: 'public keys and cards' },
  { pattern: /^GET \/api\/v1\/a2a\/(v0\/)?agent-card(\.json)?$/, because: 'public cards' },
  { pattern: /^POST \/api\/v1\/a2a(\/.*)?$/, because: 'JSON-RPC answers in its own format', guarded: true },
  { pattern: /^(GET|POST|DELETE) \/mcp$/, because: 'MCP answers in its own format', guarded: true },
];
