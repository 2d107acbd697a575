import { describe, expect, it } from 'vitest';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken, me } from '../../support/users/account.ts';
import { login, newPerson, newUserOf, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

type Part = 'sessions' | 'tokens';

const listOf = (part: Part) => (actor: Person, id: number | string) =>
  call(`GET /api/users/{id}/${part}`, { token: actor.token, params: { id: String(id) } });
const [sessionsOf, tokensOf] = [listOf('sessions'), listOf('tokens')];
const endSession = (actor: Person, id: number, sessionId: string) =>
  call('DELETE /api/users/{id}/sessions/{sessionId}', {
    token: actor.token,
    params: { id: String(id), sessionId },
  });
const endAll = (actor: Person, id: number) =>
  call('DELETE /api/users/{id}/sessions', { token: actor.token, params: { id: String(id) } });
const endToken = (actor: Person, id: number, tokenId: number) =>
  call('DELETE /api/users/{id}/tokens/{tokenId}', {
    token: actor.token,
    params: { id: String(id), tokenId: String(tokenId) },
  });
const mint = async ({ token }: Person, name = 'Nightly script') =>
  (await createApiToken(token, { name })).body.data;
const meStatus = async (token: string) => (await me(token)).status;
const admin = () => newUserOf('admin');

describe('a user’s sessions', () => {
  it('are listed as the user sees them, none of them as the admin’s', async () => {
    const [root, ann] = [await admin(), await newPerson()];
    await login(ann.email);
    const { status, body } = await sessionsOf(root, ann.id);
    const own = (await call('GET /api/auth/sessions', { token: ann.token })).body.data;
    expect(status).toBe(200);
    expect(own).toHaveLength(2);
    expect(body.data).toEqual(own.map((session: object) => ({ ...session, current: false })));
  });

  it('show an admin which is the own one', async () => {
    const root = await admin();
    expect((await sessionsOf(root, root.id)).body.data).toMatchObject([{ current: true }]);
  });

  it('end one by one, immediately', async () => {
    const [root, ann] = [await admin(), await newPerson()];
    const other = (await login(ann.email)).body.accessToken;
    const { data } = (await call('GET /api/auth/sessions', { token: other })).body;
    const { id } = data.find(({ current }: { current: boolean }) => current);
    expect(await endSession(root, ann.id, id)).toMatchObject({
      status: 200,
      body: { success: true, data: { id }, message: 'Session ended' },
    });
    expect([await meStatus(other), await meStatus(ann.token)]).toEqual([401, 200]);
    expect(await endSession(root, ann.id, id)).toMatchObject({ status: 404 });
    expect(await entriesAbout(`user:${ann.id}`)).toContainEqual(
      expect.objectContaining({
        action: 'session.revoke',
        actorId: root.id,
        before: { session: id },
      }),
    );
  });

  it('end all at once, without the API tokens', async () => {
    const [root, ann] = [await admin(), await newPerson()];
    const other = (await login(ann.email)).body.accessToken;
    const { token } = await mint(ann);
    expect(await endAll(root, ann.id)).toMatchObject({
      status: 200,
      body: { success: true, data: {}, message: 'Sessions ended' },
    });
    expect([await meStatus(ann.token), await meStatus(other), await meStatus(token)]).toEqual([
      401, 401, 200,
    ]);
    expect((await sessionsOf(root, ann.id)).body.data).toEqual([]);
    expect(await entriesAbout(`user:${ann.id}`)).toContainEqual(
      expect.objectContaining({
        action: 'session.revoke',
        actorId: root.id,
        before: { sessions: 'all' },
      }),
    );
    expect((await login(ann.email)).status).toBe(200);
  });

  it('are found for their own user only', async () => {
    const [root, ann, bob] = [await admin(), await newPerson(), await newPerson()];
    const [{ id }] = (await call('GET /api/auth/sessions', { token: bob.token })).body.data;
    expect(await endSession(root, ann.id, id)).toMatchObject({ status: 404 });
    expect(await meStatus(bob.token)).toBe(200);
  });
});

describe('a user’s API tokens', () => {
  it('are listed without the secret part', async () => {
    const [root, ann] = [await admin(), await newPerson()];
    const { token: secret, ...shown } = await mint(ann);
    const { status, body } = await tokensOf(root, ann.id);
    expect([status, body.data]).toEqual([200, [shown]]);
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('end one by one, immediately', async () => {
    const [root, ann] = [await admin(), await newPerson()];
    const [first, second] = [await mint(ann), await mint(ann)];
    expect(await endToken(root, ann.id, first.id)).toMatchObject({
      status: 200,
      body: { success: true, data: { id: first.id }, message: 'Token revoked' },
    });
    expect([await meStatus(first.token), await meStatus(second.token)]).toEqual([401, 200]);
    expect(await endToken(root, ann.id, first.id)).toMatchObject({ status: 404 });
    expect(await entriesAbout(`token:${first.id}`)).toContainEqual(
      expect.objectContaining({
        action: 'token.revoke',
        actorId: root.id,
        before: { userId: ann.id, name: 'Nightly script', permissions: null, expiresAt: null },
      }),
    );
  });

  it('are found for their own user only', async () => {
    const [root, ann, bob] = [await admin(), await newPerson(), await newPerson()];
    const { id, token } = await mint(bob);
    expect(await endToken(root, ann.id, id)).toMatchObject({ status: 404 });
    expect(await meStatus(token)).toBe(200);
  });
});

describe('the sessions and API tokens of a user', () => {
  const tryAll = async (actor: Person, target: Person, session: string, token: number) =>
    [
      await sessionsOf(actor, target.id),
      await tokensOf(actor, target.id),
      await endSession(actor, target.id, session),
      await endToken(actor, target.id, token),
      await endAll(actor, target.id),
    ].map(({ status }) => status);

  it.each([
    ['an admin', 'of a user', 'user', [], 200],
    ['an admin', 'of a super_admin', 'super_admin', [], 403],
    ['a guest with users:update', 'of a guest', 'guest', ['users:update'], 200],
    ['a guest with users:update', 'of a user', 'user', ['users:update'], 403],
    ['a guest with users:view', 'of a guest', 'guest', ['users:view'], 403],
  ] as const)('answer %s %s', async (_, __, role, extraPermissions, expected) => {
    const actor = await (extraPermissions.length > 0
      ? newUserOf('guest', { extraPermissions })
      : admin());
    const target = await newUserOf(role);
    const [{ id: session }] = (await call('GET /api/auth/sessions', { token: target.token })).body
      .data;
    const { id: token } = await mint(target);
    expect(await tryAll(actor, target, session, token)).toEqual(Array(5).fill(expected));
    expect(await meStatus(target.token)).toBe(expected === 200 ? 401 : 200);
  });

  it('are unknown for an unknown user', async () => {
    const root = await admin();
    expect(await tryAll(root, { ...root, id: 5 }, 'x', 5)).toEqual(Array(5).fill(404));
    expect((await sessionsOf(root, 'abc')).status).toBe(404);
  });

  it('can be managed by an API token that may update users', async () => {
    const [root, ann] = [await admin(), await newPerson()];
    const { data } = (await createApiToken(root.token, { permissions: ['users:update'] })).body;
    const script = { ...root, token: data.token };
    expect((await sessionsOf(script, ann.id)).body.data).toMatchObject([{ current: false }]);
    expect(await endAll(script, ann.id)).toMatchObject({ status: 200 });
    expect(await meStatus(ann.token)).toBe(401);
  });

  it('can’t be managed by an API token of that very user', async () => {
    const root = await admin();
    const { data } = (await createApiToken(root.token, { permissions: ['users:*'] })).body;
    const [{ id: session }] = (await sessionsOf(root, root.id)).body.data;
    const script = { ...root, token: data.token };
    expect(await tryAll(script, root, session, data.id)).toEqual(Array(5).fill(403));
    expect(await tryAll(root, root, session, data.id)).toEqual([200, 200, 200, 401, 401]);
  });
});
