// What the files of a share can't do to their reader. The policy that they meet is in `web/snippet/files.test.ts`.

import { describe, expect, it } from 'vitest';
import { zipFiles } from '../../support/archives/zip.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveElsewhere } from '../../support/service/third-party-server.ts';
import {
  attemptIn,
  hostileSnippet,
  reaches,
  requests,
  resultsOf,
  signIn,
} from '../../support/shares/hostile.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

const evil = '<script>parent.postMessage("ran", "*"); document.title = "ran"</script>';

/** Opens a share with files as a signed-in user. */
const openSite = async (toFiles: (service: string, attacker: string) => Record<string, string>) => {
  const { service, person, shareArchive } = await serveShares();
  const attacker = await serveElsewhere();
  const { url } = await shareArchive(zipFiles(toFiles(service, attacker.url)));
  const page = await (await openContext(browser)).newPage();
  await signIn(page, service, person);
  await page.goto(url);
  const frame = page.frameLocator('iframe');
  const base = (await frame.locator('body').evaluate('new URL(".", location.href).href')) as string;
  return { page, url, frame, base, attacker };
};

describe.skipIf(!hasBrowser)('the files of a hostile share', () => {
  it('reach no cookie, no storage but their own, no page and no service, on any of its pages', async () => {
    const attempts = { ...reaches, fetch: requests.fetch, XMLHttpRequest: requests.XMLHttpRequest };
    const { frame, attacker } = await openSite((service, elsewhere) => ({
      'index.html': '<a href="second/">Second</a>',
      'second/index.html': hostileSnippet(attempts, { service, attacker: elsewhere }),
      'worker.js': 'addEventListener("fetch", () => undefined)',
    }));
    await frame.getByRole('link', { name: 'Second' }).click();
    await frame.getByRole('button', { name: 'caches' }).waitFor();
    const results = Object.values(await resultsOf(attempts, attemptIn(frame)));
    const done = results.filter((result) => !String(result).startsWith('failed'));
    // Storage in memory, which is empty.
    expect(done).toEqual(['done: undefined', 'done: undefined']);
    expect(attacker.asked).toEqual([]);
  });

  it('run no script where a browser opens them by itself', async () => {
    const { page, url, base } = await openSite(() => ({
      'index.html': '<p>Home</p>',
      'page.html': evil,
      'a.svg': `<svg xmlns="http://www.w3.org/2000/svg">${evil}</svg>`,
      'page.png': evil,
      'page.txt': evil,
      'page.xml': `<html xmlns="http://www.w3.org/1999/xhtml">${evil}</html>`,
    }));
    for (const path of ['page.html', 'a.svg', '']) {
      await page.goto(`${base}${path}`);
      expect([path, page.url()]).toEqual([path, url]);
    }
    for (const path of ['page.png', 'page.txt', 'page.xml']) {
      await page.goto(`${base}${path}`);
      expect([path, page.url(), await page.title()]).not.toContain('ran');
    }
  });

  it('are framed by no other site', async () => {
    const { page, base } = await openSite(() => ({
      'index.html': '<p>Home</p>',
      'page.html': evil,
    }));
    await page.goto('about:blank');
    await page.setContent(
      `<title>site</title><script>onmessage = () => document.title = 'ran'</script><iframe src="${base}page.html"></iframe>`,
    );
    await page.locator('iframe').evaluate(
      (frame) =>
        new Promise((loaded) => {
          frame.addEventListener('load', loaded, { once: true });
          (frame as HTMLIFrameElement).src += '#again';
        }),
    );
    expect(await page.title()).toBe('site');
  });
});
