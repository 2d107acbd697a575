import { afterEach, describe, expect, it, vi } from 'vitest';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { login, newPerson } from '../../../support/users/test-users.ts';

useTable();
afterEach(() => vi.unstubAllEnvs());

const providers = {
  OIDC_GOOGLE_ISSUER: 'https://accounts.google.com',
  OIDC_GOOGLE_CLIENT_ID: 'client',
  OIDC_ACME_ISSUER: 'https://id.acme.example',
  OIDC_ACME_CLIENT_ID: 'client',
  OIDC_ACME_LABEL: 'Acme <One>',
};

const one = { OIDC_ACME_ISSUER: 'https://id.acme.example', OIDC_ACME_CLIENT_ID: 'client' };

const stub = (settings: Readonly<Record<string, string>>): void => {
  vi.stubEnv('PUBLIC_URL', 'https://share.example.com');
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
};

const links = (body: string): readonly string[] =>
  [...body.matchAll(/<a class="btn [^"]*" href="([^"]*)"/g)].map(([, href = '']) => href);

const open = (query = {}, headers = {}) => call('GET /login', { query, headers });

describe('the ways to sign in on GET /login', () => {
  it('are the password and passkeys by default', async () => {
    stub({});
    const { body } = await open();
    expect(links(body)).toEqual([]);
    expect(body).toContain('id="use-passkey"');
    expect(body).toContain('Create an account');
    for (const other of ['id="email-me"', 'id="email-code"', '<form id="login-email"']) {
      expect(body).not.toContain(other);
    }
  });

  it('include providers, which keep the page to open, and a code by email', async () => {
    stub({ ...providers, EMAIL_SIGN_IN: 'on', MAIL_FROM: 'handbill@example.com' });
    const { body } = await open({ next: '/shares?a=b' });
    expect(links(body)).toEqual([
      '/login/acme?next=/shares%3Fa%3Db',
      '/login/google?next=/shares%3Fa%3Db',
    ]);
    expect(body).toContain('Continue with Acme &lt;One&gt;');
    expect(body).toContain('class="logo google"');
    expect(body).toContain('id="email-me"');
    expect(body).toContain('<template id="email-code">');
  });

  it('leave the password out where it is off', async () => {
    stub({
      ...providers,
      PASSWORD_SIGN_IN: 'off',
      EMAIL_SIGN_IN: 'on',
      MAIL_FROM: 'handbill@example.com',
    });
    const { body } = await open();
    expect(body).not.toContain('type="password"');
    expect(body).not.toContain('/register');
    expect(body).toContain('<form id="login-email"');
    stub({ EMAIL_SIGN_IN: 'off' });
    const without = await open();
    expect(without.body).not.toContain('<form id="login');
    expect(links(without.body)).toEqual(['/login/acme', '/login/google']);
  });

  it('are skipped where one provider signs all in, unless there is something to say first', async () => {
    stub({ ...one, PASSWORD_SIGN_IN: 'off' });
    const straight = await open({ next: '/files' });
    expect([straight.status, straight.headers['location']]).toEqual([
      303,
      '/login/acme?next=/files',
    ]);
    for (const why of ['out', 'late', 'other']) expect((await open({ why })).status).toBe(200);
    expect((await open({ why: 'unknown' })).status).toBe(303);
    expect((await open({}, { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
    stub({ PASSWORD_SIGN_IN: 'on' });
    expect((await open()).status).toBe(200);
  });

  it('say to whom has signed out that they have', async () => {
    const { body } = await open({ why: 'out' });
    expect(body).toContain('You’re signed out.');
  });

  it('are not shown to who is signed in', async () => {
    stub(one);
    const { email } = await newPerson();
    const cookie = (await login(email)).cookies?.[0]?.split(';')[0] ?? '';
    vi.stubEnv('PASSWORD_SIGN_IN', 'off');
    const { status, headers } = await call('GET /login', { query: {}, cookies: [cookie] });
    expect([status, headers['location']]).toEqual([303, '/dashboard']);
  });
});

describe('the pages beside it', () => {
  it('offer providers to who registers, and lead to the sign-in page without passwords', async () => {
    stub(providers);
    const { body } = await call('GET /register', { query: { next: '/files' } });
    expect(links(body)).toEqual(['/login/acme?next=/files', '/login/google?next=/files']);
    stub({ PASSWORD_SIGN_IN: 'off' });
    const { status, headers } = await call('GET /register', { query: { next: '/files' } });
    expect([status, headers['location']]).toEqual([303, '/login?next=/files']);
  });

  it('offer no providers where registration is closed', async () => {
    stub({ ...providers, REGISTRATION: 'closed' });
    expect(links((await call('GET /register', {})).body)).toEqual([]);
  });

  it('say that there is no password to reset', async () => {
    stub({ ...one, PASSWORD_SIGN_IN: 'off' });
    const { body } = await call('GET /forgot', {});
    expect(body).toContain('Passwords are off here');
    expect(body).not.toContain('<form');
  });

  it('show what the link in an email leads to, only where emails sign in', async () => {
    const off = await call('GET /login/email', {});
    expect([off.status, off.headers['location']]).toEqual([303, '/login']);
    stub({ EMAIL_SIGN_IN: 'on', MAIL_FROM: 'handbill@example.com' });
    const { status, body, headers } = await call('GET /login/email', {});
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toContain('<form id="email-link"');
  });
});
