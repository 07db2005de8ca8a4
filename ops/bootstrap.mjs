/**
 * Runs an entry of this project on the Node of its own dependencies, which it installs first where they are missing or
 * out of step: `node ops/bootstrap.mjs ENTRY [args...]`. It needs nothing but Node 20, hence plain JavaScript.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE_TO_INSTALL = 20;
const OLDEST_NODE_TO_RUN = 24;
const INSTALL_TIMEOUT_MS = 20 * 60_000;
const NOTICE_EVERY_MS = 10_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const binDir = join(modules, '.bin');
const node = join(binDir, process.platform === 'win32' ? 'node.cmd' : 'node');
const stamp = join(modules, '.marketplace-lock-sha256');

try {
  const [entry, ...args] = process.argv.slice(2);
  if (entry === undefined) throw new Error('Usage: node ops/bootstrap.mjs ENTRY [args...]');
  if (majorOf(process.versions.node) < OLDEST_NODE_TO_INSTALL) {
    throw new Error(`Node ${OLDEST_NODE_TO_INSTALL} or newer is needed to install, this is ${process.versions.node}.`);
  }
  if (!isInStep()) await installOnce();
  await runEntry(entry, args);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function isInStep() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const sha256 = createHash('sha256').update(lock).digest('hex');
  if (!existsSync(node)) return false;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sha256) return true;
  // Somebody may have run npm themselves: then npm's own record shows whether every package is there.
  if (!hasEveryPackage(JSON.parse(lock.toString('utf8')))) return false;
  writeFileSync(stamp, sha256);
  return true;
}

function hasEveryPackage(lock) {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(lock.packages).every(
    ([path, wanted]) =>
      path === '' || wanted.optional === true || installed[path]?.version === wanted.version || wanted.link === true,
  );
}

/** One installation at a time: `npm start` and `npm test` may be called together in a fresh clone. */
async function installOnce() {
  const owner = createHash('sha256')
    .update(`${root}/${process.getuid?.() ?? ''}`)
    .digest('hex');
  const lock = join(tmpdir(), `marketplace-install-${owner.slice(0, 16)}.lock`);
  await takeLock(lock);
  try {
    if (!isInStep()) await install();
  } finally {
    rmSync(lock, { force: true });
  }
}

async function takeLock(lock) {
  const startMs = Date.now();
  let noticedMs = 0;
  while (Date.now() - startMs < INSTALL_TIMEOUT_MS) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = holderOf(lock);
    if (holder !== null && !isAlive(holder)) {
      rmSync(lock, { force: true });
      continue;
    }
    if (Date.now() - noticedMs > NOTICE_EVERY_MS) {
      console.log(`Waiting for process ${holder ?? '?'}, which installs the dependencies …`);
      noticedMs = Date.now();
    }
    await delay(250);
  }
  throw new Error(`Another process has been installing the dependencies for too long. If none is, delete ${lock}.`);
}

/** Null while the holder has made the file but not yet written its pid. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8')) || null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function install() {
  const startMs = Date.now();
  console.log('Installing the dependencies (npm ci) …');
  const notice = setInterval(
    () => console.log(`Installing the dependencies … ${Math.round((Date.now() - startMs) / 1000)} s`),
    NOTICE_EVERY_MS,
  );
  // Engine warnings are about the Node that installs, not the one that is installed and then runs everything.
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error'];
  const options = { cwd: root, timeout: INSTALL_TIMEOUT_MS, shell: process.platform === 'win32' };
  const end = await runChild('npm', args, options).finally(() => clearInterval(notice));
  if (end.code !== 0) throw new Error(`npm ci failed (${end.signal ?? `exit code ${end.code}`}).`);

  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  if (!(majorOf(version.replace(/^v/, '')) >= OLDEST_NODE_TO_RUN)) {
    throw new Error(
      `The dependencies are there, but ${node} is not Node ${OLDEST_NODE_TO_RUN} or newer ` +
        `(${version === '' ? 'it does not run' : version}). Its install script must be allowed: npm config ignore-scripts.`,
    );
  }
  if (!isInStep()) throw new Error('The dependencies do not match package-lock.json even after npm ci.');
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}

async function runEntry(entry, args) {
  const env = {
    ...process.env,
    PATH: `${binDir}${delimiter}${process.env.PATH ?? ''}`,
    // Lets the entry notice that this process was killed and nobody would pass a signal on any more.
    MARKETPLACE_BOOTSTRAP_PID: String(process.pid),
  };
  const { code, signal } = await runChild(node, [entry, ...args], { env, shell: process.platform === 'win32' });
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
}

/** Runs a program on this terminal to its end, passing on the signals that ask this process to stop. */
async function runChild(command, args, options) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  let asked = false;
  const passOn = (signal) => {
    asked = true;
    // In a terminal Ctrl-C reaches the child by itself; passing it on as well would count as a second one.
    if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, passOn);
  // npm and its shell may end before the child does on the same signal: a second one would count as forcing it.
  const watch = watchNpm(() => {
    if (!asked) passOn('SIGTERM');
  });
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new Error(`${command} could not be run: ${error.message}`)));
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
  } finally {
    clearInterval(watch);
    for (const signal of STOP_SIGNALS) process.off(signal, passOn);
  }
}

/** Once npm is killed, nothing else would end what it started. npm is the parent, or the parent of a shell between. */
function watchNpm(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const started = ancestry();
  return setInterval(() => ancestry() !== started && onGone(), 1_000).unref();
}

function ancestry() {
  const parent = process.ppid;
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    // Above npm there is the user's own shell, which may well end before the service does.
    if (name.startsWith('npm') || name.startsWith('node')) return String(parent);
    return `${parent} of ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`;
  } catch {
    return String(parent);
  }
}
