import { beforeAll, describe, expect, it, vi } from 'vitest';
import { pagePolicy } from '../../../functions/web/layout/policy.ts';
import { uploadUrl } from '../../../functions/web/site/files/upload-url.ts';
import { measurePage } from '../../support/pages/compressed-size.ts';
import { call } from '../../support/service/call.ts';

const frames = 'https://snippets.test';
beforeAll(() => {
  vi.stubEnv('SNIPPETS_URL', frames);
  vi.stubEnv('MAIL_FROM', 'handbill@example.com');
  return () => vi.unstubAllEnvs();
});

/** The pages that are the same for everyone, with the greatest size of page and assets in bytes, compressed. */
const publicPages = [
  { path: '/shares', fields: 1, bytes: 12_000, policy: () => ({}) },
  { path: '/files', fields: 6, bytes: 16_000, policy: () => ({ connects: uploadUrl() }) },
  { path: '/dashboard', fields: 3, bytes: 11_000, policy: () => ({}) },
  { path: '/moderation', fields: 0, bytes: 12_000, policy: () => ({ frames }) },
];
const privatePages = [
  { path: '/login', fields: 2 },
  { path: '/register', fields: 2 },
  { path: '/forgot', fields: 1 },
  { path: '/account', fields: 10 },
];

describe.each(publicPages)('GET $path', ({ path, bytes, policy }) => {
  it('is the same for everyone and requires revalidation', async () => {
    const { status, headers } = await call(`GET ${path}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
      etag: expect.stringMatching(/^"[\w-]+"$/),
      'content-security-policy': pagePolicy(policy()),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    });
    const again = { headers: { 'if-none-match': headers['etag'] ?? '' } };
    expect((await call(`GET ${path}`, again)).status).toBe(304);
  });

  it('stays within its compressed size limit, including all assets', async () => {
    const { assets, total } = await measurePage(path);
    expect(assets.length).toBeGreaterThanOrEqual(3);
    expect(total).toBeLessThanOrEqual(bytes);
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

describe.each([...publicPages, ...privatePages])('GET $path', ({ path, fields }) => {
  it('contains nothing inline and names no host except that of snippets', async () => {
    const { body } = await call(`GET ${path}`);
    expect(body.match(/<script[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/assets\/scripts\/[\w.-]+\.js">$/),
    ]);
    expect(body).not.toMatch(/<style| on\w+=| style=|javascript:/);
    for (const [, address = ''] of body.matchAll(/(?:src|href|action|data-frame)="([^"]*)"/g)) {
      expect(address).toMatch(/^(\/(?!\/)|#|data:image\/svg|https:\/\/snippets\.test\/preview$)/);
    }
    expect(body).toContain('<noscript>');
  });

  it('labels each field and describes it by elements that exist', async () => {
    const { body } = await call(`GET ${path}`);
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
