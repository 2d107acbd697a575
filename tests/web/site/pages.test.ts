import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { assetPath } from '../../../functions/web/layout/asset.ts';
import { errorPage, replyWithErrorPage } from '../../../functions/web/layout/error-page.ts';
import { inlineStyle } from '../../../functions/web/layout/inline-style.ts';
import { isCarriedOver, transitionHead } from '../../../functions/web/layout/page-transitions.ts';
import { pagePolicy } from '../../../functions/web/layout/policy.ts';
import { uploadUrl } from '../../../functions/web/site/files/upload-url.ts';
import { measureAsset, measurePage } from '../../support/pages/compressed-size.ts';
import { type CallOptions, call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useTable();

const frames = 'https://snippets.test';
beforeAll(() => {
  vi.stubEnv('SNIPPETS_URL', frames);
  vi.stubEnv('MAIL_FROM', 'handbill@example.com');
  return () => vi.unstubAllEnvs();
});

/** What the path of a page has where its route has a parameter. */
const params = { id: '42' };

/** The pages of the console, which are rendered for their user. */
const consolePages = [
  { path: '/shares', fields: 0, policy: () => ({}) },
  {
    path: '/files',
    fields: 0,
    policy: () => ({ connects: uploadUrl(), media: new URL(uploadUrl()).origin }),
  },
  { path: '/documents', fields: 0, policy: () => ({}) },
  {
    path: '/documents/{id}',
    fields: 0,
    policy: () => ({ frames, inlineStyle: 'document.css' as const }),
  },
  { path: '/messages', fields: 0, policy: () => ({ connects: uploadUrl() }) },
  { path: '/calendar', fields: 0, policy: () => ({}) },
  { path: '/notifications', fields: 0, policy: () => ({}) },
  { path: '/dashboard', fields: 0, policy: () => ({}) },
  { path: '/sales', fields: 0, policy: () => ({}) },
  { path: '/users', fields: 0, policy: () => ({}) },
  { path: '/moderation', fields: 0, policy: () => ({ frames }) },
  { path: '/audit', fields: 0, policy: () => ({}) },
  { path: '/settings', fields: 0, policy: () => ({}) },
  { path: '/account', fields: 0, policy: () => ({}) },
];
/** Page and assets, compressed: of the first page that is opened, and without what it shares with all of the next ones. */
const maxFirstBytes = 54 * 1_024;
const maxNextBytes = 19 * 1_024;
const privatePages = [
  { path: '/login', fields: 2 },
  { path: '/register', fields: 2 },
  { path: '/forgot', fields: 1 },
  { path: '/authorize', fields: 2 },
];

describe('the command key', () => {
  const macs = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15';

  it.each([
    [macs, ['⌘K', '⌘↵']],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/150.0', ['Ctrl K', 'Ctrl ↵']],
    ['', ['Ctrl K', 'Ctrl ↵']],
  ])('is ⌘ on Apple’s devices only: %s', async (userAgent, keys) => {
    const { token } = await newUserOf('user');
    const { body } = await call('GET /', { token, userAgent });
    expect(body.match(/(?:Ctrl |⌘)[^<]/g)).toEqual(keys);
  });
});

describe.each(consolePages)('GET $path', ({ path, policy }) => {
  const open = async (options: CallOptions = {}) => {
    const { token } = await newUserOf('super_admin', { name: 'Ann </script><b> & Co' });
    return call(`GET ${path}`, { token, params, ...options });
  };

  it('is private and requires revalidation', async () => {
    const { token } = await newUserOf('super_admin');
    const { status, headers } = await open({ token });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]+"$/),
      'content-security-policy': pagePolicy({ ...policy(), isCarriedOver: true }),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    });
    const again = { 'if-none-match': headers['etag'] ?? '' };
    expect((await open({ token, headers: again })).status).toBe(304);
  });

  it('names its user in text and in data that ends no element', async () => {
    const { body } = await open();
    expect(body).toContain('Ann &lt;/script&gt;&lt;b&gt; &amp; Co');
    const [, data = ''] = body.match(
      /<script type="application\/json" id="session">(.*?)<\/script>/,
    );
    expect(JSON.parse(data)).toMatchObject({
      state: 'signed-in',
      user: { name: 'Ann </script><b> & Co', role: 'super_admin' },
      permissions: ['*'],
    });
  });

  it('marks its entry of the sidebar, if it has one', async () => {
    const marked = (await open()).body.match(/<a href="[^"]+" aria-current="page"/g) ?? [];
    const isEntry = path !== '/account' && path !== '/notifications';
    const entry = path.replace('/{id}', '');
    expect(new Set(marked)).toEqual(
      new Set(isEntry ? [`<a href="${entry}" aria-current="page"`] : []),
    );
  });

  it('has the theme of the cookie', async () => {
    expect((await open({ cookies: ['theme=dark'] })).body).toContain('data-theme="dark"');
    expect((await open({ cookies: ['theme="><script>'] })).body).not.toContain('data-theme="');
  });

  it('sends signed-out visitors to sign in, and back', async () => {
    const { status, headers } = await call(`GET ${path}`, { params, query: { a: 'b&c' } });
    expect(status).toBe(303);
    expect(headers['location']).toBe(
      `/login?next=${path.replace('{id}', params.id)}%3Fa%3Db%2526c`,
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  it('asks by script who has come from another site', async () => {
    const { status, body } = await call(`GET ${path}`, {
      params,
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(status).toBe(200);
    expect(body).toContain('data-requires="session"');
    expect(body).toContain(assetPath('arrival.js'));
    expect(body).toContain('{"state":"unknown"}');
    expect(body).not.toContain('href="/login"');
  });

  it('stays within its compressed size limit, including all assets', async () => {
    const { token } = await newUserOf('super_admin');
    const { assets, total } = await measurePage(path, { token, params });
    // The worker is loaded with the first text.
    const atOnce = assets.filter((asset) => asset !== assetPath('markdown-worker.js'));
    const shared = [assetPath('ui.css'), assetPath('shell.js')];
    const own = path === '/documents/{id}' ? 1 : 2;
    expect([atOnce.length - own, atOnce.filter((asset) => shared.includes(asset))]).toEqual([
      2,
      shared,
    ]);
    const sizes = await Promise.all(assets.map(measureAsset));
    const sum = (chosen: readonly string[]) =>
      assets.reduce(
        (bytes, asset, at) => bytes + (chosen.includes(asset) ? (sizes[at] ?? 0) : 0),
        0,
      );
    const first = total - sum(assets) + sum(atOnce);
    expect(first).toBeLessThanOrEqual(maxFirstBytes);
    expect(first - sum(shared)).toBeLessThanOrEqual(maxNextBytes);
  });
});

describe('a page that requires a permission', () => {
  it.each([
    ['/moderation', 'user'],
    ['/files', 'guest'],
    ['/sales', 'user'],
  ] as const)('%s answers a %s with the page of the error 403', async (path, role) => {
    const { token } = await newUserOf(role);
    const page = await call(`GET ${path}`, { token, headers: { accept: 'text/html' } });
    expect(page.status).toBe(403);
    expect(page.body).toContain('<h1>No access</h1>');
    const other = await call('GET /shares', { token });
    expect(other.body).not.toContain(`href="${path}"`);
    expect((await call(`GET ${path}`, { token })).body).toMatchObject({
      error: { code: 'FORBIDDEN' },
    });
  });

  it('is open to users who have it besides their role', async () => {
    const { token } = await newUserOf('user', { extraPermissions: ['shares:manage'] });
    expect((await call('GET /moderation', { token })).status).toBe(200);
    expect((await call('GET /shares', { token })).body).toContain('href="/moderation"');
  });
});

describe.each(privatePages)('GET $path', ({ path }) => {
  it('is not stored and sends no form to its URL', async () => {
    const { status, headers, body } = await call(`GET ${path}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy(),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    for (const [tag] of body.matchAll(/<form[^>]*>/g)) expect(tag).toContain('method="post"');
  });
});

/** Opens a page as a user who may see all of it. */
const openAll = async (path: string) => {
  const { token } = await newUserOf('super_admin');
  const isOfConsole = consolePages.some((page) => page.path === path);
  return call(`GET ${path}`, isOfConsole ? { token, params } : {});
};

const scriptTag = /^<script type="module" src="\/assets\/scripts\/[\w.-]+\.js">$/;
const sessionTag = /^<script type="application\/json" id="session">\{/;

describe.each([...privatePages, ...consolePages])('GET $path', ({ path, fields }) => {
  it('contains nothing inline but what carries over and the style of a document, and names no host except that of snippets', async () => {
    const response = await openAll(path);
    const within = path === '/documents/{id}' ? inlineStyle('document.css').markup : '';
    const body = response.body.replace(transitionHead.markup, '').replace(within, '');
    const scripts: string[] = body.match(/<script[^>]*>[^<]*/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      expect(scriptTag.test(script) || sessionTag.test(script), script).toBe(true);
    }
    expect(body).not.toMatch(/<style| on\w+=| style=|javascript:/);
    for (const [, address = ''] of body.matchAll(/(?:src|href|action|data-frame)="([^"]*)"/g)) {
      expect(address).toMatch(/^(\/(?!\/)|#|data:image\/svg|https:\/\/snippets\.test\/preview$)/);
    }
    expect(body).toContain('<noscript>');
  });

  it('takes part in transitions if the pages that lead to it expect so', async () => {
    const { body, headers } = await openAll(path);
    const isPart = body.includes(transitionHead.markup);
    expect(isPart).toBe(isCarriedOver(`https://handbill.test${path}`));
    expect(String(headers['content-security-policy']).includes("'sha256-")).toBe(isPart);
  });

  it('labels each field and describes it by elements that exist', async () => {
    const { body } = await openAll(path);
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const labelled = [
      ...body.matchAll(/<(?:select|input|textarea|meter)[^>]* id="([^"]+)"[^>]*>/g),
    ];
    for (const [tag, id] of labelled) expect(body, tag).toContain(`for="${id}"`);
    expect(labelled.length).toBeGreaterThanOrEqual(fields);
    for (const [, named = ''] of body.matchAll(/aria-(?:describedby|labelledby)="([^"]+)"/g)) {
      for (const id of named.split(' ')) expect(ids).toContain(id);
    }
  });
});

const failure = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'Not found.',
  requestId: 'request-1',
  prefersHtml: true,
  method: 'GET',
  query: '',
  path: '/nowhere',
  cookies: [],
};

const outline = (page: string) => ({
  title: page.match(/<title>(.*)<\/title>/)?.[1],
  heading: page.match(/<h1>(.*)<\/h1>/)?.[1],
  text: page.match(/<\/h1><p>(.*?)<\/p>/)?.[1],
  footer: page.match(/<footer>(.*)<\/footer>/)?.[1],
});

describe('the page of an error', () => {
  it.each([
    [403, 'FORBIDDEN', 'Ask for access.', 'No access', 'Ask for access.'],
    [404, 'NOT_FOUND', 'x', 'Page not found', 'The address is wrong, or the page was removed.'],
    [405, 'METHOD_NOT_ALLOWED', 'Allowed: GET.', 'Not supported', 'Allowed: GET.'],
    [410, 'GONE', 'This share has ended.', 'No longer available', 'This share has ended.'],
    [429, 'RATE_LIMITED', 'Try again in 1 hour.', 'Too many attempts', 'Try again in 1 hour.'],
    [500, 'INTERNAL_ERROR', 'x', 'Something went wrong', 'This is our fault. Try again later.'],
    [
      503,
      'SERVICE_UNAVAILABLE',
      'x',
      'Temporarily unavailable',
      'The service is busy. Try again in a moment.',
    ],
    [418, 'NEW', 'A new error.', 'This didn’t work', 'A new error.'],
  ])('%i %s says what happened and which request it was', (status, code, message, title, text) => {
    expect(outline(errorPage({ ...failure, status, code, message }))).toEqual({
      title: `${title} · Handbill`,
      heading: title,
      text,
      footer: `Error ${status} · Request request-1`,
    });
  });

  it('has a drawing, one way on, nothing inline and no script', () => {
    const page = errorPage(failure);
    const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    expect(main).toContain('<svg class="scene" viewBox="0 0 304 210" aria-hidden="true">');
    expect([...main.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, path]) => path)).toEqual(['/']);
    const rest = page.replace(transitionHead.markup, '');
    expect(rest).not.toMatch(/<script|<style| on\w+=| style=/);
  });

  it('shows messages as text, in the chosen colors', () => {
    const page = errorPage({
      ...failure,
      code: 'GONE',
      message: '<b>“Plans”</b> has ended.',
      cookies: ['theme=dark'],
    });
    expect(page).toContain('&lt;b&gt;“Plans”&lt;/b&gt; has ended.');
    expect(page).toContain('<html lang="en" data-theme="dark">');
  });

  it('is for browsers only', () => {
    expect(replyWithErrorPage(failure)?.headers).toEqual({
      'content-security-policy': pagePolicy({ isCarriedOver: true }),
    });
    expect(replyWithErrorPage({ ...failure, prefersHtml: false })).toBeUndefined();
  });
});

describe.each(['/login', '/register'])('GET %s, when it fails', (path) => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('answers a page to browsers and JSON to programs', async () => {
    vi.stubEnv('REGISTRATION', 'sometimes');
    const page = await call(`GET ${path}`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      500,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(outline(page.body).heading).toBe('Something went wrong');
    expect(page.body).toContain(`Request ${page.headers['x-request-id']}`);
    const { status, body } = await call(`GET ${path}`, { headers: { accept: '*/*' } });
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
  });
});
