// How the host of snippets serves the files of shares. Who gets them is in `files-access.test.ts`.

import { describe, expect, it } from 'vitest';
import { open, share, usePages } from '../../support/pages/served-pages.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { addFiles, type Files } from '../../support/shares/with-files.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';

useTable();
useJobs();
useBucket();
const { service, snippets } = usePages();

const page = '<!doctype html><title>Home</title><script type="module" src="app.js"></script>';
const sound = new Uint8Array(5_000).map((_, at) => at % 251);
const site: Files = {
  'app.js': 'export const said = "Grüße";',
  'about.html': '<!doctype html><p>About',
  'old.html': new Uint8Array(
    Buffer.from('<!doctype html><meta charset=latin1><p>Gr\u00fc\u00dfe', 'latin1'),
  ),
  'docs/index.html': '<!doctype html><p>Docs',
  'docs/style.css': 'p { color: red }',
  'data.json': JSON.stringify({ list: Array.from({ length: 500 }, (_, at) => at) }),
  'img/Größe 100%.png': new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]),
  'img/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'img/page.png': '<!doctype html><script>alert(1)</script>',
  'a%2Fb.txt': 'percent',
  'sound.mp3': sound,
  'paper.pdf': '%PDF-1.7',
  unknown: 'what is it?',
};

const newSite = async (options: Record<string, unknown> = {}, text = page) => {
  const made = await share({ content: text, ...options }, await newPerson());
  await addFiles(made.id, site, { text });
  return made.id;
};

/** Opens a share with a limit, and returns what the paths of its files begin with. */
const openSite = async (id: string): Promise<string> => {
  const { text } = await service(await open(id));
  return /src="https:\/\/snippets\.test(\/[\w.-]+\/)index\.html"/.exec(text)?.[1] ?? '';
};

const alone = { 'sec-fetch-dest': 'document', accept: 'text/html' };
const framed = { 'sec-fetch-dest': 'iframe', accept: 'text/html' };

describe('a file of a share that everyone can read', () => {
  it.each([
    ['app.js', 'text/javascript; charset=utf-8'],
    ['docs/style.css', 'text/css; charset=utf-8'],
    ['data.json', 'application/json; charset=utf-8'],
    ['img/Gr%C3%B6%C3%9Fe%20100%25.png', 'image/png'],
    // As a Mac writes it.
    ['img/Gro%CC%88%C3%9Fe%20100%25.png', 'image/png'],
    ['img%2Fa.svg', 'image/svg+xml; charset=utf-8'],
    ['img/a.svg?v=1', 'image/svg+xml; charset=utf-8'],
    ['img/page.png', 'image/png'],
    ['a%252Fb.txt', 'text/plain; charset=utf-8'],
    ['about.html', 'text/html; charset=utf-8'],
    ['old.html', 'text/html'],
    ['index.html', 'text/html; charset=utf-8'],
    ['docs/', 'text/html; charset=utf-8'],
    ['docs/../about.html', 'text/html; charset=utf-8'],
    ['', 'text/html; charset=utf-8'],
    ['sound.mp3', 'audio/mpeg'],
    ['paper.pdf', 'application/pdf'],
    ['unknown', 'application/octet-stream'],
  ])('is served at %s as %s', async (path, type) => {
    const id = await newSite();
    const { status, headers, bytes } = await snippets(`/${id}/${path}`);
    expect([status, headers['content-type'], bytes.length > 0]).toEqual([200, type, true]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=0, must-revalidate',
      'referrer-policy': 'no-referrer',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain('sandbox allow-scripts');
    expect(policy).not.toContain('allow-same-origin');
    expect(policy).toContain(`connect-src data: blob: https://snippets.test/${id}/;`);
    expect(policy).toContain('frame-ancestors https://handbill.test');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it.each([
    'nothing.js',
    'APP.js',
    'app.js/',
    'docs/nothing/',
    '/app.js',
    'docs//style.css',
    '..%2Fapp.js',
    '%2e%2e%2fapp.js',
    '%5c..%5capp.js',
    'app.js%00',
    'app.js%20',
    'img/%2525',
    'constructor',
    `${'a'.repeat(1_001)}.js`,
  ])('is not found at %s', async (path) => {
    const id = await newSite();
    const { status, text, headers } = await snippets(`/${id}/${path}`);
    expect([status, text.length < 200, headers['access-control-allow-origin']]).toEqual([
      404,
      true,
      '*',
    ]);
    expect(text).not.toContain('Grüße');
  });

  it('has the script of frames if it is a page, in the encoding that it has', async () => {
    const id = await newSite();
    for (const path of ['', 'index.html', 'about.html', 'docs/']) {
      const { text } = await snippets(`/${id}/${path}`);
      expect(text).toMatch(/<!doctype html><script>"use strict";/);
      expect(text).toContain(`"https://handbill.test/s/${id}"`);
    }
    const old = await snippets(`/${id}/old.html`);
    expect(old.bytes.toString('latin1')).toContain('Gr\u00fc\u00dfe');
    expect((await snippets(`/${id}/img/page.png`)).text).toBe(site['img/page.png']);
  });

  it('leads from a folder to its page, so that references are right there', async () => {
    const id = await newSite();
    const { status, headers } = await snippets(`/${id}/docs`, framed);
    expect([status, headers.location]).toEqual([303, `/${id}/docs/`]);
  });

  it('is saved if it is of no known type, or a PDF', async () => {
    const id = await newSite();
    const named = async (path: string) =>
      (await snippets(`/${id}/${path}`)).headers['content-disposition'];
    expect(await named('unknown')).toBe('attachment; filename=unknown');
    expect(await named('paper.pdf')).toBe('attachment; filename=paper.pdf');
    expect(await named('app.js')).toBeUndefined();
    expect(await named('img/page.png')).toBeUndefined();
  });

  it('is sent compressed if that is worth it, and not at all if it hasn’t changed', async () => {
    const id = await newSite();
    for (const [path, encoding] of [
      ['data.json', 'br'],
      ['app.js', undefined],
      ['sound.mp3', undefined],
    ]) {
      const { headers, text, bytes } = await snippets(`/${id}/${path}`, {
        'accept-encoding': 'gzip, br',
      });
      expect([headers['content-encoding'], headers['vary']]).toEqual([
        encoding,
        'accept-encoding, sec-fetch-dest',
      ]);
      if (path === 'data.json') expect([text, bytes.length < 1_500]).toEqual([site[path], true]);
      const again = await snippets(`/${id}/${path}`, {
        'accept-encoding': 'gzip, br',
        'if-none-match': String(headers.etag),
      });
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([
        304,
        0,
        headers.etag,
      ]);
    }
  });

  it('has another ETag once its bytes change, and in another encoding', async () => {
    const id = await newSite();
    const plain = await snippets(`/${id}/data.json`);
    const gzipped = await snippets(`/${id}/data.json`, { 'accept-encoding': 'gzip' });
    expect(gzipped.headers.etag).not.toBe(plain.headers.etag);
    expect((await snippets(`/${id}/app.js`)).headers.etag).not.toBe(plain.headers.etag);
  });

  it.each([
    ['bytes=0-99', 206, 'bytes 0-99/5000', 100],
    ['bytes=4990-', 206, 'bytes 4990-4999/5000', 10],
    ['bytes=-10', 206, 'bytes 4990-4999/5000', 10],
    ['bytes=0-999999', 206, 'bytes 0-4999/5000', 5_000],
    ['bytes=5000-', 416, 'bytes */5000', 0],
    ['bytes=-0', 416, 'bytes */5000', 0],
    ['bytes=0-1,3-4', 200, undefined, 5_000],
    ['bytes=9-2', 200, undefined, 5_000],
    ['items=0-1', 200, undefined, 5_000],
    ['bytes=-', 200, undefined, 5_000],
  ])('gives the part %s of a sound: %d', async (range, status, part, length) => {
    const id = await newSite();
    const got = await snippets(`/${id}/sound.mp3`, { range });
    expect([got.status, got.headers['content-range'], got.bytes.length]).toEqual([
      status,
      part,
      length,
    ]);
    const [, first = '0'] = /^bytes (\d+)/.exec(part ?? '') ?? [];
    expect(
      got.bytes.equals(Buffer.from(sound).subarray(Number(first), Number(first) + length)),
    ).toBe(true);
  });

  it('gives all of a sound that has changed since its first part, and of texts', async () => {
    const id = await newSite();
    const range = { range: 'bytes=0-9' };
    const { etag = '' } = (await snippets(`/${id}/sound.mp3`, range)).headers;
    const current = await snippets(`/${id}/sound.mp3`, { ...range, 'if-range': etag });
    const former = await snippets(`/${id}/sound.mp3`, { ...range, 'if-range': '"other"' });
    const text = await snippets(`/${id}/data.json`, range);
    expect([current.status, former.status, text.status]).toEqual([206, 200, 200]);
  });

  it('answers HEAD with its length, and no other method', async () => {
    const id = await newSite();
    const head = await snippets(`/${id}/sound.mp3`, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
      200,
      '5000',
      0,
    ]);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await snippets(`/${id}/app.js`, {}, method);
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD']);
    }
  });

  it('is framed by the sites that embed the share, and loaded by any', async () => {
    const id = await newSite({ embedOrigins: ['https://blog.example'] });
    const { headers } = await snippets(`/${id}/about.html`, { origin: 'null' });
    expect(headers['content-security-policy']).toContain(
      'frame-ancestors https://handbill.test https://blog.example',
    );
    const embed = await service(`/s/${id}/embed`);
    expect(embed.text).toContain(`src="https://snippets.test/${id}/index.html"`);
  });
});

describe('a file of a share with a limit', () => {
  it('is kept by no cache, and HEAD tells no length', async () => {
    const id = await newSite({ viewLimit: 3 });
    const prefix = await openSite(id);
    for (const path of ['', 'app.js', 'sound.mp3', 'about.html']) {
      const got = await snippets(`${prefix}${path}`);
      expect([got.status, got.headers['cache-control'], got.headers.etag]).toEqual([
        200,
        'no-store',
        undefined,
      ]);
      const head = await snippets(`${prefix}${path}`, {}, 'HEAD');
      expect([head.status, head.headers['content-length']]).toEqual([200, undefined]);
    }
    const part = await snippets(`${prefix}sound.mp3`, { range: 'bytes=1-2' });
    expect([part.status, part.bytes.length]).toEqual([206, 2]);
  });

  it('may be read by its pages alone', async () => {
    const prefix = await openSite(await newSite({ viewLimit: 3, embedOrigins: ['*'] }));
    const { headers } = await snippets(`${prefix}about.html`);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`connect-src data: blob: https://snippets.test${prefix};`);
    expect(policy).toContain('frame-ancestors https://handbill.test');
    expect(policy).not.toContain('frame-ancestors https://handbill.test *');
  });
});

describe('a file that a browser opens by itself', () => {
  it('leads to the page of its share if it could run scripts', async () => {
    const id = await newSite();
    for (const path of ['', 'index.html', 'about.html', 'img/a.svg', 'docs', 'docs/']) {
      const { status, headers } = await snippets(`/${id}/${path}`, alone);
      expect([path, status, headers.location]).toEqual([
        path,
        303,
        `https://handbill.test/s/${id}`,
      ]);
    }
  });

  it('tells where to go if the address has a token', async () => {
    const id = await newSite({ viewLimit: 3 });
    const prefix = await openSite(id);
    const { status, text, headers } = await snippets(`${prefix}about.html`, alone);
    expect([status, headers.location]).toEqual([403, undefined]);
    expect(text).toContain(`<a href="https://handbill.test/s/${id}">`);
    expect(text).not.toMatch(/About|<script/);
  });

  it('is shown otherwise', async () => {
    const id = await newSite();
    for (const path of ['app.js', 'img/page.png', 'data.json', 'sound.mp3']) {
      expect((await snippets(`/${id}/${path}`, alone)).status).toBe(200);
    }
  });

  it('tells the page of the share where nothing is', async () => {
    const id = await newSite();
    const { status, text, headers } = await snippets(`/${id}/nothing.html`, framed);
    expect([status, text.includes('postMessage("left"')]).toEqual([404, true]);
    expect(headers['content-security-policy']).toContain('sandbox allow-scripts');
    const late = await snippets('/a.b.c/index.html', framed);
    expect([late.status, late.text.includes('Reload the page.')]).toEqual([401, true]);
  });
});

describe('a share of Markdown with files', () => {
  const text = [
    '# Home',
    '![The mill](img/a.svg) ![gone](img/gone.png) ![root](/img/a.svg)',
    '[About](about.html#x) [Docs](docs/) [Sound](./sound.mp3?a=1&b=2) [gone](gone.html) [top](#home)',
    '[other](share-file:app.js) <img src="img/a.svg" srcset="img/a.svg 1x, img/page.png 2x">',
  ].join('\n\n');

  const newMarkdown = async (body: Record<string, unknown> = {}) => {
    const { call } = await import('../../support/service/call.ts');
    const { token } = await newPerson();
    const form = new FormData();
    form.append('file', new Blob([text]), 'index.md');
    for (const [path, content] of Object.entries(site)) {
      form.append('file', new Blob([content as BlobPart]), path);
    }
    for (const [name, value] of Object.entries(body)) form.append(name, String(value));
    const request = new Request('https://a.test', { method: 'POST', body: form });
    const response = await call('POST /api/share', {
      token,
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      body: new Uint8Array(await request.arrayBuffer()),
    });
    expect(response.status, JSON.stringify(response.body)).toBe(201);
    return { id: response.body.id as string, token };
  };

  it('shows its images and leads to its files', async () => {
    const { id } = await newMarkdown();
    const base = `https://snippets.test/${id}/`;
    const { text: shown } = await service(`/s/${id}`);
    expect(shown).toContain(`<img src="${base}img/a.svg" alt="The mill"`);
    expect(shown).toContain(`href="${base}about.html#x"`);
    expect(shown).toContain(`href="${base}docs/index.html"`);
    expect(shown).toContain(`href="${base}sound.mp3?a=1&amp;b=2"`);
    expect(shown).toContain(`srcset="${base}img/a.svg 1x, ${base}img/page.png 2x"`);
    expect(shown).toContain('gone (not shown');
    expect(shown).not.toMatch(/share-file:|href="gone|gone\.html"/);
    const { text: embedded } = await service(`/s/${id}/raw?download=page`);
    expect(embedded).toContain(`<img src="${base}img/a.svg"`);
  });

  it('gives its files the token of a view, and saved pages none', async () => {
    const { id } = await newMarkdown({ viewLimit: 3 });
    const at = await open(id);
    const { text: shown } = await service(at);
    const [, prefix = ''] =
      /<img src="https:\/\/snippets\.test\/([^/]+)\/img\/a\.svg"/.exec(shown) ?? [];
    expect(prefix).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect((await snippets(`/${prefix}/img/a.svg`)).status).toBe(200);
    const saved = await service(`${at.replace('?', '/raw?')}&download=page`);
    expect([saved.status, saved.text.includes(prefix)]).toEqual([200, false]);
    expect(saved.text).toContain('<img src="img/a.svg"');
  });

  it('has relative addresses in the API', async () => {
    const { id } = await newMarkdown();
    const { text: json } = await service(`/api/share?id=${id}`);
    const { html, filesUrl } = JSON.parse(json).data ?? JSON.parse(json);
    expect([html.includes('<img src="img/a.svg"'), filesUrl]).toEqual([
      true,
      `https://snippets.test/${id}/`,
    ]);
  });

  it('lets pages among its files be saved, because nothing frames them', async () => {
    const { id } = await newMarkdown();
    const { status, headers, text: saved } = await snippets(`/${id}/about.html`, alone);
    expect([status, headers['content-disposition']]).toEqual([
      200,
      'attachment; filename=about.html',
    ]);
    expect(saved).toBe(site['about.html']);
    expect(
      (await snippets(`/${id}/img/a.svg`, { 'sec-fetch-dest': 'image' })).headers,
    ).not.toHaveProperty('content-disposition');
  });
});
