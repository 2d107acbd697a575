// Sessions of a role that must have a second factor, MFA_REQUIRED_ROLES.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hosts, listRoutes } from '../../../functions/routes.ts';
import type { Host } from '../../../shared/http/host.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken, freshPassword, me, refresh } from '../../support/users/account.ts';
import {
  enrolTotp,
  newTotpUser,
  readFactors,
  reauthenticate,
  removeTotp,
  signInBoth,
} from '../../support/users/factors.ts';
import { newInvitationToken, newResetToken } from '../../support/users/links.ts';
import {
  login,
  newAccount,
  newEmail,
  newInvited,
  newUserOf,
  password,
  register,
} from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

beforeEach(() => vi.stubEnv('MFA_REQUIRED_ROLES', 'super_admin, admin'));
afterEach(() => vi.unstubAllEnvs());

const required = { status: 403, body: { error: { code: 'ENROLMENT_REQUIRED' } } };
const documents = (token: string | undefined) => call('GET /api/documents', { token });

/** Signs in a new administrator, who must set up a second factor. */
const signInHeld = async () => {
  const { id, email } = await newAccount({ role: 'admin' });
  const { body } = await login(email);
  return { id, email, token: body.accessToken, refreshToken: body.refreshToken, body };
};

describe('a session that must set up a second factor', () => {
  it('says so, and is refused until it has done so', async () => {
    const ann = await signInHeld();
    expect(ann.body.data.mustEnrol).toBe(true);
    expect(await documents(ann.token)).toMatchObject({
      status: 403,
      body: {
        error: {
          code: 'ENROLMENT_REQUIRED',
          message: 'Your role requires a second factor: set one up first, at /enrol.',
        },
      },
    });
    expect((await me(ann.token)).status).toBe(200);
    const { secret } = await enrolTotp(ann);
    expect((await documents(ann.token)).status).toBe(200);
    const again = await signInBoth({ email: ann.email, secret });
    expect(again.body.data.mustEnrol).toBeUndefined();
    expect((await documents(again.body.accessToken)).status).toBe(200);
  });

  it('is refused by every route but those to set it up, verify the address, leave and sign out', async () => {
    const { token } = await signInHeld();
    const routes = (Object.keys(hosts) as Host[]).flatMap(listRoutes);
    const guarded = routes.filter(({ access }) => access !== 'public' && access !== 'optional');
    const letIn: string[] = [];
    for (const { method, path } of guarded.toSorted(
      (a, b) => Number(a.path.endsWith('logout')) - Number(b.path.endsWith('logout')),
    )) {
      const endpoint = `${method} ${path}`;
      const query = { page: 'garbage', sort: 'garbage', transferTo: 'garbage' };
      const { status, body } = await call(endpoint, {
        params: { id: 'garbage' },
        query,
        body: '{"gar',
        token,
      });
      // The tools know API tokens and connected apps alone.
      const isRefused =
        (status === 403 && body.error?.code === 'ENROLMENT_REQUIRED') || path === '/mcp';
      if (!isRefused) letIn.push(endpoint);
    }
    expect(letIn.toSorted()).toMatchInlineSnapshot(`
      [
        "DELETE /api/auth/pending-email",
        "DELETE /api/users/me",
        "GET /api/auth/factors",
        "GET /api/auth/identities",
        "GET /api/auth/me",
        "GET /api/users/me",
        "POST /api/auth/logout",
        "POST /api/auth/passkeys",
        "POST /api/auth/passkeys/options",
        "POST /api/auth/reauthenticate",
        "POST /api/auth/reauthenticate/options",
        "POST /api/auth/send-verification",
        "POST /api/auth/totp",
        "POST /api/auth/totp/confirm",
        "POST /api/auth/verify-email",
        "POST /api/users/me/restore",
      ]
    `);
  });

  it('counts as signed out where sign-in is optional, and pages lead to the page that sets one up', async () => {
    const { token, email } = await signInHeld();
    const other = await newUserOf('user');
    const { id } = (
      await call('POST /api/share', {
        token: other.token,
        body: { content: 'For some', readers: [email] },
      })
    ).body;
    expect(await call('GET /api/share', { token, query: { id } })).toMatchObject({ status: 401 });
    const { cookies = [] } = await login(email);
    const cookie = cookies[0]?.split(';')[0] ?? '';
    const page = await call('GET /dashboard', { cookies: [cookie] });
    expect([page.status, page.headers['location']]).toEqual([303, '/enrol?next=/dashboard']);
    const gate = await call('GET /s/{id}', {
      params: { id },
      cookies: [cookie],
      headers: { accept: 'text/html' },
    });
    expect([gate.status, gate.body.includes(`href="/enrol?next=/s/${id}"`)]).toEqual([401, true]);
  });

  it('stays so after a refresh and after the password, which is no second factor', async () => {
    const ann = await signInHeld();
    const { body } = await refresh(ann.refreshToken);
    expect(body.data.mustEnrol).toBe(true);
    expect(await documents(body.accessToken)).toMatchObject(required);
    expect((await reauthenticate(body.accessToken, { currentPassword: password })).status).toBe(
      200,
    );
    expect(await documents(body.accessToken)).toMatchObject(required);
  });

  it('goes on once its user proves a factor that another session has set up', async () => {
    const ann = await signInHeld();
    const other = (await login(ann.email)).body.accessToken;
    const { codes } = await enrolTotp(ann);
    expect(await documents(other)).toMatchObject(required);
    expect((await reauthenticate(other, { code: codes[0] })).status).toBe(200);
    expect((await documents(other)).status).toBe(200);
  });
});

describe('MFA_REQUIRED_ROLES', () => {
  it('holds at every door: registration, invitation and new passwords', async () => {
    vi.stubEnv('MFA_REQUIRED_ROLES', 'user');
    const { body } = await register(newEmail());
    expect(body.data.mustEnrol).toBe(true);
    expect(await documents(body.accessToken)).toMatchObject(required);

    const { id, email } = await newInvited({ role: 'user' });
    const token = await newInvitationToken(id);
    const invited = await register(email, { token });
    expect(invited.body.data.mustEnrol).toBe(true);
    expect(await documents(invited.body.accessToken)).toMatchObject(required);

    const { id: forgetful } = await newAccount({ role: 'user' });
    const fields = { password: freshPassword, confirmPassword: freshPassword };
    const sent = form({ token: await newResetToken(forgetful), ...fields });
    const origin = 'https://handbill.test';
    const headers = { ...sent.headers, host: 'handbill.test', origin };
    const { cookies = [] } = await call('POST /reset', { ...sent, headers });
    const cookie = cookies[0]?.split(';')[0] ?? '';
    const get = { cookies: [cookie], headers: { 'sec-fetch-site': 'same-origin' } };
    expect(await call('GET /api/documents', get)).toMatchObject(required);
  });

  it('leaves other roles, existing sessions and API tokens alone, and those who have a factor', async () => {
    vi.stubEnv('MFA_REQUIRED_ROLES', '');
    const [admin, user] = [await newUserOf('admin'), await newUserOf('user')];
    const { token } = (await createApiToken(admin.token)).body.data;
    vi.stubEnv('MFA_REQUIRED_ROLES', 'admin');
    for (const one of [admin.token, user.token, token]) {
      expect((await documents(one)).status).toBe(200);
    }
    expect((await login(user.email)).body.data.mustEnrol).toBeUndefined();
    const later = await login(admin.email);
    expect(later.body.data.mustEnrol).toBe(true);
    vi.stubEnv('MFA_REQUIRED_ROLES', '');
    const enrolled = await newTotpUser('admin');
    vi.stubEnv('MFA_REQUIRED_ROLES', 'admin');
    expect((await signInBoth(enrolled)).body.data.mustEnrol).toBeUndefined();
  });

  it('lets the last super_admin remove the factor, who sets one up at the next sign-in', async () => {
    vi.stubEnv('MFA_REQUIRED_ROLES', '');
    const root = await newTotpUser('super_admin');
    vi.stubEnv('MFA_REQUIRED_ROLES', 'super_admin');
    const { token } = (await signInBoth(root)).body;
    expect((await removeTotp(token)).status).toBe(200);
    expect((await documents(token)).status).toBe(200);
    const { body } = await login(root.email);
    expect(body.data.mustEnrol).toBe(true);
    expect((await readFactors(body.accessToken)).status).toBe(200);
    await enrolTotp({ ...root, token: body.accessToken });
    expect((await documents(body.accessToken)).status).toBe(200);
  });
});
