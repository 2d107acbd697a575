import vm from 'node:vm';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import files from '../../../../functions/web/assets/built/files.json' with { type: 'json' };
import { splitBlocks } from '../../../../functions/web/browser/preview/blocks.ts';
import { render as renderPreview } from '../../../../functions/web/browser/preview/render.ts';
import { assetPath } from '../../../../functions/web/layout/asset.ts';
import { inlineStyle, inlineStyleSource } from '../../../../functions/web/layout/inline-style.ts';
import { transitionHead } from '../../../../functions/web/layout/page-transitions.ts';
import { pagePolicy } from '../../../../functions/web/layout/policy.ts';
import { decorateHtml } from '../../../../functions/web/layout/rendered-html.ts';
import {
  formatBytes,
  isHtmlPage,
  mostBytes,
} from '../../../../functions/web/site/composer/content.ts';
import { uploadUrl } from '../../../../functions/web/site/files/upload-url.ts';
import { frameScript } from '../../../../functions/web/snippet/frame-script.ts';
import {
  detectLanguage,
  isHtmlSource,
} from '../../../../shared/markdown/files/content-language.ts';
import { detectFileLanguage } from '../../../../shared/markdown/files/file-languages.ts';
import { render } from '../../../../shared/markdown/markdown.ts';
import { measureAsset, measurePage } from '../../../support/pages/compressed-size.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';

useTable();

beforeEach(() => {
  process.env['SNIPPETS_URL'] = 'https://snippets.test';
  process.env['PUBLIC_URL'] = 'https://handbill.test';
});

describe('GET /preview', () => {
  const preview = () => call('GET /preview');

  it('sends the policy of a share and allows framing by our pages only', async () => {
    const { token } = await newPerson();
    const { body: made } = await call('POST /api/share', { token, body: { content: '<p>Hi</p>' } });
    const share = await call('GET /{id}', { params: { id: made.id } });
    const { status, headers } = await preview();
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toBe(share.headers['content-security-policy']);
    expect(headers['content-security-policy']).toMatch(/^sandbox (?!.*allow-same-origin)/);
    expect(headers['content-security-policy']).toMatch(/frame-ancestors https:\/\/handbill\.test$/);
  });

  /** Runs the script of the page like a browser, without that of snippets, and returns its use of messages. */
  const run = async () => {
    const { body } = await preview();
    const [, script = ''] = body.match(/<script>(.*)<\/script>/s) ?? [];
    const said: unknown[] = [];
    const written: string[] = [];
    const listeners = new Set<(event: unknown) => void>();
    const parent = { postMessage: (...message: unknown[]) => said.push(message) };
    vm.runInNewContext(script.replace(frameScript('/'), ''), {
      parent,
      document: { open() {}, write: (text: string) => written.push(text), close() {} },
      addEventListener: (_: string, listener: (event: unknown) => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: (event: unknown) => void) =>
        listeners.delete(listener),
    });
    const send = (event: object) => {
      const base = { source: parent, origin: 'https://handbill.test', data: '<p>Hi</p>' };
      for (const listener of [...listeners]) listener({ ...base, ...event });
    };
    return { said, written, send };
  };

  it('reports readiness to our pages only', async () => {
    expect((await run()).said).toEqual([['ready', 'https://handbill.test']]);
  });

  it('accepts one text from the parent page of our origin', async () => {
    const { written, send } = await run();
    send({ origin: 'https://evil.test' });
    send({ source: {} });
    send({ data: { html: 'x' } });
    expect(written).toEqual([]);
    send({});
    send({ data: 'another' });
    expect(written).toEqual(['<p>Hi</p>']);
  });
});

describe('the preview of Markdown', () => {
  it.each([
    '# Hi\n\nA *text* with &amp; &nbsp; &ngE; and ~~all~~ of `it`.',
    '---\ntitle: x\n---\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] not\n',
    'www.example.com, a note[^1] and ![x](https://example.com/x.png)\n\n[^1]: Here.',
    '<script>alert(1)</script><img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) ![y](data:text/html,x)',
    '> - a\n>   1. b\n\n```js\nlet a;\n```\n\nTitle\n=====\n',
  ])('renders exactly like a share: %j', async (markdown) => {
    const { page } = await render(markdown, { field: 'content', cpuMs: 3_000 });
    const { blocks } = await renderPreview(markdown);
    // Within a page of many ids, those of headings begin with a prefix.
    const shown = blocks.map((block) => block.replaceAll('preview:', ''));
    // A preview has no switch that wraps lines.
    expect(shown).toEqual(splitBlocks(decorateHtml(page, { isPreview: true })));
  });

  it('neutralizes raw HTML and script URLs', async () => {
    const { blocks } = await renderPreview('<img src=x onerror=alert(1)> [x](javascript:alert(1))');
    const html = blocks.join('');
    expect(html).not.toContain('onerror');
    expect(html).not.toContain('javascript:');
  });
});

describe('limits of shared content', () => {
  it.each([
    ['README.md', 'markdown'],
    ['a.MARKDOWN', 'markdown'],
    ['notes.txt', undefined],
    ['index.html', 'html'],
    ['old.HTM', 'html'],
    ['html', undefined],
    ['page.html.exe', undefined],
    ['picture.png', undefined],
    ['', undefined],
  ])('detects the language of %j as %s', (name, language) => {
    expect(detectLanguage(name)).toBe(language);
  });

  it.each([
    ['app.ts', 'ts'],
    ['A.PY', 'python'],
    ['Makefile', 'makefile'],
    ['.env', 'ini'],
    ['index.html', 'html'],
    ['data.csv', 'csv'],
    ['LICENSE', 'text'],
    ['constructor', 'text'],
    ['', 'text'],
  ])('names the language of the code in %j: %s', (name, language) => {
    expect(detectFileLanguage(name)).toBe(language);
  });

  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1_023, '1,023 bytes'],
    [1_024, '1 KB'],
    [524_288, '512 KB'],
    [524_289, '512.1 KB'],
    [16_777_216, '16 MB'],
    [16_777_217, '16.1 MB'],
  ])('formats %i bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each(['markdown', 'html'] as const)('match the limits of the API: %s', async (language) => {
    const { token } = await newPerson();
    const share = async (bytes: number) => {
      const line = `${'a'.repeat(1_023)}\n`;
      const content = line.repeat(Math.ceil(bytes / 1_024)).slice(0, bytes);
      return (await call('POST /api/share', { token, body: { content, language } })).status;
    };
    expect(await share(mostBytes[language])).toBe(201);
    expect(await share(mostBytes[language] + 1)).toBe(413);
  });
});

describe('isHtmlSource', () => {
  it.each([
    ['<!doctype html>\n<html><body>Hi</body></html>', true],
    ['  <div class="a">Hi</div>\n', true],
    ['<p>One</p>', true],
    ['# Heading\n\n<p>One</p>', false],
    ['<https://example.com>', false],
    ['<p>One</p> and **more**', false],
    ['a < b', false],
    ['', false],
  ])('returns for %j: %s', (text, expected) => {
    expect(isHtmlSource(text)).toBe(expected);
  });
});

describe('isHtmlPage', () => {
  it.each([
    ['<!doctype html>\n<html><body>Hi</body></html>', true],
    [' <!DOCTYPE html>Hi', true],
    ['<html lang="en">Hi', true],
    ['<div>Hi</div>', false],
    ['# The tag <html>', false],
    ['', false],
  ])('returns for %j: %s', (text, expected) => {
    expect(isHtmlPage(text)).toBe(expected);
  });
});

describe('GET /', () => {
  const frames = 'https://snippets.test';
  beforeAll(() => {
    vi.stubEnv('SNIPPETS_URL', frames);
    return () => vi.unstubAllEnvs();
  });

  const open = (options: { readonly token?: string } = {}) => call('GET /', options);

  it('offers no time after MAX_SHARE_AGE, and says how long a share lives at most', async () => {
    vi.stubEnv('MAX_SHARE_AGE', '7d');
    onTestFinished(() => {
      vi.stubEnv('MAX_SHARE_AGE', undefined);
    });
    const { body } = await open();
    const [, choice = ''] = /<select[^>]* name="expires"[^>]*>(.*?)<\/select>/s.exec(body) ?? [];
    expect(choice).toContain('<option value="never">As late as possible: 7 days</option>');
    expect(choice).toContain('<option value="604800">In 1 week</option>');
    expect(choice).toContain('<option value="2592000" disabled>');
    expect(body).toContain('data-max-age="604800"');
    expect(body).toContain('Here a share lives for 7 days at most.');
  });

  it('is open to visitors, who read what it is for', async () => {
    const { status, headers, body } = await open();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'content-security-policy': pagePolicy({
        frames,
        anyImages: true,
        blobs: true,
        connects: `${uploadUrl()} ${frames}`,
        inlineStyle: 'composer.css',
        isCarriedOver: true,
      }),
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(body).toContain('Write Markdown or HTML and share it as a page.');
    const { token } = await newPerson();
    expect((await open({ token })).body).not.toContain('Write Markdown or HTML and share it');
  });

  it('has a text field before any script runs', async () => {
    const { body } = await open();
    expect(body).toMatch(
      /<label[^>]* for="share-content">Content<\/label><textarea id="share-content"/,
    );
    expect(body).toContain('<noscript>');
  });

  it('contains nothing inline but what carries over and its style', async () => {
    const { headers, body: page } = await open();
    const style = inlineStyle('composer.css').markup;
    expect(headers['content-security-policy']).toContain(inlineStyleSource('composer.css'));
    const body = page.replace(transitionHead.markup, '').replace(style, '');
    expect(page).toContain(style);
    expect(body).not.toMatch(/<style| on\w+=| style=|javascript:/);
    const scripts = [...body.matchAll(/<script([^>]*)>/g)].map(([, attributes = '']) => attributes);
    for (const attributes of scripts)
      expect(attributes).toMatch(/ src="\/assets\/|application\/json/);
  });

  it('labels each field and describes it by elements that exist', async () => {
    const { body } = await open();
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const fields = [...body.matchAll(/<(?:select|input|textarea)(?![^>]*type="hidden")[^>]*>/g)];
    expect(fields).toHaveLength(22);
    for (const [tag] of fields) {
      const [, id] = tag.match(/ id="([^"]+)"/) ?? [];
      expect(body.includes(`for="${id}"`) || tag.includes('aria-label='), tag).toBe(true);
    }
    for (const [, named = ''] of body.matchAll(/aria-(?:describedby|labelledby)="([^"]+)"/g)) {
      for (const id of named.split(' ')) expect(ids).toContain(id);
    }
  });

  it('stays within its sizes', async () => {
    // With the style of rendered Markdown.
    const own = await measureAsset(assetPath('composer.js'));
    expect(own).toBeLessThanOrEqual(16_500);
    const { total } = await measurePage('/');
    // The worker is loaded with the first text.
    const worker = await measureAsset(assetPath('markdown-worker.js'));
    expect(total - worker).toBeLessThanOrEqual(59 * 1_024);
    const editor = Object.keys(files).find((path) => path.includes('/code-editor.')) ?? '';
    expect(await measureAsset(editor)).toBeLessThanOrEqual(130_000);
    // Both are loaded with the first file.
    const ofFiles = Object.keys(files).find((path) => path.includes('/share-files.')) ?? '';
    expect(await measureAsset(ofFiles)).toBeLessThanOrEqual(22_500);
    expect(await measureAsset(assetPath('files-worker.js'))).toBeLessThanOrEqual(70_000);
  });
});
