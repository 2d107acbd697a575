import { afterEach, describe, expect, it, vi } from 'vitest';
import { call } from '../../support/service/call.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { frame, open, page, tokenIn } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';

useTable();
afterEach(() => vi.useRealTimers());

const newShare = async (body: object) =>
  sharesOf(await newPerson()).newShare({ content: '<b>Hi</b>', ...body });
const viewsOf = async (id: string, password = '') =>
  (await call('GET /api/share', { query: { id, password } })).body.views - 1;

describe('GET /s/{id}', () => {
  it('shows Markdown in a page that runs only its own script', async () => {
    const id = await newShare({
      content: '# Hi\n\n<script>alert(1)</script>',
      language: 'markdown',
      title: '</title><script>alert(2)</script>',
      description: '"quoted" & <b>bold</b>',
    });
    const { status, headers, body } = await page(id);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toMatchInlineSnapshot(
      `"default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; img-src https: data:; frame-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"`,
    );
    expect(body).toMatch(/<h1[^>]*>Hi</);
    expect(body.match(/<script/g)).toHaveLength(1);
    expect(body).toMatch(
      /<script type="module" src="\/assets\/scripts\/share\.\w+\.js"><\/script>/,
    );
    expect(body).toContain('&quot;quoted&quot; &amp; &lt;b&gt;bold&lt;/b&gt;');
  });

  it('frames HTML from the snippets host', async () => {
    const id = await newShare({});
    const { body } = await page(id);
    expect(body).toContain(`src="https://snippets.test/${id}" sandbox="allow-scripts allow-forms`);
    expect(body).not.toContain('allow-same-origin');
    expect(body).not.toContain('<b>Hi</b>');
  });

  it('asks before opening a limited share and counts no view', async () => {
    const id = await newShare({ viewLimit: 5 });
    for (let times = 0; times < 3; times++) {
      const { status, body } = await page(id);
      expect(status).toBe(200);
      expect(body).toContain('Opening it uses 1 of 5 remaining views.');
      expect(body).not.toContain('<iframe');
    }
    expect(await viewsOf(id)).toBe(0);
  });

  it('reveals nothing about a protected share', async () => {
    const id = await newShare({ password: 'Abc123', title: 'Secret', description: 'Secret too' });
    const { body } = await page(id);
    expect(body).toContain('This snippet is password-protected.');
    expect(body).not.toContain('Secret');
  });

  it('returns pages for 404 and 410', async () => {
    const missing = await page('nothing');
    expect([missing.status, missing.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(missing.body).toContain('Snippet not found');
    const id = await newShare({ expiresIn: 1 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });
    const gone = await page(id);
    expect(gone.status).toBe(410);
    expect(gone.body).toContain('<h1>This share has expired</h1>');
    expect(gone.body).toContain('Ask the person who shared it for a new link.');
  });
});

describe('POST /s/{id}/open', () => {
  it('counts one view and redirects to the page', async () => {
    const id = await newShare({ content: '# Hi', language: 'markdown', viewLimit: 1 });
    const opened = await open(id);
    expect(opened.status).toBe(303);
    expect(opened.headers['location']).toMatch(new RegExp(`^/s/${id}\\?view=`));
    const view = tokenIn(opened);
    expect((await page(id, view)).body).toMatch(/<h1[^>]*>Hi</);
    expect((await page(id, view)).body).toMatch(/<h1[^>]*>Hi</);
    expect((await page(id)).status).toBe(410);
    expect((await open(id)).status).toBe(410);
  });

  it('requires the password and counts no view without it', async () => {
    const id = await newShare({ password: 'Abc123', viewLimit: 2 });
    const wrong = await open(id, { password: 'abc123' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toContain('Incorrect password. Try again.');
    expect((await open(id)).status).toBe(401);
    expect((await open(id, { password: 'Abc123' })).status).toBe(303);
    expect(await viewsOf(id, 'Abc123')).toBe(1);
  });
});

describe('a view token', () => {
  it('is valid for 60 s for its share, unless that expires', async () => {
    const id = await newShare({ viewLimit: 1, expiresIn: 30 });
    const other = await newShare({ viewLimit: 1 });
    const view = tokenIn(await open(id));
    const otherView = tokenIn(await open(other));
    expect((await page(other, otherView)).body).toContain('<iframe');
    expect((await page(other, view)).status).toBe(410);
    const { token } = await newPerson();
    expect((await page(other, token)).status).toBe(410);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    expect((await page(id, view)).status).toBe(410);
    expect((await page(other, otherView)).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    expect((await page(other, otherView)).status).toBe(410);
  });
});

describe('GET /{id} on the snippets host', () => {
  it('serves the content in a sandbox after the frame script', async () => {
    const id = await newShare({ content: '<script>top.location="https://evil.test"</script>' });
    const { status, headers, body } = await frame(id);
    expect(status).toBe(200);
    expect(body).toMatch(
      /^<script>"use strict";.*"https:\/\/handbill\.test".*<\/script><script>top\.location="https:\/\/evil\.test"<\/script>$/,
    );
    expect(headers['content-security-policy']).toMatchInlineSnapshot(
      `"sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals; default-src 'none'; script-src https: data: blob: 'unsafe-inline'; style-src https: data: blob: 'unsafe-inline'; img-src https: data: blob:; font-src https: data: blob:; media-src https: data: blob:; connect-src data: blob:; form-action 'none'; webrtc 'block'; frame-ancestors https://handbill.test"`,
    );
    expect(headers['content-security-policy']).not.toContain('allow-same-origin');
  });

  it('serves a limited or protected share only with a valid view token', async () => {
    const id = await newShare({ viewLimit: 1 });
    expect((await frame(id)).status).toBe(404);
    const view = tokenIn(await open(id));
    expect((await page(id, view)).body).toContain(`https://snippets.test/${id}?view=${view}`);
    expect((await frame(id, view)).body).toMatch(/<\/script><b>Hi<\/b>$/);
    expect((await frame(await newShare({ password: 'Abc123' }))).status).toBe(404);
  });

  it('returns 404 for Markdown', async () => {
    expect((await frame(await newShare({ language: 'markdown' }))).status).toBe(404);
  });
});
