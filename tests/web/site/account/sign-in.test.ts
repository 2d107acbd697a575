import { describe, expect, it } from 'vitest';
import { getDestination, withNext } from '../../../../functions/web/site/account/destination.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { login, newPerson } from '../../../support/users/test-users.ts';

useTable();

const cookieOf = async (email: string): Promise<string> =>
  (await login(email)).cookies?.[0]?.split(';')[0] ?? '';

const targets = [
  [undefined, '/dashboard'],
  ['', '/dashboard'],
  ['/s/abc?view=1#top', '/s/abc?view=1#top'],
  ['/account', '/account'],
  ['/x/../files', '/files'],
  ['//evil.test', '/dashboard'],
  ['/\\evil.test', '/dashboard'],
  ['/\t/evil.test', '/dashboard'],
  ['/x/..//evil.test', '/dashboard'],
  ['/.//evil.test', '/dashboard'],
  ['https://evil.test', '/dashboard'],
  ['https://this.invalid/x', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
  ['blob:https://handbill.test/1', '/dashboard'],
  ['@evil.test', '/dashboard'],
  ['/x\r\nset-cookie: a=b', '/xset-cookie:%20a=b'],
] as const;

describe('the destination after signing in', () => {
  it.each(targets)('of %j is %s', (next, path) => {
    expect(getDestination(next)).toBe(path);
    expect(new URL(getDestination(next), 'https://handbill.test').origin).toBe(
      'https://handbill.test',
    );
  });

  it('stays readable in an address, and comes back from it', () => {
    expect(withNext('/login', undefined)).toBe('/login');
    expect(withNext('/login', '/s/abc')).toBe('/login?next=/s/abc');
    const next = '/files?search=a&b#"x';
    const query = new URL(withNext('/login', next), 'https://handbill.test').searchParams;
    expect(query.get('next')).toBe(next);
  });
});

describe.each(['/login', '/register'])('GET %s', (path) => {
  it('leads a signed-in user to the page that was asked for', async () => {
    const { email, token } = await newPerson();
    const cookies = [await cookieOf(email)];
    for (const [next, location] of targets) {
      const query = next === undefined ? {} : { next };
      const { status, headers, body } = await call(`GET ${path}`, { cookies, query });
      expect([status, headers['location'], body]).toEqual([303, location, '']);
      expect(headers['cache-control']).toBe('no-store');
    }
    await call('POST /api/auth/logout', { token, cookies: [] });
  });

  it('shows its form once the session has ended', async () => {
    const { email } = await newPerson();
    const cookies = [await cookieOf(email)];
    const ended = await call('POST /api/auth/logout', { cookies });
    expect(ended.status).toBe(200);
    const { status, body } = await call(`GET ${path}`, { cookies });
    expect([status, body]).toEqual([200, expect.stringContaining('<form')]);
  });

  it('keeps the page to open next in the link to the other form', async () => {
    const next = '/files?path="Plans"&open=1';
    const { body } = await call(`GET ${path}`, { query: { next } });
    const other = path === '/login' ? '/register' : '/login';
    expect(body).toContain(`<a href="${other}?next=/files%3Fpath%3D%22Plans%22%26open%3D1">`);
  });

  it('asks by script who is there only after a link of another site', async () => {
    const scripts = async (site: string | undefined) => {
      const headers = site === undefined ? {} : { 'sec-fetch-site': site };
      const { body } = await call(`GET ${path}`, { headers });
      return [...body.matchAll(/<script[^>]+scripts\/([\w-]+)\./g)].map(([, name]) => name);
    };
    expect(await scripts('cross-site')).toEqual(['arrival', 'sign-in']);
    for (const site of ['none', 'same-origin', 'same-site', undefined]) {
      expect(await scripts(site)).toEqual(['sign-in']);
    }
  });
});

describe.each(['/login', '/register', '/forgot'])('GET %s', (path) => {
  it('has the colors that were chosen', async () => {
    for (const [cookies, tag] of [
      [['theme=dark'], '<html lang="en" data-theme="dark">'],
      [['a=b', 'theme=light'], '<html lang="en" data-theme="light">'],
      [['theme="><script>'], '<html lang="en">'],
      [[], '<html lang="en">'],
    ] as const) {
      expect((await call(`GET ${path}`, { cookies })).body).toContain(tag);
    }
  });
});
