import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** An installation takes a minute or two; one that hangs must not hang the tests. */
const installLimitMs = 5 * 60_000;

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const places = [
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium: what CHROMIUM_PATH says, or one under a usual name; null where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const { CHROMIUM_PATH: given } = env;
  if (given !== undefined && given !== '') return existsSync(given) ? given : null;
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...candidates, ...places].find((path) => existsSync(path)) ?? null;
}

/** Tries to install one where that is ours to do: as root on Debian, and nobody named another. Shows what it does. */
export function installChromium(): void {
  const { CHROMIUM_PATH: given } = process.env;
  const isOurs = process.getuid?.() === 0 && existsSync('/etc/debian_version') && given === undefined;
  if (!isOurs) return;
  console.log('No Chromium for the browser tests: installing Debian’s.');
  aptGet('update', '-qq');
  aptGet('install', '-y', '--no-install-recommends', 'chromium');
}

function aptGet(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', args, { stdio: 'inherit', timeout: installLimitMs, env });
}

/** Starts a Chromium without a window. Throws a sentence that says what to install where there is none. */
export async function startChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) {
    throw new Error(
      'The browser tests need Chromium or Chrome, and found none: install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to one.',
    );
  }
  return await chromium.launch({
    executablePath,
    // Chromium refuses its own sandbox to root, as whom tests run in containers. Only our own pages are opened.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-background-networking', '--disable-component-update', '--no-first-run'],
  });
}
