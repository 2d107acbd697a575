import { afterEach, describe, expect, it, vi } from 'vitest';
import { signToken } from '../../../shared/auth/tokens.ts';
import { connectApp } from '../../support/mcp/connected-app.ts';
import { legacy, modern, post } from '../../support/mcp/messages.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { login } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
afterEach(() => vi.unstubAllEnvs());

const { user } = usePeople({ user: 'user' });

const hour = 3_600_000;
const metadata =
  'resource_metadata="https://handbill.test/.well-known/oauth-protected-resource/mcp"';
const missing = 'The access token is missing, invalid or expired.';
const rejected = `Bearer error="invalid_token", ${metadata}, error_description="${missing}"`;

const unauthorized = (challenge: string) => ({
  status: 401,
  headers: { 'www-authenticate': challenge, 'content-type': 'application/json; charset=utf-8' },
  body: {
    jsonrpc: '2.0',
    error: {
      code: 401,
      message: missing,
      data: { code: 'UNAUTHORIZED', requestId: expect.any(String) },
    },
  },
});

describe('POST /mcp', () => {
  it('takes the access token of a session and an API token', async () => {
    const { token } = (await createApiToken(user.token, { permissions: ['shares:view'] })).body
      .data;
    expect(await legacy(user.token, 'ping')).toMatchObject({ status: 200 });
    expect(await legacy(token, 'ping')).toMatchObject({ status: 200 });
  });

  it('leads to the metadata without a token', async () => {
    const answer = await legacy(undefined, 'ping');
    expect(answer).toMatchObject(unauthorized(`Bearer ${metadata}`));
  });

  it('never reads the session cookie', async () => {
    const { cookies = [] } = await login(user.email);
    const [cookie = ''] = cookies.map((one) => one.split(';')[0]);
    expect(cookie).toMatch(/^__Host-session=/);
    const sent = { cookies: [cookie], headers: { 'sec-fetch-site': 'same-origin' } };
    expect(await call('GET /api/auth/me', sent)).toMatchObject({ status: 200 });
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect(await post(message, sent)).toMatchObject(unauthorized(`Bearer ${metadata}`));
  });

  it.each([
    ['a forged token', async () => `${user.token}x`],
    ['an unknown API token', async () => `hb_${user.id}.${'a'.repeat(43)}`],
    ['a refresh token', async () => (await login(user.email)).body.refreshToken],
    ['a token of another kind', () => signToken('session', { sub: '1', sid: 'a' }, hour)],
    ['a text', async () => 'secret'],
  ])('rejects %s', async (_, getToken) => {
    const token = await getToken();
    expect(await legacy(token, 'ping')).toMatchObject(unauthorized(rejected));
  });

  it('rejects credentials of another scheme', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const headers = { authorization: `Basic ${btoa(`${user.email}:secret`)}` };
    expect(await post(message, { headers })).toMatchObject(unauthorized(`Bearer ${metadata}`));
  });

  it.each([
    ['no origin', {}, '', 200],
    ['its own origin', { origin: 'https://handbill.test' }, '', 200],
    ['a foreign origin', { origin: 'https://evil.example' }, 'https://good.example', 403],
    ['a hidden origin', { origin: 'null' }, '', 403],
    ['a look-alike', { origin: 'https://handbill.test.evil.example' }, '', 403],
    ['the origin of snippets', { origin: 'https://snippets.test' }, '', 403],
    ['an allowed one', { origin: 'https://b.example' }, 'https://a.example,https://b.example', 200],
    ['any, where all may', { origin: 'https://evil.example' }, '*', 200],
  ])('from %s', async (_, headers, allowed, status) => {
    vi.stubEnv('CORS_ORIGINS', allowed);
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const answer = await post(message, { token: user.token, headers });
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.body).toMatchObject({
      jsonrpc: '2.0',
      error: { code: 403, message: 'Pages of this origin can’t call tools.' },
    });
  });

  it('tells a foreign page nothing of its token', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const headers = { origin: 'https://evil.example' };
    expect(await post(message, { token: 'hb_1.x', headers })).toMatchObject({ status: 403 });
  });

  it('refuses users who must verify their address first', async () => {
    vi.stubEnv('EMAIL_VERIFICATION', 'required');
    vi.stubEnv('MAIL_FROM', 'handbill@example.com');
    expect(await legacy(user.token, 'ping')).toMatchObject({
      status: 403,
      body: { jsonrpc: '2.0', error: { code: 403, data: { code: 'VERIFICATION_REQUIRED' } } },
    });
  });
});

describe('the access token of a connected app', () => {
  it('opens POST /mcp and nothing else', async () => {
    const token = await connectApp(user);
    expect(await modern(token, 'server/discover')).toMatchObject({ status: 200 });
    const others = await Promise.all([
      call('GET /api/auth/me', { token }),
      call('POST /api/share', { token, body: { content: 'x' } }),
      call('GET /api/share', { token, query: { mine: 'true' } }),
    ]);
    expect(others.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it.each([
    ['is revoked', { revokedAt: '2026-11-21T12:00:00.000Z' }],
    ['was allowed before the tokens of the user ended', { epoch: -1 }],
    ['has no such login', { logins: {} }],
  ])('is refused if the app %s', async (_, changed) => {
    const token = await connectApp(user, changed);
    expect(await legacy(token, 'ping')).toMatchObject(unauthorized(rejected));
  });
});
