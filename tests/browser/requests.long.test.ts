// How many files each page asks for: in a new account, ten calls of functions run at once.

import { describe, expect, it, onTestFinished } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/pages/browser.ts';
import { serveByHttp2 } from '../support/pages/http2.ts';
import { openContext } from '../support/pages/open-page.ts';
import { admin, startFreshService } from '../support/run/fresh-service.ts';
import { send } from '../support/run/process.ts';

const consolePages = [
  ['/', 'composer'],
  ['/shares', 'shares'],
  ['/files', 'files'],
  ['/documents', 'documents'],
  ['/messages', 'messages'],
  ['/calendar', 'calendar'],
  ['/notifications', 'notifications'],
  ['/dashboard?view=service', 'dashboard'],
  ['/sales', 'sales'],
  ['/users', 'users'],
  ['/moderation', 'moderation'],
  ['/audit', 'audit'],
  ['/settings', 'settings'],
  ['/account', 'account'],
] as const;

/** What pages load beside their style and script, once the browser is idle, and what shows that it is there. */
const more: Readonly<Record<string, readonly [file: string, shown: string]>> = {
  '/': ['code-editor.js', '.cm-editor'],
  '/documents/': ['markdown-worker.js', '.preview .prose'],
  '/?edit=': ['markdown-worker.js', '.preview .prose'],
  '/dashboard?view=service': ['plot.js', '#sales-plot canvas'],
};

/** Starts a service behind HTTP/2. */
const start = async () => {
  const { url } = await startFreshService({ CURRENCY: 'USD' });
  const proxy = await serveByHttp2(url);
  const browser = await launchBrowser(...proxy.settings);
  onTestFinished(() => browser.close());
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    body: JSON.stringify(admin),
    headers: { origin: url, connection: 'close' },
  });
  const { token } = await response.json();
  const { headers } = response;
  const [, name = '', value = ''] = headers.get('set-cookie')?.match(/^([^=]+)=([^;]+)/) ?? [];
  const post = async (path: string, content: object) => {
    const sent = await send(`${url}${path}`, { method: 'POST', token, body: content });
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    return sent.body;
  };
  /** Opens pages one after another in a browser that has seen none. Returns what each asked for. */
  const visit = async (visitor: string, paths: readonly string[], isSignedIn = true) => {
    const context = await openContext(browser);
    const cookie = { url: proxy.url, sameSite: 'Strict' } as const;
    await context.addCookies([{ ...cookie, name: 'visitor', value: visitor }]);
    if (isSignedIn) await context.addCookies([{ ...cookie, name, value }]);
    const asked: string[][] = [];
    for (const path of paths) {
      const before = proxy.listAssets(visitor).length;
      const page = await context.newPage();
      await page.goto(`${proxy.url}${path}`);
      const [, shown] = more[path.replace(/^(\/documents\/|\/\?edit=).+/, '$1')] ?? [];
      if (shown !== undefined) await page.locator(shown).first().waitFor();
      await page.evaluate('document.fonts.ready');
      if (!path.startsWith('/s/')) await page.waitForLoadState('networkidle');
      expect(page.url()).toBe(`${proxy.url}${path}`);
      await page.close();
      asked.push(proxy.listAssets(visitor).slice(before).toSorted());
    }
    return asked;
  };
  return { proxy, post, visit };
};

describe.skipIf(!hasBrowser)('requests for files over HTTP/2', () => {
  it('are at most six for a page of the console, then none, and its own for the next page', async () => {
    const { proxy, post, visit } = await start();
    await post('/api/sales', { amount: 20 });
    const frame = ['inter.woff2', 'shell.js', 'ui.css'];
    const own = consolePages.map(([path, name]) =>
      [
        ...(more[path] ?? []).slice(0, 1),
        // The style of the composer is within the page.
        ...(path === '/' ? [] : [`${name}.css`]),
        `${name}.js`,
      ].toSorted(),
    );
    const asked = await Promise.all(
      consolePages.map(([path, name], at) =>
        visit(name, [path, path, consolePages[at + 1]?.[0] ?? '/']),
      ),
    );
    expect(asked).toEqual(
      own.map((files, at) => [[...files, ...frame].toSorted(), [], own[at + 1] ?? own[0]]),
    );
    expect(
      asked
        .map(([first = []]) => first.length)
        .toSorted()
        .at(-1),
    ).toBe(6);
    expect(proxy.versions).toEqual(new Set(['2.0']));
  });

  it('are six for a document, and one more for a stored share, whose previews are made by a worker', async () => {
    const { post, visit } = await start();
    const { data } = await post('/api/documents', {
      title: 'Plan',
      type: 'markdown',
      content: 'Hello',
    });
    const share = await post('/api/share', { content: '# Plan', language: 'markdown' });
    const pages = { document: `/documents/${data.id}`, composer: `/?edit=${share.id}` };
    for (const [name, path] of Object.entries(pages)) {
      // What fills in a stored share isn’t loaded for a new one.
      const late = name === 'composer' ? ['composer-late.js'] : [];
      const own = ['code-editor.js', `${name}.js`, ...late, 'markdown-worker.js'];
      const frame = ['inter.woff2', 'shell.js', 'ui.css'];
      expect(await visit(name, [path, path]), name).toEqual([[...own, ...frame].toSorted(), []]);
    }
  });

  it('are at most three for the page of a share', async () => {
    const { post, visit } = await start();
    const bodies = [
      { content: '# Plan', language: 'markdown' },
      { content: '```mermaid\ngraph TD\nA-->B\n```', language: 'markdown' },
      { content: '<p>Hi</p>' },
      { content: '<p>Hi</p>', password: 'Abc123' },
    ];
    const shares = [];
    for (const body of bodies) shares.push(await post('/api/share', body));
    const asked = await Promise.all(
      shares.map(({ id }) => visit(String(id), [`/s/${id}`, `/s/${id}`], false)),
    );
    const scripts = ['share.js', 'share-diagrams.js', 'share-frame.js'];
    expect(asked).toEqual([
      ...scripts.map((script) => [['inter.woff2', 'share.css', script].toSorted(), []]),
      [['gate.css', 'inter.woff2', 'resume.js'], []],
    ]);
  });
});
