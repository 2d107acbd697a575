import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Host } from '../../../shared/http/host.ts';
import { createCdn } from '../../support/edge/cdn.ts';
import { edgeSecret, toHashes } from '../../support/edge/edge-secret.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { freePort, send, startProcess, temporaryFolder } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('a share page from a CDN', () => {
  const startCdn = async (host: Host) => {
    const cdn = createCdn(host);
    await once(cdn.server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      cdn.server.closeAllConnections();
      cdn.server.close();
    });
    return { cdn, port: (cdn.server.address() as AddressInfo).port };
  };

  /** Starts the service behind a CDN, with a share of Ann. */
  const start = async (fields: object) => {
    const [service, snippets] = [await startCdn('service'), await startCdn('snippets')];
    const [port, snippetsPort] = [await freePort(), await freePort()];
    service.cdn.originPort = Number(port);
    snippets.cdn.originPort = Number(snippetsPort);
    const url = `http://localhost:${service.port}`;
    await startProcess({
      DATA_DIR: await temporaryFolder(),
      PORT: port,
      SNIPPETS_PORT: snippetsPort,
      PUBLIC_URL: url,
      SNIPPETS_URL: `http://127.0.0.1:${snippets.port}`,
      EDGE_SECRET_HASHES: toHashes(edgeSecret),
    });
    const owner = await openContext(browser);
    const password = 'correct horse';
    const registered = await owner.request.post(`${url}/api/auth/register`, {
      data: { email: 'ann@example.com', name: 'Ann', password, confirmPassword: password },
      headers: { origin: url },
    });
    const { token } = await registered.json();
    const { body: share } = await send(`${url}/api/share`, {
      method: 'POST',
      token,
      body: { title: 'Offer', ...fields },
    });
    const views = async (): Promise<number> =>
      (await send(`${url}/api/share?id=${share.id}&mine=true`, { token })).body.views;
    const beacons = () =>
      service.cdn.forwarded.filter((one) => one === `POST /s/${share.id}/view`).length;
    return { owner, share, views, beacons, service, snippets };
  };

  /** Follows a link of another site, for which a browser sends no session. */
  const arrive = async (page: Page, url: string): Promise<void> => {
    await page.goto(`data:text/html,<a href="${url}">Offer</a>`);
    await page.getByRole('link', { name: 'Offer' }).click();
    await page.waitForURL(url);
  };

  it('counts each view by one request, however often it is loaded from the CDN', async () => {
    const { share, views, beacons, snippets } = await start({ content: '<h1>Hi</h1>' });
    const context = await openContext(browser);
    const { page, complaints } = await openPage(context, share.url);
    await page.frameLocator('iframe').getByRole('heading', { name: 'Hi' }).waitFor();
    await expect.poll(beacons).toBe(1);
    await page.reload();
    await expect.poll(beacons).toBe(2);
    await expect.poll(views).toBe(2);
    await page.getByRole('button', { name: 'More actions' }).click();
    expect(await page.getByRole('button', { name: 'Stop sharing' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    expect(beacons()).toBe(2);
    expect(snippets.cdn.forwarded.length).toBeLessThanOrEqual(2);
    expect(complaints).toEqual([]);
  });

  it('gets the actions of its owner by script, who can stop sharing then', async () => {
    const { owner, share, views, beacons, service } = await start({
      content: '# Offer',
      language: 'markdown',
    });
    const { page, complaints } = await openPage(owner, 'about:blank');
    const loaded = page.waitForResponse((response) => response.url() === share.url);
    await arrive(page, share.url);
    const html = await (await loaded).text();
    expect(html).toContain('data-counts');
    expect(html).not.toContain('Stop sharing');
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    expect(beacons()).toBe(1);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Copy source' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await inspect(page, 'share-owner-edge');
    await page.getByRole('button', { name: 'Stop sharing' }).first().click();
    const question = page.getByRole('alertdialog', { name: 'Stop sharing?' });
    await question.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('heading', { name: 'This share has ended' }).waitFor();
    expect(await views()).toBe(1);
    expect(
      service.cdn.forwarded.filter((one) => one === `GET /s/${share.id}`).length,
    ).toBeGreaterThan(1);
    expect(complaints.filter((text) => !text.includes('410'))).toEqual([]);
  });
});
