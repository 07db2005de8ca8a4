import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The addresses that `npm start` wrote down for this data folder; empty where it does not run. */
export async function runningStack(dataDir: string): Promise<Record<string, string>> {
  try {
    const { databaseUrl, temporalAddress, temporalNamespace } = JSON.parse(
      await readFile(join(dataDir, 'stack.json'), 'utf8'),
    ) as Record<string, string>;
    return {
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...(temporalAddress === undefined ? {} : { TEMPORAL_ADDRESS: temporalAddress }),
      ...(temporalNamespace === undefined ? {} : { TEMPORAL_NAMESPACE: temporalNamespace }),
    };
  } catch {
    return {};
  }
}
