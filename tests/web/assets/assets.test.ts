import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import files from '../../../functions/web/assets/built/files.json' with { type: 'json' };
import manifest from '../../../functions/web/assets/built/manifest.json' with { type: 'json' };
import { assetPath, type ScriptName, type StyleName } from '../../../functions/web/layout/asset.ts';
import { document, type PageDocument } from '../../../functions/web/layout/document.ts';
import { pagePolicy } from '../../../functions/web/layout/policy.ts';
import { formatLicences } from '../../../infra/build/package-licences.ts';
import { html } from '../../../shared/text/html.ts';
import { measureAsset } from '../../support/pages/compressed-size.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';

// Where assets of other builds are.
useBucket();

const isText = (name: string): name is ScriptName | StyleName => /\.(js|css)$/.test(name);
const names = Object.keys(manifest).filter(isText);
const texts: Readonly<Record<string, string>> = files;

const types: Readonly<Record<string, string>> = {
  styles: 'text/css; charset=utf-8',
  scripts: 'text/javascript; charset=utf-8',
};

const ask = (path: string, acceptEncoding?: string) => {
  const [, , folder = '', file = ''] = path.split('/');
  return call(`GET /assets/${folder}/{file}`, {
    params: { file },
    ...(acceptEncoding !== undefined && { headers: { 'accept-encoding': acceptEncoding } }),
  });
};

useBucket();

describe.each(names)('the asset %s', (name) => {
  const path = assetPath(name);
  const text = texts[path];

  it('has a hash in its name and is cached permanently', async () => {
    expect(path).toMatch(/^\/assets\/(scripts|styles)\/[\w-]+\.[A-Za-z0-9]{8}\.(js|css)$/);
    const { status, headers, body } = await ask(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': types[path.split('/')[2] ?? ''],
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(Buffer.from(body, 'base64').toString()).toBe(text);
  });

  it('is sent in the best accepted encoding', async () => {
    const sent = async (accepted: string) => {
      const { headers, body } = await ask(path, accepted);
      return [headers['content-encoding'], Buffer.from(body, 'base64')] as const;
    };
    const [br, brotli] = await sent('gzip, deflate, br, zstd');
    expect([br, brotliDecompressSync(brotli).toString()]).toEqual(['br', text]);
    const [gzip, gzipped] = await sent('gzip, br;q=0');
    expect([gzip, gunzipSync(gzipped).toString()]).toEqual(['gzip', text]);
    expect(await sent('identity')).toEqual([undefined, Buffer.from(text ?? '')]);
  });

  it('names no other host', () => {
    const ownUrls =
      /url\((?:"data:image\/svg\+xml,[^"]+"|'data:image\/svg\+xml,[^']+'|"?\.\.\/fonts\/[\w.-]+"?)\)/g;
    expect(text?.replace(ownUrls, '')).not.toMatch(
      /(?<![.\w])url\(|@import |\bfetch\(["'`]https?:/,
    );
  });
});

const scripts = Object.keys(files).filter((path) => path.endsWith('.js'));
const nameOf = (path: string): string => path.replace(/.*\/|\.\w+\.js$/g, '');

describe('each script of this service', () => {
  it('creates no markup from text', () => {
    const unsafe = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/g;
    const found = scripts.flatMap((path) =>
      [...(texts[path] ?? '').matchAll(unsafe)].map(([way]) => `${nameOf(path)}: ${way}`),
    );
    // Preact has it for `dangerouslySetInnerHTML`, which nothing here uses; highlight.js runs in a worker, without a document.
    const expected = ['authorize-late', 'highlight', 'shell'].flatMap((name) =>
      Array(2).fill(`${name}: innerHTML`),
    );
    expect(found.sort()).toEqual(expected);
  });

  it('loads at once no other than the shell’s, and later no other than that of its page', () => {
    for (const path of scripts) {
      const name = nameOf(path);
      const imported = [...(texts[path] ?? '').matchAll(/\bfrom ?"\.\/([\w-]+)\.\w+\.js"/g)];
      const others = imported.map(([, other]) => other).filter((other) => other !== 'shell');
      const page = /^(highlight|share-files|[\w-]+-late)$/.test(name)
        ? name
            .replace('-late', '')
            .replace('highlight', 'markdown-worker')
            .replace('share-files', 'composer')
        : undefined;
      expect(
        others.filter((other) => other !== page),
        name,
      ).toEqual([]);
    }
  });
});

describe('the style of all pages', () => {
  it('is at most 10 KB, with the icons', async () => {
    expect(await measureAsset(assetPath('ui.css'))).toBeLessThanOrEqual(10 * 1024);
  });
});

describe('the font', () => {
  const path = manifest['inter.woff2'];

  it('is a WOFF2 file that never expires, and is not compressed again', async () => {
    expect(path).toMatch(/^\/assets\/fonts\/inter\.[A-Z0-9]{8}\.woff2$/);
    const { status, headers, body } = await ask(path, 'br, gzip');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'font/woff2',
    });
    expect(headers).not.toHaveProperty('content-encoding');
    const font = Buffer.from(body, 'base64');
    expect(font.subarray(0, 4).toString()).toBe('wOF2');
    expect(font.length).toBeLessThan(29_000);
  });

  it('is what the style sheet loads', () => {
    expect(texts[assetPath('ui.css')]).toContain(`..${path.replace('/assets', '')}`);
  });
});

describe('GET /licenses', () => {
  it('names all packages of the pages, with their versions and licenses', async () => {
    const { status, headers, body } = await call('GET /licenses');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'public, max-age=0, must-revalidate',
    ]);
    const parts = String(body).split(/\n-{80}\n\n/);
    const names = parts.map((part) => part.match(/^(\S+) \d\S+(?: \(\S.*\))?\n\n\S/)?.[1]);
    expect(names).not.toContain(undefined);
    // Of scripts, diagrams, data, the font, the icons, and the console of the API reference.
    const some = ['preact', '@codemirror/view', 'format', 'mermaid', 'd3-shape', 'gemoji'];
    for (const name of [
      ...some,
      '@fontsource-variable/inter',
      'lucide-static',
      'swagger-ui-dist',
    ]) {
      expect(names).toContain(name);
    }
    expect(names).not.toContain('elkjs');
    expect(body).toContain('SIL OPEN FONT LICENSE Version 1.1');
    expect(body).not.toMatch(/\(undefined\)/);
  });

  it('can’t be built with a package without a license', () => {
    const folder = mkdtempSync(join(tmpdir(), 'package-'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bare', version: '1.0.0' }));
    expect(() => formatLicences(folder, ['.'])).toThrow('bare has no licence');
    rmSync(folder, { recursive: true });
  });
});

describe('the script of the shell', () => {
  it('is at most 27 KB, with what most pages use', async () => {
    expect(await measureAsset(assetPath('shell.js'))).toBeLessThanOrEqual(27 * 1024);
  });
});

describe('GET /assets/…', () => {
  it('returns 404 for any other hash, name or folder', async () => {
    const path = assetPath('ui.css');
    const paths = [
      path.replace(/\.\w{8}\./, '.AAAAAAAA.'),
      path.replace('/styles/', '/scripts/'),
      '/assets/styles/ui.css',
      '/assets/styles/..%2Ffiles.json',
      '/assets/scripts/constructor',
    ];
    for (const one of paths) expect((await ask(one)).status, one).toBe(404);
  });

  it('serves the files of the manifest, and scripts that these load later', () => {
    const named: readonly string[] = Object.values(manifest);
    const others = Object.keys(files).filter((path) => !named.includes(path));
    expect(named.filter((path) => !(path in files))).toEqual([]);
    for (const path of others) {
      const file = path.replace('/assets/scripts/', './');
      expect(
        scripts.filter((from) => texts[from]?.includes(file)),
        path,
      ).not.toEqual([]);
    }
  });
});

describe('a page', () => {
  const page = (parts: Partial<PageDocument> = {}) =>
    document({
      title: 'A <b>',
      theme: undefined,
      styles: ['ui.css'],
      scripts: [],
      contentId: 'page',
      body: html`<main id="page"></main>`,
      ...parts,
    });

  it('escapes its title and links to the shared style and its own', () => {
    const body = page({ styles: ['ui.css', 'files.css'] });
    expect(body).toContain('<title>A &lt;b&gt;</title>');
    const links = [...body.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(([, to]) => to);
    expect(links).toEqual([assetPath('ui.css'), assetPath('files.css')]);
    expect(body).not.toMatch(/<style|<script|<noscript| style=| on\w+=/);
  });

  it('states that it requires its script, unless it is readable without', () => {
    const tag = `<script type="module" src="${assetPath('account.js')}"></script>`;
    expect(page({ scripts: ['account.js'] })).toContain(tag);
    expect(page({ scripts: ['account.js'] })).toContain('<noscript>');
    expect(page({ scripts: ['account.js'], isReadable: true })).not.toContain('<noscript>');
  });

  it('sends a policy that allows nothing inline', () => {
    expect(pagePolicy()).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' data:; frame-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    const wider = pagePolicy({ frames: 'https://snippets.test', anyImages: true });
    expect(wider).toContain('frame-src https://snippets.test;');
    expect(wider).toContain('img-src https: data:;');
  });
});
