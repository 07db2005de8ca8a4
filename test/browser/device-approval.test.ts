import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '../api/purchase.ts';
import { startService, type Service } from '../harness.ts';
import { askForKey } from './asking-agent.ts';
import { startChromium } from './chromium.ts';
import { eventually, heading, password, registered, sendCode, signIn } from './person.ts';
import { openTab } from './tab.ts';

let service: Service;
let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
  service = await startService({ SIGNUP_GRANT_UT: '100' });
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

describe('a person who approves an agent', () => {
  it('follows its link, signs in, compares, approves, and the agent buys for them', async () => {
    const person = await registered(service);
    const agent = await askForKey(service, 'openclaw', { 'user-agent': 'openclaw/2.4' });
    expect(await agent.poll()).toMatchObject({ status: 200, code: 4801, data: { status: 'pending' } });

    const { page, complaints, open } = await openTab(browser, service);
    await open(agent.path);
    await eventually(() => page.title()).toBe('Enter the code – Connect an agent – Marketplace');
    expect(await page.getByLabel('Code that your agent shows').inputValue()).toBe(agent.userCode);
    await sendCode(page);
    await heading(page, 'Sign in').waitFor();
    expect(await page.title()).toBe('Sign in – Connect an agent – Marketplace');
    await signIn(page, person.email);
    await heading(page, 'Do you want to connect OpenClaw?').waitFor();
    const details = await page.locator('#decision').innerText();
    for (const shown of [agent.userCode, 'OpenClaw', 'openclaw/2.4', '198.18.', 'just now'])
      expect(details).toContain(shown);
    await page.getByRole('button', { name: 'Approve' }).click();
    await heading(page, 'The agent is connected').waitFor();
    expect(await page.locator('#outcome').innerText()).toContain('Go back to your agent');
    expect(complaints).toEqual([]);

    const capabilityId = await publish(await service.human('seller'));
    const as = await agent.credentials();
    const bought = await service.call('POST', '/api/v1/transactions', { capability_id: capabilityId }, as);
    expect(bought).toMatchObject({ status: 201, code: 0, data: { buyer_user_id: person.userId } });
    const freeze = { ...as, 'idempotency-key': 'first-purchase' };
    const frozen = await service.call('POST', `/api/v1/transactions/${bought.data.id}/freeze`, undefined, freeze);
    expect(frozen.data.status).toMatch(/^(frozen|accepted)$/);
    await service.ledgerCheck();
  });

  it('registers on the page where they have no account', async () => {
    const agent = await askForKey(service, 'cursor');
    const { page, open } = await openTab(browser, service);
    await open(agent.path);
    await sendCode(page);
    await page.getByRole('button', { name: 'Create an account' }).click();
    const form = page.locator('#register-form');
    await form.getByLabel('Your name').fill('Grace');
    await form.getByLabel('E-mail address').fill(`grace-${agent.userCode}@example.com`);
    await form.getByLabel('Password').fill('too short');
    await form.getByRole('button', { name: 'Create account' }).click();
    const field = form.getByLabel('Password');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#register-password-error').innerText()).toContain('at least 12 characters');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill(password);
    await form.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Do you want to connect Cursor?').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await heading(page, 'The agent is connected').waitFor();
    expect(await agent.poll()).toMatchObject({ code: 0, data: { status: 'approved', agent_platform_type: 'cursor' } });
  });

  it('is not asked to sign in again in the same tab, nor after a reload', async () => {
    const { email } = await registered(service);
    const { page, open } = await openTab(browser, service);
    await open('/connections');
    await signIn(page, email);
    await page.getByText('No agent is connected.').waitFor();
    const agent = await askForKey(service);
    await open(agent.path);
    await page.reload();
    await sendCode(page);
    await heading(page, 'Do you want to connect OpenClaw?').waitFor();
    expect(await page.getByText(email).isVisible()).toBe(true);
  });

  it('needs nothing but the keyboard', async () => {
    const { email } = await registered(service);
    const agent = await askForKey(service);
    const { page, open } = await openTab(browser, service);
    const { keyboard } = page;
    const focused = () =>
      page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim());
    const tabTo = async (wanted: string) => {
      for (let presses = 0; (await focused()) !== wanted && presses < 12; presses += 1) await keyboard.press('Tab');
      expect(await focused()).toBe(wanted);
    };
    await open('/device');
    await tabTo('Skip to the content');
    await tabTo('user-code');
    // As people type it: small letters, a space in the middle.
    await keyboard.type(agent.userCode.toLowerCase().replace('-', ' '));
    await keyboard.press('Enter');
    await eventually(focused).toBe('sign-in-heading');
    await tabTo('sign-in-email');
    await keyboard.type(email);
    await tabTo('sign-in-password');
    await keyboard.type(password);
    await keyboard.press('Enter');
    await eventually(focused).toBe('decision-heading');
    await tabTo('Approve');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
    expect(outline).toBe('solid');
    await keyboard.press('Enter');
    await eventually(focused).toBe('outcome-heading');
    expect((await agent.poll()).data.status).toBe('approved');
  });

  it('approves once, however often they click', async () => {
    const { email } = await registered(service);
    const agent = await askForKey(service);
    const { page, open } = await openTab(browser, service);
    const decisions: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/confirm')) decisions.push(request.postData() ?? '');
    });
    await open(agent.path);
    await sendCode(page);
    await signIn(page, email);
    const approve = page.getByRole('button', { name: 'Approve' });
    await approve.dblclick();
    await heading(page, 'The agent is connected').waitFor();
    expect(decisions).toEqual([JSON.stringify({ user_code: agent.userCode, approve: true })]);
  });

  it('sends the token in a header only: no cookie is ever set', async () => {
    const { email } = await registered(service);
    const { page, open } = await openTab(browser, service);
    await open('/connections');
    const asked = page.waitForRequest((request) => request.url().includes('/api/v1/connections'));
    await signIn(page, email);
    const headers = await (await asked).allHeaders();
    expect(headers['authorization']).toMatch(/^Bearer /);
    expect(headers).not.toHaveProperty('cookie');
    await page.getByText('No agent is connected.').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
});
