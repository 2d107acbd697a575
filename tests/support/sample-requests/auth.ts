import {
  createInvitationLink,
  createResetLink,
} from '../../../functions/api/users/account/password-link.ts';
import { create } from '../../../functions/api/users/record/users.ts';
import { systemAudit } from '../../../shared/audit/audit-log.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { call } from '../service/call.ts';
import { newUndoToken } from '../users/links.ts';
import { login, password, register } from '../users/test-users.ts';
import { form, newUser, nextEmail, params, type TypicalCalls } from './sample-request.ts';

const fresh = 'battery staple';
const tokenOf = (link: string | undefined) => new URL(link ?? '').searchParams.get('token') ?? '';
const mint = async (token: string) =>
  (await call('POST /api/auth/tokens', { token, body: { name: 'Nightly script' } })).body.data;

/** Creates a user without sign-in attempts. */
const newAccount = async (isInvited: boolean) =>
  create(
    {
      email: nextEmail(),
      name: 'Ann Example',
      role: 'user',
      ...(!isInvited && { passwordHash: await hashPassword(password) }),
    },
    systemAudit('user.create'),
  );

/** Prepares an admin's request about the sessions or API tokens of a user who has one of each. */
const aboutAccess =
  (endpoint: string, part: Readonly<Record<string, 'session' | 'apiToken'>> = {}) =>
  async () => {
    const [{ token }, user] = [await newUser('admin'), await newUser()];
    const [session] = (await call('GET /api/auth/sessions', { token: user.token })).body.data;
    const ids = { session: session.id, apiToken: (await mint(user.token)).id };
    const others = Object.entries(part).map(([name, kind]) => [name, String(ids[kind])]);
    const path = { id: String(user.id), ...Object.fromEntries(others) };
    return () => call(endpoint, { token, params: path });
  };

const ofSession = (endpoint: string, body?: unknown) => async () => {
  const { token } = await newUser();
  return () => call(endpoint, { token, body });
};

export const authCalls: TypicalCalls = {
  'POST /api/auth/register': async () => () => register(nextEmail()),
  'POST /api/auth/login': async () => {
    const { email } = await newAccount(false);
    return () => login(email);
  },
  'POST /api/auth/login (from a new network)': async () => {
    const email = nextEmail();
    await register(email);
    const body = { email, password };
    return () => call('POST /api/auth/login', { body, address: '198.51.100.1' });
  },
  'POST /api/auth/refresh': async () => {
    const { refreshToken } = await newUser();
    return () => call('POST /api/auth/refresh', { body: { refreshToken } });
  },
  'POST /api/auth/logout': ofSession('POST /api/auth/logout'),
  'GET /api/auth/me': ofSession('GET /api/auth/me'),
  'POST /api/auth/forgot-password': async () => {
    const { email } = await newAccount(false);
    return () => call('POST /api/auth/forgot-password', { body: { email } });
  },
  'POST /api/auth/reset-password': async () => {
    const body = { token: tokenOf(await createResetLink((await newUser()).id)), password: fresh };
    return () => call('POST /api/auth/reset-password', { body });
  },
  'GET /reset': async () => {
    const token = tokenOf(await createResetLink((await newUser()).id));
    return () => call('GET /reset', { query: { token } });
  },
  'POST /reset': async () => {
    const token = tokenOf(await createResetLink((await newUser()).id));
    const body = form({ token, password: fresh, confirmPassword: fresh });
    return () => call('POST /reset', { body });
  },
  'GET /undo-email': async () => {
    const token = await newUndoToken(nextEmail);
    return () => call('GET /undo-email', { query: { token } });
  },
  'POST /undo-email': async () => {
    const body = form({ token: await newUndoToken(nextEmail) });
    return () => call('POST /undo-email', { body });
  },
  'GET /invite': async () => {
    const token = tokenOf(await createInvitationLink((await newAccount(true)).id));
    return () => call('GET /invite', { query: { token } });
  },
  'POST /invite': async () => {
    const token = tokenOf(await createInvitationLink((await newAccount(true)).id));
    const body = form({ token, password: fresh, confirmPassword: fresh });
    return () => call('POST /invite', { body });
  },
  'GET /api/auth/sessions': ofSession('GET /api/auth/sessions'),
  'DELETE /api/auth/sessions/{id}': async () => {
    const { token, email } = await newUser();
    const other = (await login(email)).body.accessToken;
    const { data } = (await call('GET /api/auth/sessions', { token: other })).body;
    const { id } = data.find(({ current }: { current: boolean }) => current);
    return () => call('DELETE /api/auth/sessions/{id}', { token, ...params(id) });
  },
  'POST /api/auth/tokens': ofSession('POST /api/auth/tokens', { name: 'Nightly script' }),
  'GET /api/auth/tokens': async () => {
    const { token } = await newUser();
    await mint(token);
    return () => call('GET /api/auth/tokens', { token });
  },
  'DELETE /api/auth/tokens/{id}': async () => {
    const { token } = await newUser();
    const { id } = await mint(token);
    return () => call('DELETE /api/auth/tokens/{id}', { token, ...params(id) });
  },
  'GET /api/users/{id}/sessions': aboutAccess('GET /api/users/{id}/sessions'),
  'DELETE /api/users/{id}/sessions': aboutAccess('DELETE /api/users/{id}/sessions'),
  'DELETE /api/users/{id}/sessions/{sessionId}': aboutAccess(
    'DELETE /api/users/{id}/sessions/{sessionId}',
    { sessionId: 'session' },
  ),
  'GET /api/users/{id}/tokens': aboutAccess('GET /api/users/{id}/tokens'),
  'DELETE /api/users/{id}/tokens/{tokenId}': aboutAccess(
    'DELETE /api/users/{id}/tokens/{tokenId}',
    { tokenId: 'apiToken' },
  ),
  'PUT /api/auth/password': ofSession('PUT /api/auth/password', {
    currentPassword: password,
    password: fresh,
  }),
};
