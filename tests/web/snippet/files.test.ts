import { describe, expect, it } from 'vitest';
import { open, share, usePages } from '../../support/pages/served-pages.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { addFiles, type Files } from '../../support/shares/with-files.ts';
import { useTable } from '../../support/table/table.ts';

useTable();
useJobs();
useBucket();
const { service, snippets } = usePages();

const page = '<!doctype html><title>Home</title><script type="module" src="app.js"></script>';
const site: Files = {
  'app.js': 'export const said = "Grüße";',
  'about.html': '<!doctype html><p>About',
  'docs/index.html': '<!doctype html><p>Docs',
  'docs/style.css': 'p { color: red }',
  'data.json': JSON.stringify({ list: Array.from({ length: 500 }, (_, at) => at) }),
  'img/Größe 100%.png': new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]),
  'img/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'sound.mp3': new Uint8Array(5_000).fill(7),
  'paper.pdf': '%PDF-1.7',
  unknown: 'what is it?',
};

const newSite = async (options: Record<string, unknown> = {}) => {
  const made = await share({ content: page, ...options });
  await addFiles(made.id, site, { text: page });
  return made.id;
};

describe('a file of a share that everyone can read', () => {
  it.each([
    ['app.js', 'text/javascript; charset=utf-8'],
    ['docs/style.css', 'text/css; charset=utf-8'],
    ['data.json', 'application/json; charset=utf-8'],
    ['img/Gr%C3%B6%C3%9Fe%20100%25.png', 'image/png'],
    ['img/a.svg', 'image/svg+xml; charset=utf-8'],
    ['about.html', 'text/html; charset=utf-8'],
    ['index.html', 'text/html; charset=utf-8'],
    ['docs/', 'text/html; charset=utf-8'],
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
    expect(headers['content-security-policy']).toContain('sandbox allow-scripts');
    expect(headers['content-security-policy']).toContain(
      `connect-src data: blob: https://snippets.test/${id}/;`,
    );
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(headers).not.toHaveProperty('set-cookie');
  });
});

describe('the page', () => {
  it('frames the main page', async () => {
    const id = await newSite();
    const { text } = await service(`/s/${id}`);
    expect(text).toContain(`src="https://snippets.test/${id}/index.html"`);
    const limited = await newSite({ viewLimit: 1 });
    const opened = await service(await open(limited));
    const [, path = ''] =
      /src="https:\/\/snippets\.test(\/[\w-]+\.[\w-]+\.[\w-]+\/)index\.html"/.exec(opened.text) ??
      [];
    const frame = await snippets(`${path}app.js`);
    expect([frame.status, frame.headers['cache-control']]).toEqual([200, 'no-store']);
  });
});
