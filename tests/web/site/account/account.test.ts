import { afterEach, describe, expect, it } from 'vitest';
import { formatDevice } from '../../../../functions/web/browser/data/device.ts';
import { call } from '../../../support/service/call.ts';

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
      const main = body.slice(body.indexOf('<main'));
      return [...main.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path);
    };
    expect(await leadsTo()).toEqual(['/forgot', '/register']);
    for (const mode of ['invite', 'closed']) {
      process.env['REGISTRATION'] = mode;
      expect(await leadsTo()).toEqual(['/forgot']);
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
