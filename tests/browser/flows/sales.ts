import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

const password = 'correct horse';

export const root = 'root@example.com';

/** Starts a service with a super_admin, these users and these sales. */
export const start = async (
  sales: readonly Record<string, unknown>[] = [],
  users: readonly Record<string, unknown>[] = [],
) => {
  const { url } = await startFreshService();
  const api = async (method: string, path: string, body?: unknown) =>
    (await send(url + path, { method, token, ...(body !== undefined && { body }) })).body;
  const signedIn = await send(`${url}/api/auth/login`, {
    method: 'POST',
    body: { email: root, password },
  });
  const { token } = signedIn.body;
  for (const user of users) {
    const email = `${user['name']}@example.com`.toLowerCase();
    const made = await api('POST', '/api/users', { email, password, ...user });
    expect(made.success, JSON.stringify(made)).toBe(true);
  }
  for (const sale of sales) {
    const made = await api('POST', '/api/sales', sale);
    expect(made.success, JSON.stringify(made)).toBe(true);
  }
  const open = async (email: string, path = '/sales', width = 1440, timezoneId?: string) => {
    const context = await openContext(browser, {
      viewport: { width, height: 900 },
      ...(timezoneId !== undefined && { timezoneId }),
    });
    await context.request.post(`${url}/api/auth/login`, {
      data: { email, password },
      headers: { origin: url },
    });
    return { context, ...(await openPage(context, url + path)) };
  };
  const list = async (query = '') => (await api('GET', `/api/sales?pageSize=100${query}`)).data;
  return { api, open, list };
};

/** Returns the customers of the listed sales. */
export const names = (page: Page) => page.locator('#sales td.m b').allInnerTexts();

/** The sale that is open. */
export const drawer = (page: Page) => page.locator('dialog.drawer[open]');

/** Chooses a CSV file to import. */
export const chooseFile = (page: Page, lines: readonly string[]) =>
  page.locator('#csv').setInputFiles({
    name: 'orders.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  });

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Sales of two customers in two months. */
export const demo = [
  { amount: '20', cost: '5', customer: 'Ann', category: 'Books', soldAt: '2026-11-01T10:00:00Z' },
  { amount: '30.10', customer: 'Bob', category: 'Prints', soldAt: '2026-11-02T10:00:00Z' },
  { amount: '40', customer: 'Ann', category: 'Prints', soldAt: '2026-10-03T10:00:00Z' },
];
