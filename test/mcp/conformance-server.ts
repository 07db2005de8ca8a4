import fastify from 'fastify';
import type { Deps } from '../../api/deps.ts';
import { mcpRoute } from '../../api/mcp/mcp.routes.ts';
import { registerRateLimit } from '../../api/plugins/rate-limit.ts';
import type { Caller } from '../../domain/caller.ts';
import { parseSettings } from '../../domain/settings.ts';
import { conformanceFixture } from './conformance-fixture.ts';

/**
 * The service's MCP route with the fixtures that the MCP conformance suite asks for, at PORT of this machine. The suite
 * sends no credentials, so everybody is one fixed caller. Process of its own, without a database: the marketplace's tools
 * are listed, and refuse to work.
 *
 * What stays red, and why:
 * - `tools-call-sampling`, `tools-call-elicitation`, `elicitation-sep1034-defaults`, `elicitation-sep1330-enums` of
 *   2025-11-25: the server asks its client in the middle of a call, and the answer comes as another request. Each request
 *   here stands for itself, and may reach another node. 2026-07-28 does the same by `input-required-result-*`, which pass.
 * - `resources-subscribe`, `resources-unsubscribe` of 2025-11-25: they need a session to remember. A fixture that answers
 *   and forgets would pass, and would be a lie.
 * - `tasks-*` of 2026-07-28: an extension that the service does not offer; not scored.
 *
 * Green and yet without a word: of 2025-11-25 `server-session-lifecycle`, `server-sse-polling` and
 * `server-sse-multiple-streams`, which find no session and check nothing, and `logging-set-level`, as the SDK takes the
 * level and the next request knows nothing of it.
 */
const settings = parseSettings({ ...process.env, RATE_LIMIT_PER_MIN: '10000' });
// What the route and the fixtures do not look at is not there.
const deps = { settings, now: () => new Date() } as unknown as Deps;
const caller: Caller = {
  userId: '00000000-0000-4000-8000-000000000001',
  callerType: 'agent',
  roles: ['user'],
  apiKeyId: '00000000-0000-4000-8000-000000000002',
  tokenId: null,
  sessionId: null,
};
const app = fastify({ bodyLimit: 256 * 1024 });
app.decorateRequest('caller', null);
await registerRateLimit(app, deps);
await mcpRoute(app, deps, async () => caller, conformanceFixture);
console.log(`${await app.listen({ host: '127.0.0.1', port: settings.port })}/mcp`);
process.on('SIGTERM', () => process.exit(0));
