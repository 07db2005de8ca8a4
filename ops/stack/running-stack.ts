import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the parts of a running `npm start` are; the database address holds its password. */
export interface RunningStack {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly temporalUiUrl: string | null;
}

const noteOf = (dataDir: string) => join(dataDir, 'stack.json');

/** Notes it for the demo and the support command, readable by the owner only. Answers how to take the note away. */
export async function noteRunningStack(dataDir: string, stack: RunningStack): Promise<() => Promise<void>> {
  await writeFile(noteOf(dataDir), `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  return () => rm(noteOf(dataDir), { force: true });
}

/** The settings that reach what `npm start` runs for this data folder; empty where it does not run. */
export async function runningStackSettings(dataDir: string): Promise<Record<string, string>> {
  try {
    const stack = JSON.parse(await readFile(noteOf(dataDir), 'utf8')) as RunningStack;
    return {
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: stack.temporalAddress,
      TEMPORAL_NAMESPACE: stack.temporalNamespace,
    };
  } catch {
    return {};
  }
}
