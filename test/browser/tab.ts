import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Service } from '../harness.ts';

export interface Tab {
  readonly page: Page;
  /** What the browser had to complain about: errors, warnings, violations of the policy. */
  readonly complaints: string[];
  readonly open: (path: string) => Promise<void>;
}

let lastAddress = 0;

/** Headers of an address of its own, so that limits of addresses stay out of each other's way. */
export function fromSomewhere(): { 'x-forwarded-for': string } {
  lastAddress += 1;
  return { 'x-forwarded-for': `198.18.${lastAddress >> 8}.${lastAddress & 255}` };
}

/** A tab of a browser profile of its own, at an address of its own. */
export async function openTab(
  browser: Browser,
  service: Pick<Service, 'url'>,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({ extraHTTPHeaders: fromSomewhere(), ...options });
  const page = await context.newPage();
  // Everything is on this machine: what takes longer does not come.
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  return {
    page,
    complaints,
    open: async (path) => {
      await page.goto(service.url + path);
    },
  };
}
