import { beforeEach, describe, expect, it } from 'vitest';
import { countPublished } from '../../../functions/api/share/record/ceiling.ts';
import { hosts, listRoutes } from '../../../functions/routes.ts';
import { authenticateApp } from '../../../shared/auth/app.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { listEndpoints } from '../../../shared/http/fallback.ts';
import type { Host } from '../../../shared/http/host.ts';
import {
  type AppTokens,
  appsOf,
  bodyOf,
  connect,
  decide,
  newClient,
  refreshApp,
  restoreApp,
  revokeApp,
} from '../../support/apps/apps.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { form } from '../../support/service/form.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
const { ann, bob } = useNewPeople({ ann: 'user', bob: 'user' });

const minuteMs = 60_000;
const notFound = { status: 404, body: errorBody('NOT_FOUND', 'Connected app not found.') };

const use = ({ access }: AppTokens): Promise<number> =>
  authenticateApp(access).then(
    () => 200,
    () => 401,
  );

const storedOf = async (userId: number) =>
  (await itemsOf(`USER#${userId}`)).filter(({ sk }) => /^APP(CODE)?#/.test(String(sk)));

// Apps of the same millisecond may have the same id.
beforeEach(() => pass(1));

describe('GET /api/apps', () => {
  it('lists the latest first, with the use of each to the hour', async () => {
    const first = await connect(ann, await newClient('https://app.example/cb', 'Claude'));
    pass(minuteMs);
    await connect(ann, await newClient());
    expect(await appsOf(ann)).toMatchObject([
      { name: 'Notebook', host: 'localhost', lastUsedAt: null },
      { name: 'Claude', host: 'app.example', lastUsedAt: null },
    ]);
    await use(first);
    const usedAt = new Date().toISOString();
    pass(59 * minuteMs);
    await use(first);
    await signInAgain(ann);
    expect((await appsOf(ann))[1].lastUsedAt).toBe(usedAt);
    expect(await appsOf(await signInAgain(bob))).toEqual([]);
  });

  it('counts the shares that an app created today', async () => {
    const { access } = await connect(ann);
    for (const _ of [1, 2]) await transact([countPublished(await authenticateApp(access))]);
    expect((await appsOf(ann))[0].sharesToday).toBe(2);
    pass(13 * 60 * minuteMs);
    expect((await appsOf(await signInAgain(ann)))[0].sharesToday).toBe(0);
  });

  it('lists no app whose last login has ended', async () => {
    await connect(ann);
    pass(30 * 24 * 60 * minuteMs + 1_000);
    expect(await appsOf(await signInAgain(ann))).toEqual([]);
  });
});

describe('DELETE /api/apps/{id}', () => {
  it('ends the app at once, which is audited, and once', async () => {
    const tokens = await connect(ann);
    const [app] = await appsOf(ann);
    pass(1_000);
    const answers = await Promise.all([revokeApp(ann, app.id), revokeApp(ann, app.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({
      success: true,
      data: { id: app.id },
      message: 'App revoked',
    });
    expect(await use(tokens)).toBe(401);
    expect(await appsOf(ann)).toEqual([]);
    expect(await revokeApp(ann, app.id)).toMatchObject(notFound);
    const entries = await entriesAbout(`app:${app.id}`);
    expect(entries.map(({ action }) => action)).toEqual(['app.allow', 'app.revoke']);
    expect(entries[1]).toMatchObject({ subjectName: 'Notebook', before: { host: 'localhost' } });
  });

  it('returns 404 for the app of another user, which stays', async () => {
    const tokens = await connect(ann);
    const [{ id }] = await appsOf(ann);
    expect(await revokeApp(bob, id)).toMatchObject(notFound);
    expect(await restoreApp(bob, id)).toMatchObject(notFound);
    expect(await use(tokens)).toBe(200);
  });
});

describe('POST /api/apps/{id}/restore', () => {
  it('takes back a revocation of the last minute, with its logins', async () => {
    const tokens = await connect(ann);
    const [app] = await appsOf(ann);
    pass(1_000);
    await revokeApp(ann, app.id);
    pass(minuteMs - 1);
    expect(await restoreApp(ann, app.id)).toMatchObject({
      status: 200,
      body: { data: app, message: 'App restored' },
    });
    expect(await use(tokens)).toBe(200);
    expect((await refreshApp(tokens.client, tokens.refresh)).status).toBe(200);
    expect(await restoreApp(ann, app.id)).toMatchObject(notFound);
    pass(1);
    await revokeApp(ann, app.id);
    pass(minuteMs);
    expect(await restoreApp(ann, app.id)).toMatchObject(notFound);
    const actions = (await entriesAbout(`app:${app.id}`)).map(({ action }) => action);
    expect(actions).toEqual(['app.allow', 'app.revoke', 'app.restore', 'app.revoke']);
  });

  it('makes no 51st app', async () => {
    await decide(ann, bodyOf(await newClient()));
    const [{ id }] = await appsOf(ann);
    await revokeApp(ann, id);
    for (let at = 0; at < 50; at += 1) await decide(ann, bodyOf(await newClient()));
    expect(await restoreApp(ann, id)).toMatchObject({ status: 409 });
    expect(await appsOf(ann)).toHaveLength(50);
  });
});

describe('POST /oauth/revoke', () => {
  const revoke = (token: string, fields = {}) =>
    call('POST /oauth/revoke', form({ token, ...fields }));

  it.each(['access', 'refresh'] as const)('ends the login of an %s token', async (kind) => {
    const tokens = await connect(ann);
    const other = await connect(ann, tokens.client);
    const fields = { client_id: tokens.client.id, token_type_hint: 'refresh_token' };
    expect(await revoke(tokens[kind], fields)).toMatchObject({ status: 200, body: {} });
    expect([await use(tokens), await use(other)]).toEqual([401, 200]);
    expect((await refreshApp(tokens.client, tokens.refresh)).status).toBe(400);
    expect((await revoke(tokens[kind])).status).toBe(200);
    const [{ id }] = await appsOf(ann);
    const ends = (await entriesAbout(`app:${id}`)).filter(({ action }) => action === 'app.end');
    expect(ends).toMatchObject([{ after: { endedBy: 'client' } }]);
  });

  it('does nothing for another client or an unknown token', async () => {
    const tokens = await connect(ann);
    const client_id = (await newClient()).id;
    expect((await revoke(tokens.refresh, { client_id })).status).toBe(200);
    expect((await revoke('garbage')).status).toBe(200);
    expect((await revoke(ann.token)).status).toBe(200);
    expect(await use(tokens)).toBe(200);
    expect(await revoke('')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: 'token is required.' },
    });
  });
});

describe('the token of an app', () => {
  it('opens no other route, neither as bearer nor as cookie', async () => {
    const { access, refresh } = await connect(ann, undefined, {
      scope: 'shares:view documents:view',
      permissions: ['shares:view', 'documents:view'],
    });
    const guarded = (Object.keys(hosts) as Host[])
      .flatMap(listRoutes)
      .filter(({ access: who, path }) => who !== 'public' && who !== 'optional' && path !== '/mcp');
    expect(guarded.length).toBeGreaterThan(100);
    for (const { method, path } of listEndpoints(guarded)) {
      for (const token of [access, refresh]) {
        const asBearer = await call(`${method} ${path}`, { token });
        const cookies = [`__Host-session=${token}`];
        const asCookie = await call(`${method} ${path}`, { cookies });
        expect([path, asBearer.status, asCookie.status]).toEqual([path, 401, 401]);
      }
    }
  });

  it('counts as signed out where signing in is optional', async () => {
    const { access } = await connect(ann);
    const { status, headers } = await call('GET /account', {
      cookies: [`__Host-session=${access}`],
    });
    expect([status, headers['location']]).toEqual([303, expect.stringContaining('/login')]);
  });
});

it('removes apps and codes with their user', async () => {
  const admin = await newUserOf('super_admin');
  await connect(ann);
  expect(await storedOf(ann.id)).toHaveLength(2);
  await removeUser(admin, ann.id);
  expect(await storedOf(ann.id)).toEqual([]);
});
