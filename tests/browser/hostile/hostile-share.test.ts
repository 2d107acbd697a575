// What the script of a shared page can’t do to its reader. The policies it meets are in `web/share-page/`.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
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

describe.skipIf(!hasBrowser)('a hostile share in a browser', () => {
  /** Opens a share with these attempts as a signed-in user. */
  const openHostile = async (attempts: Readonly<Record<string, string>>) => {
    const { service, person, share } = await serveShares();
    const attacker = await serveElsewhere();
    const url = await share({
      content: hostileSnippet(attempts, { service, attacker: attacker.url }),
    });
    const context = await openContext(browser);
    const page = await context.newPage();
    await signIn(page, service, person);
    await page.evaluate('localStorage.setItem("draft", "unsent text")');
    await page.goto(url);
    const frame = page.frameLocator('iframe');
    const attempt = attemptIn(frame);
    return { page, context, frame, attempt, service, url, asked: attacker.asked };
  };

  /** Checks that the page still shows the share and responds to its reader. */
  const expectUnmoved = async (page: Page, url: string) => {
    expect(page.url()).toBe(url);
    await page.getByRole('button', { name: 'Copy link' }).click({ trial: true });
    await expect.poll(() => page.getByRole('link', { name: 'Report' }).isVisible()).toBe(true);
  };

  it('reaches no cookie, no storage but its own and no page', async () => {
    const { attempt } = await openHostile(reaches);
    expect(await resultsOf(reaches, attempt)).toMatchInlineSnapshot(`
      {
        "IndexedDB": "failed: SecurityError",
        "a service worker": "failed: SecurityError",
        "caches": "failed: SecurityError",
        "its parent": "failed: SecurityError",
        "localStorage": "done: undefined",
        "read cookies": "failed: SecurityError",
        "sessionStorage": "done: undefined",
        "set a cookie": "failed: SecurityError",
        "the address of the top": "failed: SecurityError",
        "the frame around it": "failed: TypeError",
        "the top": "failed: SecurityError",
      }
    `);
  });

  it('is shown within its page only, also by browsers that don’t say what they load', async () => {
    const { share } = await serveShares();
    const url = await share({
      content: `<p>Sign in</p><script>stop(); document.write('<input type="password">')</script>`,
    });
    const context = await openContext(browser);
    const page = await context.newPage();
    await page.goto(url);
    const own = (await page
      .frameLocator('iframe')
      .locator('body')
      .evaluate('location.href')) as string;
    await page.goto(own);
    expect(page.url()).toBe(url);
    // As browsers of 2022 ask, and all browsers by plain http.
    const silent = await context.newPage();
    await silent.route(own, async (route) =>
      route.request().frame() === silent.mainFrame()
        ? route.fulfill({ response: await silent.request.get(own) })
        : route.continue(),
    );
    await silent.goto(own).catch(() => undefined);
    await silent.waitForURL(url);
    await silent.frameLocator('iframe').getByText('Sign in').waitFor();
  });

  it('connects to no other browser from its own document', async () => {
    const { attempt } = await openHostile({
      'a connection': 'return [typeof RTCPeerConnection, typeof webkitRTCPeerConnection]',
      'that of a frame': `const frame = document.body.appendChild(document.createElement("iframe"));
        return typeof frame.contentWindow.RTCPeerConnection`,
    });
    expect(await attempt('a connection')).toBe('done: undefined,undefined');
    expect(await attempt('that of a frame')).toBe('failed: SecurityError');
  });

  it('sends no request to the service with the reader’s session or to another host', async () => {
    const hostile = await openHostile({ ...requests, ...silentRequests });
    await expectNoRequests(hostile, 1);
    const { page, service, url } = hostile;
    await page.reload();
    await expectUnmoved(page, url);
    expect((await page.request.get(`${service}/api/auth/me`)).status()).toBe(200);
  });

  it('navigates neither the page nor its reader', async () => {
    const { page, attempt, url, asked } = await openHostile(moves);
    expect(await resultsOf(moves, attempt)).toMatchInlineSnapshot(`
      {
        "a base of the top": "done: undefined",
        "a link of the parent": "done: undefined",
        "a link to the top": "done: undefined",
        "a script in the top": "failed: SecurityError",
        "clipboard": "failed: NotAllowedError",
        "fullscreen": "failed: TypeError",
        "open in the top": "done: null",
        "parent.location.replace": "failed: SecurityError",
        "place": "failed: code 1",
        "the history": "failed: SecurityError",
        "the pointer": "failed: SecurityError",
        "top.close": "done: undefined",
        "top.location": "failed: SecurityError",
      }
    `);
    expect(asked).toEqual([]);
    expect(await page.title()).toBe('Shared snippet');
    await expect.poll(() => page.evaluate('document.fullscreenElement')).toBe(null);
    await expectUnmoved(page, url);
  });

  const popups = {
    'open elsewhere': 'return String(open(attacker))',
    'open with an opener': `const link = document.body.appendChild(document.createElement("a"));
      link.href = attacker; link.target = "_blank"; link.rel = "opener"; link.click()`,
    'open nothing': 'const opened = open("about:blank"); opened.document.write("mine")',
    'open the service': 'return open(service + "/account").document.title',
    'open itself': 'return open(location.href).document.title',
  };
  const save = `const link = document.body.appendChild(document.createElement("a"));
    link.href = URL.createObjectURL(new Blob(["text"])); link.download = "a.txt"; link.click()`;

  it('opens windows without a reference in either direction, and saves files', async () => {
    const attempts = { ...popups, save };
    const { page, context, attempt, url, service } = await openHostile(attempts);
    const results: Record<string, string> = {};
    for (const name of Object.keys(popups)) {
      const [popup] = await Promise.all([context.waitForEvent('page'), attempt(name)]);
      results[name] = await page.frameLocator('iframe').locator(`output[id="${name}"]`).innerText();
      await popup.waitForLoadState();
      // A page of the service that is opened from another site loads itself again.
      const readOpener = () => popup.evaluate('String(window.opener)').catch(String);
      await expect.poll(readOpener, { message: name }).toBe('null');
      if (name === 'open itself') expect(popup.url()).toBe(url);
      await popup.close();
    }
    expect(results).toMatchInlineSnapshot(`
      {
        "open elsewhere": "done: null",
        "open itself": "failed: TypeError",
        "open nothing": "failed: TypeError",
        "open the service": "failed: TypeError",
        "open with an opener": "done: undefined",
      }
    `);
    const [saved] = await Promise.all([page.waitForEvent('download'), attempt('save')]);
    expect(saved.suggestedFilename()).toBe('a.txt');
    await expectUnmoved(page, url);
    expect((await page.request.get(`${service}/api/auth/me`)).status()).toBe(200);
  });

  it('neither forges nor hides the notice of the page', async () => {
    const flood = `for (let at = 0; at < 5_000; at++) {
        parent.postMessage({ blocked: [["<b>x</b>", "<img src=x onerror=alert(1)>" + at + "x".repeat(9_000)]] }, "*");
      }
      for (const odd of [null, 1, "blocked", [], { blocked: 1 }, { blocked: [null, [{}, []]] }]) parent.postMessage(odd, "*");
      return "sent"`;
    const odd = `for (const odd of [null, 1, "blocked", [], { blocked: 1 }, { blocked: [null] }, { blocked: Array(10_000).fill(["img-src", "x"]) }]) parent.postMessage(odd, "*")`;
    const { page, attempt, url } = await openHostile({ odd, flood });
    const failures: string[] = [];
    page.on('pageerror', ({ message }) => failures.push(message));
    await attempt('odd');
    await attempt('flood');
    await page.locator('.blocked summary').click();
    const lines = await page.locator('.blocked li').allInnerTexts();
    expect(lines.length).toBeLessThanOrEqual(8);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
    await expect.poll(() => page.locator('.blocked :is(img, b)').count()).toBe(0);
    expect(failures).toEqual([]);
    await expectUnmoved(page, url);
  });
});
