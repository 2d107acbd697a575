import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Host } from '../../../shared/http/host.ts';
import { createCdn } from '../../support/edge/cdn.ts';
import { edgeSecret, toHashes } from '../../support/edge/edge-secret.ts';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { freePort, send, startProcess, temporaryFolder } from '../../support/run/process.ts';

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
export const start = async (fields: object) => {
  const [service, snippets] = [await startCdn('service'), await startCdn('snippets')];
  const [port, snippetsPort] = [await freePort(), await freePort()];
  service.cdn.originPort = Number(port);
  snippets.cdn.originPort = Number(snippetsPort);
  const url = `http://localhost:${service.port}`;
  snippets.cdn.serviceUrl = url;
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
export const arrive = async (page: Page, url: string): Promise<void> => {
  const link = `<a href="${url.replaceAll('&', '&amp;')}">Offer</a>`;
  await page.goto(`data:text/html,${encodeURIComponent(link)}`);
  await page.getByRole('link', { name: 'Offer' }).click();
  await page.waitForURL(url);
};
