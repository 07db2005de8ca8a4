import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const admin = z.object({ email: z.string(), password: z.string() });
const stack = z.object({
  temporalAddress: z.string().optional(),
  temporalNamespace: z.string().optional(),
  temporalUiUrl: z.string().nullish(),
});

/** What the demo must know of the running service besides its address. */
export interface Target {
  readonly admin: z.output<typeof admin>;
  readonly temporalAddress: string | null;
  readonly temporalNamespace: string;
  readonly temporalUiUrl: string | null;
}

/** Reads the environment, and for what it leaves out the notes that `npm start` left in its data directory. */
export async function findTarget(env: NodeJS.ProcessEnv): Promise<Target> {
  const dataDir = env['DATA_DIR'] ?? '.data';
  const notes = stack.catch({}).parse(await readNote(join(dataDir, 'stack.json')));
  return {
    admin: await findAdmin(env, join(dataDir, 'admin.json')),
    temporalAddress: env['TEMPORAL_ADDRESS'] ?? notes.temporalAddress ?? null,
    temporalNamespace: env['TEMPORAL_NAMESPACE'] ?? notes.temporalNamespace ?? 'marketplace',
    temporalUiUrl: env['TEMPORAL_UI_URL'] ?? notes.temporalUiUrl ?? null,
  };
}

async function findAdmin(env: NodeJS.ProcessEnv, file: string): Promise<z.output<typeof admin>> {
  const given = admin.safeParse({ email: env['ADMIN_EMAIL'], password: env['ADMIN_PASSWORD'] });
  if (given.success) return given.data;
  const noted = admin.safeParse(await readNote(file));
  if (noted.success) return noted.data;
  throw new Error(
    `The demo needs an administrator: neither ADMIN_EMAIL and ADMIN_PASSWORD are set, nor is there ${file}, which npm start writes.\n` +
      'Run npm start first, in another terminal, and leave it running.',
  );
}

async function readNote(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch {
    return null;
  }
}
