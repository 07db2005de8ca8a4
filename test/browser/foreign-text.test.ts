import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness.ts';
import { askForKey } from './asking-agent.ts';
import { startChromium } from './chromium.ts';
import { heading, password, registered, sendCode, signIn } from './person.ts';
import { fromSomewhere, openTab } from './tab.ts';

const hostile = `<img src=x onerror="window.harm=1"><script>window.harm=2</script>"'&lt;b&gt;`;
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

const harmOf = (page: Page) => page.evaluate(() => 'harm' in globalThis);

describe('text from outside', () => {
  it('is shown as the text that it is: what an agent says of itself', async () => {
    const { email } = await registered(service);
    const agent = await askForKey(service, 'openclaw', { 'user-agent': hostile });
    const { page, complaints, open } = await openTab(browser, service);
    // The service takes no such type or address; the page does not lean on that.
    await page.route('**/device-auth/lookup*', async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      await route.fulfill({
        response,
        json: { ...rest, data: { ...data, agent_platform_type: hostile, address: hostile } },
      });
    });
    await open(agent.path);
    await sendCode(page);
    await signIn(page, email);
    await heading(page, `Do you want to connect ${hostile}?`).waitFor();
    for (const id of ['agent-kind', 'asked-from', 'asked-by'])
      expect(await page.locator(`#${id}`).innerText()).toBe(hostile);
    expect(await page.locator('#decision img, #decision script').count()).toBe(0);
    expect(await harmOf(page)).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('is shown as the text that it is: what a platform calls itself', async () => {
    const { email, userId } = await registered(service);
    const platform = await service.admin.call('POST', '/api/v1/admin/platforms', { name: hostile });
    await service.admin.call('POST', `/api/v1/admin/platforms/${platform.data.id}/grants`, { user_id: userId });
    const { page, complaints, open } = await openTab(browser, service);
    await open('/connections');
    await signIn(page, email);
    const names = page.getByRole('heading', { level: 3 });
    await names.waitFor();
    expect(await names.allInnerTexts()).toEqual([hostile]);
    await page.getByRole('button', { name: `Disconnect ${hostile}` }).click();
    await page.getByRole('heading', { name: `Disconnect ${hostile}?` }).waitFor();
    expect(await harmOf(page)).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('does not leave the value of the code field', async () => {
    const { page, complaints, open } = await openTab(browser, service);
    for (const given of [hostile, `BCDF-GHJK" autofocus onfocus="window.harm=3`, 'BCDF-GHJK&user_code=x']) {
      await open(`/device?user_code=${encodeURIComponent(given)}`);
      expect(await page.getByLabel('Code that your agent shows').inputValue()).toBe('');
    }
    await open('/device?user_code=bcdf%20ghjk');
    expect(await page.getByLabel('Code that your agent shows').inputValue()).toBe('BCDF-GHJK');
    expect(await harmOf(page)).toBe(false);
    expect(complaints).toEqual([]);
  });
});

describe('script that is not ours', () => {
  it('does not run, wherever it was put', async () => {
    const { page, complaints, open } = await openTab(browser, service);
    await page.route('**/device', async (route) => {
      const response = await route.fetch();
      const injected = `<script>window.harm=1</script><img src="data:," onerror="window.harm=2"><script src="https://elsewhere.example/x.js"></script><base href="https://elsewhere.example/">`;
      await route.fulfill({ response, body: (await response.text()).replace('<main', `${injected}<main`) });
    });
    await open('/device');
    await heading(page, 'Enter the code').waitFor();
    expect(await harmOf(page)).toBe(false);
    const violations = complaints.filter((text) => text.includes('Content Security Policy'));
    expect(violations.length).toBeGreaterThanOrEqual(4);
    // Markup out of a string is refused as such, so that no later change can open that door unseen.
    const assigned = await page.evaluate(() => {
      try {
        document.body.innerHTML = '<p></p>';
        return 'assigned';
      } catch (error) {
        return error instanceof Error ? error.name : 'thrown';
      }
    });
    expect(assigned).toBe('TypeError');
  });

  it('finds no tokens outside of the tab that signed in', async () => {
    const { email } = await registered(service);
    const { page, open } = await openTab(browser, service);
    await open('/connections');
    await signIn(page, email);
    await page.getByText('No agent is connected.').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${service.url}/connections`);
    await heading(other, 'Sign in').waitFor();
    expect(await other.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('finds no use for a token after the person has signed out', async () => {
    const { email } = await registered(service);
    const { page, open } = await openTab(browser, service);
    await open('/connections');
    await signIn(page, email, password);
    await page.getByText('No agent is connected.').waitFor();
    const { refresh } = await page.evaluate(() => JSON.parse(sessionStorage.getItem('marketplace.session') ?? '{}'));
    const ended = page.waitForResponse((response) => response.url().endsWith('/auth/logout'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await ended;
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    const again = await service.call('POST', '/api/v1/auth/refresh', { refresh_token: refresh }, fromSomewhere());
    expect(again.status).toBe(401);
  });
});
