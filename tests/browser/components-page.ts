import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { pagePolicy } from '../../functions/web/layout/policy.ts';
import { generatedFiles, minifyStyle } from '../../infra/build/browser-plugins.ts';
import { openContext, openPage } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';

const root = join(import.meta.dirname, '../..');

const html =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Components</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/ui.css"><script type="module" src="/components.js"></script></head><body><main class="page" tabindex="-1"></main><div class="toasts" id="toasts"></div></body></html>';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.woff2': 'font/woff2',
};

/** Provides the text of a style sheet, such as `./hits.css?text`. */
const styleTexts: Plugin = {
  name: 'style texts',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\.css\?text$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('?text', '')),
      namespace: 'style-text',
    }));
    onLoad({ filter: /./, namespace: 'style-text' }, async ({ path }) => ({
      contents: await minifyStyle(path),
      loader: 'text',
    }));
  },
};

const bundle = async (script: string): Promise<ReadonlyMap<string, Uint8Array>> => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      ui: 'functions/web/browser/styles/ui.css',
      components: `tests/browser/components/${script}.tsx`,
    },
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: '/',
    plugins: [generatedFiles, styleTexts],
    write: false,
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
};

/** Serves a page of components under the policy of our pages. */
const serveComponents = async (script: string) => {
  const files = await bundle(script);
  const server = createServer(({ url = '/' }, response) => {
    const file = files.get(url);
    response.setHeader('content-security-policy', pagePolicy());
    response.setHeader('content-type', types[extname(url)] ?? 'text/html; charset=utf-8');
    response.writeHead(file || url === '/' ? 200 : 404).end(file ?? html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
};

/**
 * Serves the page of a script in `components/` while a suite runs, and returns how to open it in a browser of its own.
 * `shown` is an element of the page that is there last.
 */
export const useComponents = (script = 'components', shown = 'tbody tr:nth-child(3)') => {
  let served: Awaited<ReturnType<typeof serveComponents>>;
  beforeAll(async () => {
    served = await serveComponents(script);
  });
  afterAll(() => served?.close());
  return async (options: BrowserContextOptions = {}) => {
    const opened = await openPage(await openContext(browser, options), served.url);
    await opened.page.locator(shown).waitFor();
    return opened;
  };
};

export const log = (page: Page): Promise<string> => page.locator('#log').innerText();

export const focused = (page: Page) =>
  page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
