import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { assetPath } from '../../../../functions/web/layout/asset.ts';
import { pagePolicy } from '../../../../functions/web/layout/policy.ts';
import { requestParameters } from '../../../support/apps/consent-request.ts';
import { measureAsset } from '../../../support/pages/compressed-size.ts';
import { type CallOptions, call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();

const query = { ...requestParameters };
const open = (options: CallOptions = {}) => call('GET /authorize', { query, ...options });

/** Page and assets without the font, compressed. */
const maxBytes = 18 * 1_024;

describe('GET /authorize', () => {
  const { maria } = usePeople({ maria: 'user' });
  const signedIn = () => open({ token: maria.token });

  it('can’t be framed or stored, and is bound by the policy of all pages', async () => {
    const { status, headers } = await signedIn();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy(),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    const policy = headers['content-security-policy'];
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
  });

  it('keeps the window that an app opened it in', async () => {
    expect((await signedIn()).headers['cross-origin-opener-policy']).toBe('unsafe-none');
  });

  it('is the same for all requests and users, and repeats nothing of its address', async () => {
    const { body } = await signedIn();
    const other = await open({ token: maria.token, query: { client_id: '"><b>x</b>' } });
    expect(other.body).toBe(body);
    for (const value of Object.values(query)) expect(body).not.toContain(`"${value}"`);
  });

  it('allows nothing before its script knows that somebody sees it, and says that it needs one', async () => {
    const { body } = await signedIn();
    expect(body).toMatch(/<form [^>]*id="consent" method="post" novalidate hidden>/);
    expect(body).toContain('id="allow" aria-disabled="true"');
    expect(body).toMatch(/<noscript><p[^>]*>This page requires JavaScript\./);
    expect(body).not.toMatch(/<style| on\w+=| style=|javascript:/);
    expect(body.match(/<script[^>]*>/g)).toEqual([
      `<script type="module" src="${assetPath('authorize.js')}">`,
    ]);
  });

  it('stays within its compressed size limit, including all assets', async () => {
    const { body } = await signedIn();
    const assets = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(assets).toEqual(['gate.css', 'authorize.css', 'authorize.js'].map(assetPath as never));
    const sizes = await Promise.all(assets.map(measureAsset));
    const page = brotliCompressSync(body).length;
    expect(sizes.reduce((sum, bytes) => sum + bytes, page)).toBeLessThanOrEqual(maxBytes);
  });

  it('offers no pages for everyone here while anyone can register', async () => {
    const option = /<option value="members"[^>]*>/;
    expect((await signedIn()).body.match(option)?.[0]).toContain(' disabled');
    vi.stubEnv('REGISTRATION', 'invite');
    expect((await signedIn()).body.match(option)?.[0]).not.toContain(' disabled');
    vi.unstubAllEnvs();
  });

  it('says what has happened to a browser when it fails', async () => {
    vi.stubEnv('REGISTRATION', 'sometimes');
    const { status, body } = await open({ headers: { accept: 'text/html' } });
    vi.unstubAllEnvs();
    expect([status, body]).toEqual([500, expect.stringContaining('<h1>Something went wrong</h1>')]);
  });
});

describe('GET /authorize, signed out', () => {
  it.each(['none', 'same-origin', undefined])(
    'signs in on the page itself, with the reason, from %s',
    async (site) => {
      const headers = site === undefined ? {} : { 'sec-fetch-site': site };
      const { status, body } = await open({ headers });
      expect([status, body]).toEqual([200, expect.stringContaining('<h1>Sign in</h1>')]);
      expect(body).toContain('Sign in to connect an assistant.');
      expect(body).not.toContain(assetPath('arrival.js'));
    },
  );

  it('asks by script who has come from another site', async () => {
    const { body } = await open({ headers: { 'sec-fetch-site': 'cross-site' } });
    expect(body).toContain(assetPath('authorize.js'));
    expect(body).not.toContain('<h1>Sign in</h1>');
  });

  it('leads who has no account back with the whole request', async () => {
    const { body } = await open();
    const [, link = ''] = body.match(/<a href="(\/register\?next=[^"]+)"/) ?? [];
    const next = new URL(link, 'https://handbill.test').searchParams.get('next') ?? '';
    expect(next).toMatch(/^\/authorize\?/);
    expect(Object.fromEntries(new URLSearchParams(next.slice(next.indexOf('?'))))).toEqual(query);
  });

  it('signs in for a request of 8 KB, and makes no link that is too long', async () => {
    const long = {
      ...query,
      client_id: `https://claude.example/${'a'.repeat(2_000)}`,
      state: 'é/'.repeat(900),
    };
    const length = new URLSearchParams(long).toString().length;
    expect(length).toBeGreaterThan(8_192);
    const { status, body } = await open({ query: long });
    expect([status, body]).toEqual([200, expect.stringContaining('<h1>Sign in</h1>')]);
    expect(body).toContain('<a href="/register">');
  });
});

describe('GET /authorize, of a user who must verify the address', () => {
  const { nina } = usePeople({ nina: 'user' });
  beforeEach(() => {
    vi.stubEnv('MAIL_FROM', 'handbill@example.com');
    vi.stubEnv('EMAIL_VERIFICATION', 'required');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('leads to the page for that, and back', async () => {
    const { status, headers } = await open({ token: nina.token });
    expect(status).toBe(303);
    const { pathname, searchParams } = new URL(headers['location'] ?? '', 'https://handbill.test');
    expect(pathname).toBe('/verify');
    expect(searchParams.get('next')).toBe(`/authorize?${new URLSearchParams(query)}`);
  });
});
