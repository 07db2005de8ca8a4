/**
 * Draws the pictures of the README from a running service: `npm start`, then
 * `node test/browser/screenshot.ts [http://127.0.0.1:3000]`. It registers a person and approves agents as anybody would.
 */
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startChromium } from './chromium.ts';

const base = process.argv[2] ?? 'http://127.0.0.1:3000';
const folder = new URL('../../docs/picture/', import.meta.url).pathname;
const email = `ada.${randomUUID().slice(0, 6)}@example.com`;
const password = 'correct horse battery staple';

const wide = { viewport: { width: 760, height: 700 } };
const phone = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 1.25 };

async function post<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(`${base}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { code, message, data } = (await response.json()) as { code: number; message: string; data: T };
  if (code !== 0) throw new Error(`${path} answered ${code}: ${message}`);
  return data;
}

interface Started {
  readonly device_code: string;
  readonly user_code: string;
}

async function ask(type: string, program: string): Promise<Started> {
  return await post<Started>('device-auth', { agent_platform_type: type }, { 'user-agent': program });
}

/** Approves an agent of this type, which then looks at the wallet, so that its key has been used. */
async function connect(bearer: Record<string, string>, type: string, program: string): Promise<void> {
  const { device_code, user_code } = await ask(type, program);
  await post('device-auth/confirm', { user_code, approve: true }, bearer);
  const polled = await post<{ api_key: string; user_id: string }>('device-auth/poll', { device_code });
  const headers = { 'x-api-key': polled.api_key, 'x-platform-user-id': polled.user_id };
  await fetch(`${base}/api/v1/wallet`, { headers });
}

async function signedIn(browser: Browser, path: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(base + path);
  const code = page.getByRole('button', { name: 'Continue' });
  if (path.startsWith('/device')) await code.click();
  const form = page.locator('#sign-in-form');
  await form.getByLabel('E-mail address').fill(email);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  return page;
}

async function drawDecision(browser: Browser, name: string, options: BrowserContextOptions): Promise<void> {
  const { user_code } = await ask('openclaw', 'openclaw/2.4.1 (linux; x64)');
  const page = await signedIn(browser, `/device?user_code=${user_code}`, options);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.screenshot({ path: `${folder}${name}.png`, fullPage: true });
}

async function drawConnections(browser: Browser, name: string): Promise<void> {
  const page = await signedIn(browser, '/connections', { ...wide, colorScheme: 'light' });
  await page
    .getByRole('button', { name: /^Revoke key/ })
    .nth(1)
    .waitFor();
  await page.screenshot({ path: `${folder}${name}.png`, fullPage: true });
}

await post('register', { email, password, display_name: 'Ada' });
const { access_token: token } = await post<{ access_token: string }>('login', { email, password });
const bearer = { authorization: `Bearer ${token}` };
await connect(bearer, 'cursor', 'cursor/1.7');
await connect(bearer, 'openclaw', 'openclaw/2.4.1');
const browser = await startChromium();
try {
  await drawDecision(browser, 'device-light', { ...wide, colorScheme: 'light' });
  await drawDecision(browser, 'device-dark', { ...wide, colorScheme: 'dark' });
  await drawDecision(browser, 'device-phone', { ...phone, colorScheme: 'light' });
  await drawConnections(browser, 'connections-light');
} finally {
  await browser.close();
}
