// Visits in Chromium as time goes by. The pages of shares that have ended are looked at in `browser/matrix/`.

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listGroups } from '../../../functions/routes.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { hasBrowser, launchBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

const second = 1_000;
const minute = 60 * second;

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

describe.skipIf(!hasBrowser)('a reader of shares', () => {
  let browser: Browser;
  let servers: Server[];
  let owner: Person;

  const serve = async (groups: Parameters<typeof createGateway>[0]): Promise<string> => {
    const server = createGateway(groups, () => undefined);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  beforeAll(async () => {
    servers = [];
    // Runs in this process, so that tests control its clock.
    vi.stubEnv('PUBLIC_URL', await serve(listGroups('service')));
    vi.stubEnv('SNIPPETS_URL', await serve(listGroups('snippets')));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    vi.unstubAllEnvs();
  });
  beforeEach(async () => {
    owner = await newUserOf('user');
  });
  afterEach(() => void vi.stubEnv('RATE_LIMIT_FACTOR', '1000'));

  const share = async (body: Record<string, unknown>): Promise<{ id: string; url: string }> => {
    const response = await call('POST /api/share', {
      token: owner.token,
      body: { content: '<h1>The snippet</h1>', ...body },
    });
    expect(response.status).toBe(201);
    return response.body;
  };
  const viewsOf = async (id: string): Promise<number> =>
    (await call('GET /api/share', { query: { id, mine: 'true' }, token: owner.token })).body.views;
  const visit = async (url: string) => openPage(await openContext(browser), url);
  const openButton = (page: Page) => page.getByRole('button', { name: 'Open snippet' });
  const snippet = (page: Page) => page.frameLocator('iframe').locator('h1');
  const heading = (page: Page) => page.locator('h1').innerText();

  it('consumes one view per double click', async () => {
    const { id, url } = await share({ viewLimit: 3 });
    const { page, complaints } = await visit(url);
    expect(await page.getByText('Opening it uses 1 of 3 remaining views.').isVisible()).toBe(true);
    await openButton(page).dblclick();
    expect(await snippet(page).innerText()).toBe('The snippet');
    expect(await viewsOf(id)).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('sees the last view again for a minute, then the end of the share', async () => {
    const { id, url } = await share({ viewLimit: 1 });
    const { page, complaints } = await visit(url);
    await openButton(page).click();
    expect(await snippet(page).innerText()).toBe('The snippet');
    expect(await page.getByText('No views left').isVisible()).toBe(true);
    await inspect(page, 'visit-last-view');
    const other = await visit(url);
    expect(await heading(other.page)).toBe('This share has reached its view limit');

    pass(minute - second);
    await page.reload();
    expect(await snippet(page).innerText()).toBe('The snippet');
    pass(second);
    await page.reload();
    expect(await heading(page)).toBe('This share has reached its view limit');
    expect(await viewsOf(id)).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('is asked again a minute after a view that was not the last', async () => {
    const { id, url } = await share({ viewLimit: 3, password: 'Abc123' });
    const { page } = await visit(url);
    const enter = async (password: string) => {
      await page.getByLabel('Password').fill(password);
      await openButton(page).click();
    };
    await enter('wrong1');
    expect(await page.getByRole('alert').innerText()).toBe('Incorrect password. Try again.');
    await enter('Abc123');
    expect(await snippet(page).innerText()).toBe('The snippet');
    pass(minute);
    await page.reload();
    expect(await heading(page)).toBe('Enter the password');
    await enter('Abc123');
    expect(await snippet(page).innerText()).toBe('The snippet');
    expect(await viewsOf(id)).toBe(2);
  });

  it('sees that an open share was taken down', async () => {
    const { id, url } = await share({ viewLimit: 5 });
    const { page } = await visit(url);
    await openButton(page).click();
    await snippet(page).waitFor();
    const { token } = await newUserOf('super_admin');
    await call('PUT /api/shares/{id}/decision', {
      params: { id },
      token,
      body: { decision: 'take-down' },
    });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('link', { name: 'Raw' }).click();
    expect(await heading(page)).toBe('This share was taken down');
    await page.goBack();
    expect(await heading(page)).toBe('This share was taken down');
  });

  it('sees the owner’s changes and finally the end', async () => {
    const { id, url } = await share({});
    const { page } = await visit(url);
    expect(await snippet(page).innerText()).toBe('The snippet');
    const change = (body: Record<string, unknown>) =>
      call('PUT /api/share/{id}', { params: { id }, token: owner.token, body });
    await change({ content: '<h1>Another</h1>', title: 'A title' });
    await page.reload();
    expect([await heading(page), await snippet(page).innerText()]).toEqual(['A title', 'Another']);
    await change({ language: 'markdown', content: '# Prose' });
    await page.reload();
    expect(await page.locator('main .prose h1').innerText()).toMatch(/^Prose/);
    await change({ expiresIn: 60 });
    pass(3 * minute);
    await runMinute();
    await page.reload();
    expect(await heading(page)).toBe('This share has expired');
    await call('DELETE /api/share/{id}', { params: { id }, token: owner.token });
    await page.reload();
    expect(await heading(page)).toBe('Snippet not found');
  });

  it('is asked to wait after five incorrect passwords', async () => {
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    const { url } = await share({ password: 'Abc123' });
    const { page } = await visit(url);
    const enter = async (password: string) => {
      await page.getByLabel('Password').fill(password);
      await openButton(page).click();
    };
    for (let times = 0; times < 5; times++) {
      await enter(`wrong${times}`);
      await page.getByRole('alert').waitFor();
    }
    await enter('Abc123');
    expect(await heading(page)).toBe('Too many attempts');
    await inspect(page, 'visit-too-many');
    pass(2 * minute);
    await page.goto(url);
    await enter('Abc123');
    expect(await snippet(page).innerText()).toBe('The snippet');
  });
});
