import { generateKeyPair } from 'jose';
import { buildApi } from '../../api/app.ts';
import type { Deps } from '../../api/deps.ts';
import { openApiPath } from '../../api/plugins/openapi.ts';
import { parseSettings } from '../../domain/settings.ts';
import { signingAlgorithm } from '../../domain/store/signing-key-ring.ts';

/** The public description as the service serves it, made without a database or Temporal. */
export async function describeApi(): Promise<string> {
  const settings = parseSettings({
    DATABASE_URL: 'postgres://none',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    LOG_LEVEL: 'error',
  });
  // Cards are signed when the API is built.
  const { privateKey } = await generateKeyPair(signingAlgorithm);
  const cardKeys = onlyWith<Deps['secrets']['cardKeys']>({ kid: 'none', privateKey });
  const secrets = onlyWith<Deps['secrets']>({ cardKeys });
  const app = await buildApi(onlyWith<Deps>({ settings, secrets, now: () => new Date(0) }));
  try {
    const { statusCode, body } = await app.inject(openApiPath);
    if (statusCode !== 200) throw new Error(`${openApiPath} answered ${statusCode}: ${body}`);
    return body;
  } finally {
    await app.close();
  }
}

/** All other parts are stood in for: whatever is asked of one is nothing again, as no other request ever comes. */
function onlyWith<T extends object>(given: Partial<T>): T {
  const inert: object = new Proxy(() => undefined, {
    get: (_target, name) => (name === 'then' || typeof name === 'symbol' ? undefined : inert),
    apply: () => inert,
    construct: () => inert,
  });
  return new Proxy(given, { get: (parts, name) => parts[name as keyof T] ?? inert }) as T;
}
