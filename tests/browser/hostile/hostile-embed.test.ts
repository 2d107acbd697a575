// What the script of a shared page can’t do to a site that embeds it, nor to that site’s reader.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveElsewhere } from '../../support/service/third-party-server.ts';
import {
  attemptIn,
  expectNoRequests,
  hostileSnippet,
  moves,
  reaches,
  requests,
  resultsOf,
  signIn,
  silentRequests,
} from '../../support/shares/hostile.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

/** Starts a site with a page that frames a URL. */
const serveSite = async (framed: string): Promise<string> => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>A blog</title><iframe src="${framed}" width="900" height="600"></iframe>`,
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

describe.skipIf(!hasBrowser)('an embedded share in a browser', () => {
  const embed = async (
    createBody: (service: string) => Promise<object> | object,
    embedOrigins: readonly string[] = ['*'],
  ) => {
    const { service, share, person } = await serveShares();
    const url = await share({ ...(await createBody(service)), embedOrigins });
    const site = await serveSite(`${url}/embed`);
    const context = await openContext(browser);
    const page = await context.newPage();
    return { service, url, site, context, page, person };
  };

  /** Opens a page that embeds a share with these attempts, as a user who is signed in to the service. */
  const openHostile = async (attempts: Readonly<Record<string, string>>) => {
    const attacker = await serveElsewhere();
    const { service, site, context, page, person } = await embed((at) => ({
      content: hostileSnippet(attempts, { service: at, attacker: attacker.url }),
    }));
    await signIn(page, service, person);
    await page.goto(site);
    const frame = page.frameLocator('iframe').frameLocator('iframe');
    const attempt = attemptIn(frame);
    return { page, context, frame, attempt, service, site, asked: attacker.asked };
  };

  it('shows Markdown with its author and the way to its page', async () => {
    const { site, url, page } = await embed(() => ({
      content: '# Offer\n\nFor you.',
      language: 'markdown',
    }));
    await page.goto(site);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Offer' }).waitFor();
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('link', { name: 'Offer' }).click(),
    ]);
    await opened.waitForURL(url);
  });

  it('shows nothing on sites that the owner did not name', async () => {
    const { site, page } = await embed(
      () => ({ content: '<p>Here</p>' }),
      ['https://blog.example.com'],
    );
    await page.goto(site);
    await expect
      .poll(() => page.frames().some((one) => one.url().startsWith('chrome-error:')))
      .toBe(true);
    await expect.poll(() => page.frameLocator('iframe').getByText('Here').count()).toBe(0);
  });

  it('sends no request to the service with the reader’s session or to another host', async () => {
    const hostile = await openHostile({ ...requests, ...silentRequests });
    await expectNoRequests(hostile, 2);
    const { page, site } = hostile;
    expect(page.url()).toBe(site);
  });

  it('reaches nothing of other pages, and navigates neither the page nor its reader', async () => {
    const attempts = { ...reaches, ...moves };
    const { page, attempt, site, asked } = await openHostile(attempts);
    const results = await resultsOf(attempts, attempt);
    const done = Object.entries(results).filter(([, result]) => !result.startsWith('failed'));
    expect(Object.fromEntries(done)).toEqual({
      'a base of the top': 'done: undefined',
      'a link of the parent': 'done: undefined',
      'a link to the top': 'done: undefined',
      // Its own, in memory.
      localStorage: 'done: undefined',
      'open in the top': 'done: null',
      sessionStorage: 'done: undefined',
      'top.close': 'done: undefined',
    });
    expect(asked).toEqual([]);
    expect([page.url(), await page.title()]).toEqual([site, 'A blog']);
  });
});
