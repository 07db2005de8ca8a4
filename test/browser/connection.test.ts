import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness.ts';
import { askForKey } from './asking-agent.ts';
import { startChromium } from './chromium.ts';
import { eventually, heading, password, registered, signIn } from './person.ts';
import { fromSomewhere, openTab } from './tab.ts';

let service: Service;
let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
  service = await startService();
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

/** A registered person with agents of these kinds, each with its key. */
async function withAgents(...types: string[]) {
  const person = await registered(service);
  const body = { email: person.email, password };
  const session = await service.call('POST', '/api/v1/auth/login', body, fromSomewhere());
  const bearer = { authorization: `Bearer ${session.data.access_token}`, ...fromSomewhere() };
  const keys: Record<string, string>[] = [];
  for (const type of types) {
    const agent = await askForKey(service, type);
    const decision = { user_code: agent.userCode, approve: true };
    await service.call('POST', '/api/v1/auth/device-auth/confirm', decision, bearer);
    keys.push(await agent.credentials());
  }
  const isUsable = async (key: Record<string, string> | undefined) =>
    (await service.call('GET', '/api/v1/wallet', undefined, key ?? {})).code === 0;
  return { ...person, keys, isUsable };
}

/** Tab of the list, signed in. */
async function openList(email: string) {
  const tab = await openTab(browser, service);
  await tab.open('/connections');
  await signIn(tab.page, email);
  await heading(tab.page, 'Who may act for you').waitFor();
  return tab;
}

describe('connected agents', () => {
  it('are listed with their keys and last use', async () => {
    const { email, keys, isUsable } = await withAgents('openclaw', 'cursor');
    expect(await isUsable(keys[0])).toBe(true);
    const used = 'select count(*)::int as count from api_key where last_used_at is not null';
    await eventually(() => service.em.execute(used)).toEqual([{ count: 1 }]);
    const { page, complaints } = await openList(email);
    const names = page.getByRole('heading', { level: 3 });
    await eventually(() => names.allInnerTexts()).toEqual(['Cursor', 'OpenClaw']);
    const shown = await page.locator('#platforms').innerText();
    expect(shown).toContain(`${keys[0]?.['x-api-key']?.slice(0, 12)}`);
    expect(shown).toContain('last used just now');
    expect(shown).toContain('never used');
    expect(shown).not.toContain(keys[0]?.['x-api-key']);
    expect(complaints).toEqual([]);
  });

  it('lose their access when they are disconnected, and only they', async () => {
    const { email, keys, isUsable } = await withAgents('openclaw', 'cursor');
    const { page } = await openList(email);
    await page.getByRole('button', { name: 'Disconnect OpenClaw' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect OpenClaw?' });
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await eventually(() => page.getByRole('status').innerText()).toBe('OpenClaw is disconnected.');
    expect(await page.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['Cursor']);
    expect([await isUsable(keys[0]), await isUsable(keys[1])]).toEqual([false, true]);
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('list-heading');
  });

  it('lose a single key when it is revoked', async () => {
    const { email, keys, isUsable } = await withAgents('openclaw');
    const { page } = await openList(email);
    await page.getByRole('button', { name: /^Revoke key/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await eventually(() => page.getByRole('status').innerText()).toMatch(/^The key .* is revoked\.$/);
    expect(await isUsable(keys[0])).toBe(false);
    expect(await page.locator('#platforms').innerText()).toContain('It has no key (any more).');
  });

  it('keep their access when the person thinks better of it, and the focus goes back', async () => {
    const { email, keys, isUsable } = await withAgents('openclaw');
    const { page } = await openList(email);
    const button = page.getByRole('button', { name: 'Disconnect OpenClaw' });
    for (const leave of [
      async () => await page.keyboard.press('Escape'),
      async () => await page.getByRole('button', { name: 'Cancel' }).click(),
    ]) {
      await button.click();
      const focused = await page.evaluate(() => document.activeElement?.textContent);
      expect(focused).toBe('Cancel');
      await leave();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    expect(await isUsable(keys[0])).toBe(true);
  });

  it('stay connected while the service is out of reach, and the dialog says so', async () => {
    const { email, keys, isUsable } = await withAgents('openclaw');
    const { page } = await openList(email);
    await page.getByRole('button', { name: 'Disconnect OpenClaw' }).click();
    const dialog = page.getByRole('dialog');
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await eventually(() => dialog.getByRole('alert').innerText()).toContain('cannot be reached');
    expect(await isUsable(keys[0])).toBe(true);
    await page.context().setOffline(false);
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No agent is connected.').waitFor();
    expect(await isUsable(keys[0])).toBe(false);
  });

  it('are read page by page, and a page that empties leads to the one before', async () => {
    const types = Array.from({ length: 11 }, (_, index) => `agent-${index}`);
    const { email } = await withAgents(...types);
    const { page } = await openList(email);
    const names = page.getByRole('heading', { level: 3 });
    await eventually(() => names.count()).toBe(10);
    await page.getByRole('button', { name: 'Next' }).click();
    await eventually(() => names.allInnerTexts()).toEqual(['agent-0']);
    expect(await page.getByRole('status').innerText()).toBe('Page 2 of 2, 11 agents');
    await page.getByRole('button', { name: 'Disconnect agent-0' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await eventually(() => names.count()).toBe(10);
    expect(await page.locator('#paging').isVisible()).toBe(false);
  });

  it('are nobody else’s to see: an account without any gets the way to a first one', async () => {
    await withAgents('openclaw');
    const { email } = await registered(service);
    const { page } = await openList(email);
    await page.getByText('No agent is connected.').waitFor();
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(0);
    await page.getByRole('link', { name: 'Enter a code' }).click();
    await heading(page, 'Enter the code').waitFor();
  });
});
