import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSession } from '../../../functions/api/auth/sign-in.ts';
import {
  createInvitationLink,
  createResetLink,
  resetPassword,
} from '../../../functions/api/users/account/password-link.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { freshPassword, me } from '../../support/users/account.ts';
import { newResetToken, tokenOfLink } from '../../support/users/links.ts';
import {
  login,
  newEmail,
  newInvited,
  newPerson,
  newUserOf,
  type Person,
  password,
  setUser,
} from '../../support/users/test-users.ts';

useTable();
afterEach(() => vi.useRealTimers());

const hourMs = 60 * 60_000;
const loginAs = async (email: string, given: string) => (await login(email, given)).status;

type Account = Pick<Person, 'id' | 'email'>;

const links = [
  {
    path: '/reset',
    landing: '/dashboard?done=reset',
    other: '/invite',
    newAccount: newPerson as () => Promise<Account>,
    newLink: createResetLink,
    lifetimeMs: hourMs,
    whatNext: '<a class="btn primary lg wide" href="/forgot">Request a new link</a>',
  },
  {
    path: '/invite',
    landing: '/dashboard',
    other: '/reset',
    newAccount: newInvited as () => Promise<Account>,
    newLink: createInvitationLink,
    lifetimeMs: 7 * 24 * hourMs,
    whatNext: 'Otherwise ask for a new invitation.',
  },
] as const;

describe.each(links)('$path', (link) => {
  const { path, landing, other, newAccount, newLink, lifetimeMs, whatNext } = link;
  const tokenFor = async ({ id }: Account): Promise<string> => {
    const url = new URL((await newLink(id)) ?? '');
    expect(url.pathname).toBe(path);
    return url.searchParams.get('token') ?? '';
  };
  const open = (query: Record<string, string>) => call(`GET ${path}`, { query });
  const send = (fields: Record<string, string>, at: string = path) =>
    call(`POST ${at}`, form(fields));
  const both = (text: string) => ({ password: text, confirmPassword: text });
  const isRefused = async (token: string) => {
    for (const response of [await open({ token }), await send({ token, ...both(freshPassword) })]) {
      expect([response.status, response.body]).toEqual([
        400,
        expect.stringContaining('<h1>This link is invalid or expired</h1>'),
      ]);
      expect(response.body).toContain(whatNext);
      expect(response.body).not.toMatch(/<form|@example/);
    }
  };

  it('shows a form without a script that sets the password of the account and signs in', async () => {
    const account = await newAccount();
    const token = await tokenFor(account);
    for (let look = 0; look < 3; look++) {
      const { status, body } = await open({ token });
      expect(status).toBe(200);
      expect(body).toContain(`<form method="post" action="${path}">`);
      expect(body).toContain(`name="token" value="${token}"`);
      expect(body).toContain(`<strong>${account.email}</strong>`);
      expect(body).not.toMatch(/<script| on\w+=/);
    }
    const done = await send({ token, ...both(freshPassword) });
    expect([done.status, done.headers['location'], done.body]).toEqual([303, landing, '']);
    const [cookie = ''] = done.cookies ?? [];
    expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Strict; /);
    const cookies = [cookie.split(';')[0] ?? ''];
    const { body } = await call('GET /api/auth/me', { cookies });
    expect(body.data).toMatchObject({ id: account.id, lastLoginAt: expect.any(String) });
    expect(await loginAs(account.email, freshPassword)).toBe(200);
    await isRefused(token);
  });

  it('keeps the token out of other pages, search engines, caches and frames', async () => {
    const token = await tokenFor(await newAccount());
    for (const { headers, body } of [await open({ token }), await open({ token: 'x' })]) {
      expect(headers).toMatchObject({
        'referrer-policy': 'strict-origin',
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; .*form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(body).toContain('<meta name="robots" content="noindex">');
      for (const [, url] of body.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
        expect(url).toMatch(
          /^(#page|\/(|reset|invite|login|forgot|assets\/[\w./-]+)|data:image\/svg\+xml,.+)$/,
        );
      }
    }
  });

  it('rejects a superseded, expired, incorrect, empty or missing token', async () => {
    const account = await newAccount();
    const [older, newer] = [await tokenFor(account), await tokenFor(account)];
    await isRefused(older);
    for (const wrong of ['', '1.x', `${newer}x`, '"><script>x</script>', 'x'.repeat(300)]) {
      await isRefused(wrong);
    }
    expect((await call(`GET ${path}`)).status).toBe(400);
    expect((await call(`POST ${path}`)).status).toBe(400);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + lifetimeMs });
    await isRefused(newer);
  });

  it('accepts the link until it expires', async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    const token = await tokenFor(await newAccount());
    vi.setSystemTime(now + lifetimeMs - 1);
    expect((await open({ token })).status).toBe(200);
    expect((await send({ token, ...both(freshPassword) })).status).toBe(303);
  });

  it('rejects links of the other kind', async () => {
    const token = await tokenFor(await newAccount());
    expect((await call(`GET ${other}`, { query: { token } })).status).toBe(400);
    expect((await send({ token, ...both(freshPassword) }, other)).status).toBe(400);
    expect((await send({ token, ...both(freshPassword) })).status).toBe(303);
  });

  it.each([
    [
      { password: 'short', confirmPassword: 'short' },
      'The password must be at least 6 characters.',
    ],
    [
      { password: 'ü'.repeat(37), confirmPassword: '' },
      'The password must be at most 72 bytes (UTF-8).',
    ],
    [{ password: freshPassword, confirmPassword: 'another' }, 'The passwords don’t match.'],
    [{ password: freshPassword }, 'The passwords don’t match.'],
    [{}, 'The password must be at least 6 characters.'],
  ])('shows the form again for %j without consuming the token', async (fields, told) => {
    const account = await newAccount();
    const token = await tokenFor(account);
    const { status, body } = await send({ token, ...fields });
    expect([status, body]).toEqual([400, expect.stringContaining(told)]);
    expect(body).toContain(`name="token" value="${token}"`);
    expect(body).toContain(account.email);
    expect(body).not.toContain(freshPassword);
    expect((await send({ token, ...both(freshPassword) })).status).toBe(303);
  });

  it('accepts a token once, even for 10 concurrent requests', async () => {
    const token = await tokenFor(await newAccount());
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => send({ token, ...both(freshPassword) })),
    );
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(9);
  });

  it('shows the address of the account as text', async () => {
    const { id } = await newInvited({ email: `<b>${newEmail()}` });
    const token = tokenOfLink(await newLink(id));
    expect((await open({ token })).body).toContain('&lt;b&gt;');
    expect((await open({ token })).body).not.toContain('<b>');
  });
});

describe('GET /reset', () => {
  it('changes neither the session nor the password', async () => {
    const { id, email, token: access } = await newPerson();
    const token = await newResetToken(id);
    await call('GET /reset', { query: { token } });
    await call('HEAD /reset', { query: { token } });
    expect((await me(access)).status).toBe(200);
    expect((await login(email)).status).toBe(200);
    expect(await loginAs(email, password)).toBe(200);
  });
});

describe('POST /reset', () => {
  const host = 'handbill.test';
  const client = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: undefined, isService: false };
  const request = [client, systemRecorder('password.reset')] as const;
  const reset = async (id: number, headers: Record<string, string> = {}) => {
    const fields = { password: freshPassword, confirmPassword: freshPassword };
    const sent = form({ token: await newResetToken(id), ...fields });
    return call('POST /reset', { ...sent, headers: { ...sent.headers, host, ...headers } });
  };

  const sessionsOf = async (id: number) =>
    (await itemsOf(`USER#${id}`)).filter(({ sk }) => String(sk).startsWith('SESSION#'));

  it.each([
    [303, 1, { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }],
    [200, 0, { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    [200, 0, { origin: 'https://evil.test' }],
    [200, 0, { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' }],
    [200, 0, { origin: 'null' }],
    [200, 0, { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [200, 0, { 'sec-fetch-site': 'same-site' }],
  ])('answers %i and signs in %i times for a form with %j', async (expected, count, headers) => {
    const { id } = await newPerson();
    const before = (await sessionsOf(id)).length;
    const { status, cookies } = await reset(id, headers);
    expect([status, cookies?.length]).toEqual([expected, count]);
    expect((await sessionsOf(id)).length - before).toBe(count);
  });

  it('is audited as a sign-in, too, and never cached', async () => {
    const [{ id }, root] = [await newPerson(), await newUserOf('super_admin')];
    const { headers } = await reset(id);
    expect(headers['cache-control']).toBe('no-store');
    const query = { subject: `user:${id}` };
    const { items } = (await call('GET /api/audit', { token: root.token, query })).body.data;
    const actions = items.map(({ action }: { action: string }) => action);
    expect(actions.toSorted()).toEqual(['password.reset', 'session.create', 'user.register']);
  });

  it('signs in no one whose password was changed since', async () => {
    const { id, email } = await newPerson();
    const user = await resetPassword(await newResetToken(id), freshPassword, ['reset'], ...request);
    await resetPassword(await newResetToken(id), 'battery staple', ['reset'], ...request);
    expect(await createSession(user, { password: freshPassword }, ...request)).toBeUndefined();
    expect(await loginAs(email, 'battery staple')).toBe(200);
  });

  it('signs in no one who is suspended', async () => {
    const { id } = await newPerson();
    await setUser(id, { status: 'suspended' });
    const { status, body, cookies } = await reset(id);
    expect([status, cookies]).toEqual([200, []]);
    expect(body).toContain('<h1>Password set</h1>');
  });
});
