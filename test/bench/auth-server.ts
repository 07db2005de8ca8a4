import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { authenticateBy } from '../../api/auth/authenticate.ts';
import { openEndedSessions } from '../../api/auth/ended-session.ts';
import { openKeyUseLog } from '../../api/auth/key-use-log.ts';
import { openSecrets } from '../../api/auth/secrets.ts';
import type { Deps } from '../../api/deps.ts';
import { routeAdder } from '../../api/route.ts';
import { parseSettings } from '../../domain/settings.ts';
import { openOrm } from '../../domain/store/orm.ts';

/** The same route twice, open and for callers, by the service's own way of a request. Process of its own. */
const settings = parseSettings(process.env);
if (settings.databaseUrl === null) throw new Error('DATABASE_URL is not set');
const orm = await openOrm(settings.databaseUrl, settings.databasePoolSize);
const endedSessions = openEndedSessions(() => orm.em.fork(), settings.databaseUrl);
const secrets = await openSecrets(orm.em.fork(), settings);
// What neither route looks at is not there.
const deps = { orm, secrets, endedSessions, settings, now: () => new Date() } as unknown as Deps;
const app = fastify();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.decorateRequest('caller', null);
const add = routeAdder(app, deps, authenticateBy(deps, openKeyUseLog(app, deps)));
const route = {
  method: 'GET',
  write: 'none',
  summary: 'Nothing',
  tag: 'bench',
  data: z.object({ nothing: z.boolean() }),
  errors: [],
  handler: async () => ({ nothing: true }),
} as const;
add({ ...route, url: '/open', operationId: 'open', access: 'open' });
add({ ...route, url: '/caller', operationId: 'caller', access: 'caller' });
process.send?.(await app.listen({ port: 0 }));
process.on('SIGTERM', () => process.exit(0));
