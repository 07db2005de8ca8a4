import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness.ts';
import { askForKey } from './asking-agent.ts';
import { startChromium } from './chromium.ts';
import { eventually, heading, registered, sendCode, signIn } from './person.ts';
import { flawsOf } from './probe.ts';
import { openTab } from './tab.ts';

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

const looks: readonly [string, BrowserContextOptions][] = [
  ['in light colours', { colorScheme: 'light' }],
  ['in dark colours', { colorScheme: 'dark' }],
  ['on a phone 320 px wide', { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' }],
];

describe.each(looks)('every state %s', (_, options) => {
  it('has names, landmarks, one heading on top, contrast, and fits', async () => {
    const { email } = await registered(service);
    const agent = await askForKey(service, 'a-kind-of-agent-with-a-name-of-fifty-letters-1234', {
      'user-agent': 'very-long-word'.repeat(14),
    });
    const { page, open } = await openTab(browser, service, options);
    const flaws: Record<string, string[]> = {};
    const look = async (state: string) => {
      flaws[state] = await flawsOf(page);
    };
    await open('/device');
    await sendCode(page);
    await look('a wrong code');
    await sendCode(page, agent.userCode);
    await look('sign in');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByRole('button', { name: 'Create account' }).click();
    await look('a wrong registration');
    await page.locator('#register').getByRole('button', { name: 'Sign in' }).click();
    await signIn(page, email);
    await heading(page, /Do you want to connect/).waitFor();
    await look('decision');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('cannot be reached').waitFor();
    await look('no service');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Approve' }).click();
    await heading(page, 'The agent is connected').waitFor();
    await look('outcome');
    await agent.credentials();
    await page.getByRole('link', { name: 'See connected agents' }).click();
    await page.getByRole('button', { name: /^Disconnect/ }).waitFor();
    await look('list');
    await page.getByRole('button', { name: /^Disconnect/ }).click();
    await look('dialog');
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No agent is connected.').waitFor();
    await eventually(async () => await page.getByRole('status').innerText()).toContain('is disconnected');
    await look('empty list');
    expect(Object.keys(flaws)).toHaveLength(9);
    expect(Object.fromEntries(Object.entries(flaws).filter(([, found]) => found.length > 0))).toEqual({});
  });
});

describe('a page', () => {
  it('shows a change of state to who cannot see it: title, focus and a live region', async () => {
    const { page, open } = await openTab(browser, service);
    await open('/device?user_code=WDJB-MJHT');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    await sendCode(page);
    await heading(page, 'Sign in').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('sign-in-heading');
    expect(await page.title()).toMatch(/^Sign in/);
    expect(await page.getByRole('listitem').filter({ hasText: 'Sign in' }).getAttribute('aria-current')).toBe('step');
    expect(await page.getByRole('status').count()).toBe(1);
  });

  it('moves nothing for who asked for less motion', async () => {
    for (const [reducedMotion, duration] of [
      ['reduce', '0s'],
      ['no-preference', '0.15s, 0.15s'],
    ] as const) {
      const { page, open } = await openTab(browser, service, { reducedMotion });
      await open('/device');
      const button = page.getByRole('button', { name: 'Continue' });
      expect(await button.evaluate((element) => getComputedStyle(element).transitionDuration)).toBe(duration);
    }
  });

  it('says plainly that it needs its script where none runs', async () => {
    const { page, open } = await openTab(browser, service, { javaScriptEnabled: false });
    for (const path of ['/device?user_code=WDJB-MJHT', '/connections']) {
      await open(path);
      expect(await page.locator('main').innerText()).toContain('This page needs JavaScript');
      expect(await page.getByRole('textbox').count()).toBe(0);
    }
  });

  it('tells password managers what its fields are', async () => {
    const { page, open } = await openTab(browser, service);
    await open('/connections');
    const fields = await page
      .locator('input')
      .evaluateAll((inputs) =>
        inputs.map(
          (one) => `${one.closest('form')?.id} ${one.getAttribute('name')} ${one.getAttribute('autocomplete')}`,
        ),
      );
    expect(fields).toEqual([
      'sign-in-form email username',
      'sign-in-form password current-password',
      'register-form display_name name',
      'register-form email username',
      'register-form password new-password',
    ]);
  });
});
