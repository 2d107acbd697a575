import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

import { activityKeys } from '../../shared/activity/keys.ts';
import { openContext, openPage } from '../support/pages/open-page.ts';
import { admin, connectToTable, startFreshService } from '../support/run/fresh-service.ts';
import { send } from '../support/run/process.ts';

export type DashboardService = Awaited<ReturnType<typeof startDashboard>>;

/** Starts the service with a super_admin and helpers that fill the dashboard. */
export const startDashboard = async () => {
  const service = await startFreshService({ CURRENCY: 'USD' });
  const { url } = service;
  const signIn = async (email: string): Promise<string> => {
    const body = { email, password: admin.password };
    return (await send(`${url}/api/auth/login`, { method: 'POST', body })).body.token;
  };
  const post = async (path: string, body: object, token?: string) => {
    const response = await send(`${url}${path}`, {
      method: 'POST',
      body,
      token: token ?? (await signIn(admin.email)),
    });
    expect(response.status, JSON.stringify(response.body)).toBe(201);
    return response.body;
  };
  const client = connectToTable(service);
  return {
    url,
    admin: admin.email,
    signIn,
    post,
    /** Creates a user with a time zone and returns an access token. */
    newUser: async (email: string, fields: object, timezone = 'Asia/Tokyo') => {
      await post('/api/users', { email, name: 'Ann', password: admin.password, ...fields });
      const token = await signIn(email);
      const changed = await send(`${url}/api/users/me`, {
        method: 'PUT',
        token,
        body: { timezone },
      });
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      return token;
    },
    /** Stores the counts of a past day, which no request can create. */
    countDay: async (date: string, counts: object) => {
      const Item = { ...activityKeys.day.at({ day: date, shard: 1 }), ...counts };
      await client.send(new PutCommand({ TableName: 'handbill', Item }));
    },
  };
};

/** Waits until all sections have loaded or failed. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('#dashboard section').first().waitFor();
  const busy = page.locator('#dashboard section[aria-busy="true"]');
  await expect.poll(() => busy.count()).toBe(0);
};

/** Opens the dashboard of a signed-in user and records the requested API paths. */
export const openDashboard = async (
  browser: Browser,
  { url }: DashboardService,
  email: string,
  {
    path = '/dashboard',
    prepare,
  }: { path?: string; prepare?: (page: Page) => Promise<unknown> } = {},
) => {
  const context = await openContext(browser);
  const response = await context.request.post(`${url}/api/auth/login`, {
    data: { email, password: admin.password },
    headers: { origin: url },
  });
  expect(response.status()).toBe(200);
  const asked: string[] = [];
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    const isOfShell = pathname === '/api/notifications/updates';
    if (/^\/api\//.test(pathname) && !isOfShell) asked.push(pathname + search);
  });
  const opened = await openPage(context, `${url}/health`);
  await prepare?.(opened.page);
  opened.complaints.length = 0;
  await opened.page.goto(`${url}${path}`);
  await settled(opened.page);
  return { ...opened, context, asked };
};

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Returns the rows of a chart's table, with joined cells. */
export const rowsOf = (page: Page, id: string): Promise<string[]> =>
  page.locator(`#${id} .rows tr`).evaluateAll((rows) =>
    // biome-ignore lint/suspicious/noExplicitAny: the types of a browser are not among ours
    rows.map((row: any) => [...row.cells].map(({ textContent }) => textContent).join(' | ')),
  );

/** Counts the pixels of a chart in exactly this color, such as `#1d4ed8`. */
export const pixelsOf = (page: Page, id: string, color: string): Promise<number> =>
  page.locator(`#${id}-plot canvas`).evaluate(
    (element, wanted) => {
      // biome-ignore lint/suspicious/noExplicitAny: the types of a browser are not among ours
      const canvas = element as any;
      // Avoids the browser's warning about frequent canvas reads.
      const copy = canvas.cloneNode().getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      let found = 0;
      for (let at = 0; at < data.length; at += 4) {
        const pixel = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
        if (data[at + 3] === 255 && pixel === wanted) found += 1;
      }
      return found;
    },
    Number.parseInt(color.slice(1), 16),
  );

/** Returns the width of a chart's axis labels. */
export const widthOfAxis = async (page: Page, id: string): Promise<number> => {
  const [whole, inner] = await Promise.all(
    ['canvas', '.u-over'].map((part) => page.locator(`#${id}-plot ${part}`).boundingBox()),
  );
  return (inner?.x ?? 0) - (whole?.x ?? 0);
};
