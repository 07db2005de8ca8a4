import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../harness.ts';
import { askForKey } from './asking-agent.ts';
import { startChromium } from './chromium.ts';
import { eventually, heading, password, registered, sendCode, signIn } from './person.ts';
import { fromSomewhere, openTab } from './tab.ts';

const lookup = '/api/v1/auth/device-auth/lookup?user_code=';
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

/** A tab in which a registered person has followed the link of an agent and is about to decide. */
async function aboutToDecide(type = 'openclaw') {
  const person = await registered(service);
  const agent = await askForKey(service, type);
  const tab = await openTab(browser, service);
  await tab.page.clock.install();
  await tab.open(agent.path);
  await sendCode(tab.page);
  await signIn(tab.page, person.email);
  await heading(tab.page, /Do you want to connect/).waitFor();
  return { ...tab, agent, person };
}

async function bearerOf(email: string): Promise<Record<string, string>> {
  const session = await service.call('POST', '/api/v1/auth/login', { email, password }, fromSomewhere());
  return { authorization: `Bearer ${session.data.access_token}`, ...fromSomewhere() };
}

describe('a person who does not approve', () => {
  it('denies, and the agent is told', async () => {
    const { page, agent } = await aboutToDecide();
    await page.getByRole('button', { name: 'Deny' }).click();
    await heading(page, 'You said no').waitFor();
    expect(await page.title()).toBe('You said no – Connect an agent – Marketplace');
    expect(await page.getByRole('link', { name: 'See connected agents' }).count()).toBe(0);
    expect(await agent.poll()).toMatchObject({ status: 403, code: 4803 });
  });

  it('sees the request expire while they think', async () => {
    const { page } = await aboutToDecide();
    await page.clock.fastForward('11:00');
    await heading(page, 'The code has expired').waitFor();
    expect(await page.locator('#outcome').innerText()).toContain('ask it for a new code');
  });

  it('is told that it expired where the service knows before the page does', async () => {
    const { page } = await aboutToDecide('too-late');
    const expire = `update device_session set expires_at = created_at + interval '1 ms' where agent_platform_type = ?`;
    await service.em.execute(expire, ['too-late']);
    await page.getByRole('button', { name: 'Approve' }).click();
    await heading(page, 'The code has expired').waitFor();
    await page.getByRole('link', { name: 'Enter another code' }).click();
    await heading(page, 'Enter the code').waitFor();
    expect(await page.getByLabel('Code that your agent shows').inputValue()).toBe('');
  });

  it('is told what was decided in another tab', async () => {
    const { page, agent, person } = await aboutToDecide();
    const body = { user_code: agent.userCode, approve: false };
    await service.call('POST', '/api/v1/auth/device-auth/confirm', body, await bearerOf(person.email));
    await page.getByRole('button', { name: 'Approve' }).click();
    await heading(page, 'You said no').waitFor();
    expect((await agent.poll()).code).toBe(4803);
  });

  it('does not decide by signing out, and can go on as somebody else', async () => {
    const { page, agent } = await aboutToDecide();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Enter the code').waitFor();
    await eventually(() => page.getByRole('status').innerText()).toBe('You are signed out.');
    expect((await agent.poll()).code).toBe(4801);
    const { email } = await registered(service);
    await sendCode(page);
    await signIn(page, email);
    await heading(page, 'Do you want to connect OpenClaw?').waitFor();
  });
});

describe('a code that leads nowhere', () => {
  it('is refused beside the field, with the focus in it', async () => {
    const { email } = await registered(service);
    const { page, open } = await openTab(browser, service);
    await open('/device?user_code=WWWW-WWWW');
    await sendCode(page);
    await signIn(page, email);
    const field = page.getByLabel('Code that your agent shows');
    await eventually(() => field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#user-code-error').innerText()).toContain('No agent is waiting with this code');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    const { userCode } = await askForKey(service);
    await sendCode(page, userCode);
    await heading(page, 'Do you want to connect OpenClaw?').waitFor();
  });

  it('is not sent where it cannot be one', async () => {
    const { page, open } = await openTab(browser, service);
    await open('/device?user_code=%22%3E%3Cscript%3Ealert(1)%3C/script%3E');
    expect(await page.getByLabel('Code that your agent shows').inputValue()).toBe('');
    for (const [code, text] of [
      ['', 'Enter the code'],
      ['AEIO-1234', 'no vowels and no digits'],
      ['BCDF', 'eight letters'],
    ] as const) {
      await sendCode(page, code);
      expect(await page.locator('#user-code-error').innerText()).toContain(text);
    }
  });

  it('is not tried too often: the page counts the wait down in words, then lets go', async () => {
    const { email } = await registered(service);
    const bearer = await bearerOf(email);
    for (let count = 0; count < 10; count += 1)
      expect((await service.call('GET', `${lookup}WWWW-WWWW`, undefined, bearer)).code).toBe(4040);
    const { page, open } = await openTab(browser, service);
    await page.clock.install();
    const agent = await askForKey(service);
    await open(agent.path);
    await sendCode(page);
    await signIn(page, email);
    const alert = page.locator('#code-form').getByRole('alert');
    await eventually(() => alert.innerText()).toMatch(/Too many tries.*try again in \d minutes and \d+ seconds?\./s);
    const button = page.getByRole('button', { name: 'Continue' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await page.clock.fastForward('11:00');
    await eventually(() => alert.innerText()).toBe('You can try again now.');
    expect(await button.getAttribute('aria-disabled')).toBe('false');
  });
});

describe('what goes wrong elsewhere', () => {
  it('is said in the form while the service is out of reach, and the same button tries again', async () => {
    const { page, agent } = await aboutToDecide();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Approve' }).click();
    const alert = page.locator('#decision-form').getByRole('alert');
    await eventually(() => alert.innerText()).toContain('cannot be reached');
    expect((await agent.poll()).code).toBe(4801);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Approve' }).click();
    await heading(page, 'The agent is connected').waitFor();
    expect((await agent.poll()).data.status).toBe('approved');
  });

  it('asks to sign in again where the session has ended, and goes on from there', async () => {
    const { page, person } = await aboutToDecide();
    await page.evaluate(() => {
      const session = JSON.parse(sessionStorage.getItem('marketplace.session') ?? '{}');
      const ended = { ...session, access: `${session.access.slice(0, -4)}AAAA` };
      sessionStorage.setItem('marketplace.session', JSON.stringify(ended));
    });
    await page.getByRole('button', { name: 'Approve' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByRole('status').innerText()).toContain('Your sign-in has ended');
    await signIn(page, person.email);
    await heading(page, /Do you want to connect/).waitFor();
  });

  it('says so where no password opens an account', async () => {
    const strict = await startService({ OIDC_ISSUER: 'https://id.example.com', OIDC_AUDIENCE: 'marketplace' });
    const { page, open } = await openTab(browser, strict);
    await open('/connections');
    await signIn(page, 'ada@example.com');
    const alert = page.locator('#sign-in-form').getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('No password opens an account here');
    await strict.close();
  });

  it('renews a token that has run out without asking', async () => {
    const { page } = await aboutToDecide();
    await page.evaluate(() => {
      const session = JSON.parse(sessionStorage.getItem('marketplace.session') ?? '{}');
      sessionStorage.setItem('marketplace.session', JSON.stringify({ ...session, endsAt: 0 }));
    });
    const renewed = page.waitForResponse((response) => response.url().endsWith('/auth/refresh'));
    await page.getByRole('button', { name: 'Approve' }).click();
    expect((await renewed).status()).toBe(200);
    await heading(page, 'The agent is connected').waitFor();
  });

  it('says that a password is wrong, and that an address is taken', async () => {
    const { email } = await registered(service);
    const { page, open } = await openTab(browser, service);
    await open('/connections');
    await signIn(page, email, 'not the password');
    const wrong = page.locator('#sign-in-password-error');
    await wrong.waitFor();
    expect(await wrong.innerText()).toBe('E-mail address or password is wrong.');
    await page.getByRole('button', { name: 'Create an account' }).click();
    const form = page.locator('#register-form');
    await form.getByLabel('Your name').fill('Ada');
    await form.getByLabel('E-mail address').fill(email);
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button', { name: 'Create account' }).click();
    const taken = page.locator('#register-email-error');
    await taken.waitFor();
    expect(await taken.innerText()).toContain('has an account');
  });
});
