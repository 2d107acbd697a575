import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatDevice } from '../../../../functions/web/browser/data/device.ts';
import {
  getDestination,
  withNext,
} from '../../../../functions/web/layout/addresses/destination.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { login, newPerson } from '../../../support/users/test-users.ts';

useTable();

const token = '1.c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I';
const page = async (path: string, query = {}) => {
  process.env['MAIL_FROM'] = 'handbill@example.com';
  return call(`GET ${path}`, { query });
};
afterEach(() => {
  for (const name of ['MAIL_FROM', 'REGISTRATION']) delete process.env[name];
});

describe('GET /login', () => {
  it('links to the password reset, and to registration while that is open', async () => {
    const leadsTo = async () => {
      const { body } = await page('/login');
      const main = body.slice(body.indexOf('<main'), body.indexOf('<template'));
      return [...main.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path);
    };
    expect(await leadsTo()).toEqual(['/forgot', '/register']);
    for (const mode of ['invite', 'closed']) {
      process.env['REGISTRATION'] = mode;
      expect(await leadsTo()).toEqual(['/forgot']);
    }
  });
});

describe('GET /login with second factors', () => {
  const login = async (query = {}) => String((await page('/login', query)).body);
  afterEach(() => vi.unstubAllEnvs());

  it('offers passkeys in the email field, and has the step that follows the password', async () => {
    const body = await login();
    expect(body).toContain('autocomplete="username webauthn"');
    const step = body.slice(body.indexOf('<template id="second-step"'));
    for (const view of ['totp', 'passkey', 'recovery']) {
      expect(step).toContain(`data-view="${view}" hidden`);
    }
    expect(step).toContain('name="mfaToken" value=""');
    expect(step).toContain('autocomplete="one-time-code"');
  });

  it.each([
    ['http://localhost:3000', true],
    ['https://share.example.com', true],
    ['http://127.0.0.1:3000', false],
    ['http://[::1]:3000', false],
  ])('at %s has the button for passkeys: %s', async (url, isShown) => {
    vi.stubEnv('PUBLIC_URL', url);
    expect((await login()).includes('Sign in with a passkey')).toBe(isShown);
  });

  it('says that confirming took too long by a known key only', async () => {
    expect(await login({ why: 'late' })).toContain('class="note why warn"');
    for (const why of ['', 'Call 555', 'constructor']) {
      expect(await login({ why })).not.toContain('class="note why');
    }
  });
});

describe('GET /register', () => {
  it.each([
    ['closed', {}, 'Registration is closed'],
    ['closed', { token }, 'Registration is closed'],
    ['invite', {}, 'Invitation required'],
    ['invite', { token: '' }, 'Invitation required'],
  ])(
    'shows no form and no script while registration is %s and the query is %j',
    async (mode, query, heading) => {
      process.env['REGISTRATION'] = mode;
      const { status, body } = await page('/register', query);
      expect([status, body]).toEqual([200, expect.stringContaining(`<h1>${heading}</h1>`)]);
      expect(body).not.toMatch(/<form|<script|<noscript/);
      expect(body).toContain('<a href="/login">');
    },
  );

  it.each(['open', 'invite'])(
    'sends the invitation token with the form while registration is %s',
    async (mode) => {
      process.env['REGISTRATION'] = mode;
      const { body } = await page('/register', { token });
      expect(body).toContain(`<input type="hidden" name="token" value="${token}">`);
      expect(body).toContain('<a href="/login">');
      const { body: hostile } = await page('/register', { token: '"><script>x</script>' });
      expect(hostile).not.toContain('<script>');
    },
  );

  it('sends no token without an invitation', async () => {
    expect((await page('/register')).body).not.toContain('name="token"');
  });
});

describe('GET /forgot', () => {
  it('shows no form and a contact hint while email is off', async () => {
    const { status, body } = await call('GET /forgot');
    expect([status, body]).toEqual([
      200,
      expect.stringContaining('This service doesn’t send email.'),
    ]);
    expect(body).not.toMatch(/<form|<script|<noscript/);
  });
});

describe('formatDevice', () => {
  const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  it.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/140.0 Safari/537.36`, 'Chrome on Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/140.0 Safari/537.36 Edg/140.0`,
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webKit} Version/18.0 Safari/604.1`,
      'Safari on iPhone',
    ],
    ['curl/8.5.0', 'curl'],
    ['nightly-script/1.0', 'nightly-script/1.0'],
    [null, 'Unknown device'],
  ])('names the device of %s as %s', (userAgent, name) => {
    expect(formatDevice(userAgent)).toBe(name);
  });
});

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
