import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Service } from '../harness.ts';
import { fromSomewhere } from './tab.ts';

export const password = 'correct horse battery staple';

/** A registered person with a password that they can type. */
export async function registered({ call }: Pick<Service, 'call'>): Promise<{ email: string; userId: string }> {
  const email = `ada-${randomUUID()}@example.com`;
  const body = { email, password, display_name: 'Ada' };
  const { data, text } = await call('POST', '/api/v1/auth/register', body, fromSomewhere());
  if (data?.id === undefined) throw new Error(`registration failed: ${text}`);
  return { email, userId: data.id };
}

/** Continues from the code that is filled in. */
export async function sendCode(page: Page, code?: string): Promise<void> {
  if (code !== undefined) await page.getByLabel('Code that your agent shows').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function signIn(page: Page, email: string, typed = password): Promise<void> {
  const form = page.locator('#sign-in-form');
  await form.getByLabel('E-mail address').fill(email);
  await form.getByLabel('Password').fill(typed);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The heading of the state that the page is in. */
export function heading(page: Page, name: string | RegExp) {
  return page.getByRole('heading', { level: 2, name });
}

/** Looks until it is so; hashing a password takes a second where the machine is busy. */
export function eventually<T>(look: () => Promise<T>) {
  return expect.poll(look, { timeout: 15_000, interval: 25 });
}
