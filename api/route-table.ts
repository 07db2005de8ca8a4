import type { FastifyInstance } from 'fastify';

/** Which methods an address answers, so that a wrong method gets 4050 with Allow instead of 4040. */
export interface RouteTable {
  methodsOf(path: string): string[];
  /** Every route that was registered, as "METHOD /url/:param"; HEAD, which goes with each GET, is left out. */
  all(): string[];
}

/** Watches the routes as they are registered; must be called before the first. */
export function watchRoutes(app: FastifyInstance): RouteTable {
  const rows: { methods: readonly string[]; url: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    // The preflight route of CORS answers everywhere, and makes no address exist.
    if (url === '*') return;
    const source = url
      .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/:[^/]+/g, '[^/]+')
      .replaceAll('*', '.*');
    rows.push({ methods: [method].flat(), url, pattern: new RegExp(`^${source}$`) });
  });
  return {
    all: () =>
      rows.flatMap(({ methods, url }) => methods.filter((one) => one !== 'HEAD').map((one) => `${one} ${url}`)),
    methodsOf: (path) => [...new Set(rows.filter((row) => row.pattern.test(path)).flatMap((row) => row.methods))],
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly routeTable: RouteTable;
  }
}
