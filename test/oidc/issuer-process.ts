import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK, type JWTHeaderParameters } from 'jose';

const limitMs = 20_000;
const file = fileURLToPath(new URL('issuer.ts', import.meta.url));
const living = new Set<ChildProcess>();
// A test runner that ends early must not leave processes behind.
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** An OpenID provider in a process of its own. */
export interface IssuerProcess {
  readonly url: string;
  /** The key that signs now, both halves. */
  key(): JWK;
  /** Signs with the issuer's key what the issuer itself would not say. */
  sign(claims: Readonly<Record<string, unknown>>, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** Takes a new key in place of the old one. */
  rotate(): Promise<void>;
  /** SIGKILL. Comes back when the process is gone. */
  stop(): Promise<void>;
  /** Starts it again, at the same address with the same key. */
  start(): Promise<void>;
}

/** Starts an issuer on a free port of this machine. */
export async function startIssuer(): Promise<IssuerProcess> {
  let key = await makeKey();
  let child = spawn('0');
  const url = await answerOf(child);
  const tellKey = async () => {
    child.send({ keys: [key] });
    await answerOf(child);
  };
  await tellKey();
  return {
    url,
    key: () => key,
    sign: async (claims, header = {}) =>
      await new SignJWT({ iss: url, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: key.kid ?? '', typ: 'at+jwt', ...header })
        .sign(await importJWK(key, 'RS256')),
    rotate: async () => {
      key = await makeKey();
      await tellKey();
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit', { signal: AbortSignal.timeout(limitMs) });
      child.kill('SIGKILL');
      await exited;
    },
    start: async () => {
      child = spawn(new URL(url).port);
      await answerOf(child);
      await tellKey();
    },
  };
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' };
}

function spawn(port: string): ChildProcess {
  // Its warnings that it is no provider for production are not worth reading.
  const child = fork(file, [], {
    env: { ...process.env, PORT: port, NODE_NO_WARNINGS: '1' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  living.add(child);
  child.once('exit', () => living.delete(child));
  return child;
}

async function answerOf(child: ChildProcess): Promise<string> {
  const ended = new AbortController();
  const onExit = () => ended.abort(new Error('the issuer ended before it answered'));
  child.once('exit', onExit);
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(limitMs)]);
  const [url] = (await once(child, 'message', { signal })) as [string];
  child.off('exit', onExit);
  return url;
}
