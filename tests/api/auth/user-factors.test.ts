import { describe, expect, it } from 'vitest';
import { listed } from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken, me } from '../../support/users/account.ts';
import { createUser } from '../../support/users/administration.ts';
import { codeOf } from '../../support/users/authenticator.ts';
import {
  firstStep,
  newTotpUser,
  nextCode,
  readFactors,
  reauthenticate,
  secondStep,
  signInBoth,
} from '../../support/users/factors.ts';
import { login, newPerson, newUserOf, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const minute = 60_000;

const on = (id: number | string) => ({ params: { id: String(id) } });
const factorsOf = ({ token }: Pick<Person, 'token'>, id: number | string) =>
  call('GET /api/users/{id}/factors', { token, ...on(id) });
const reset = ({ token }: Pick<Person, 'token'>, id: number | string) =>
  call('DELETE /api/users/{id}/factors', { token, ...on(id) });

const none = { totp: null, passkeys: [], recoveryCodes: null };

describe('GET /api/users/{id}/factors', () => {
  it('returns what the user sees, and no secret', async () => {
    const [root, ann] = [await newUserOf('admin'), await newTotpUser('user')];
    const { status, body } = await factorsOf(root, ann.id);
    const seen = (await readFactors(ann.token)).body.data;
    expect([status, body.data]).toEqual([200, { ...seen, identities: [] }]);
    expect(body.data).toMatchObject({ totp: {}, recoveryCodes: { left: 10 } });
    expect(JSON.stringify(body)).not.toContain(ann.secret);
    expect((await factorsOf(root, (await newPerson()).id)).body.data).toEqual({
      ...none,
      identities: [],
    });
  });

  it('refuses those of a higher rank, and the token of their owner', async () => {
    const [root, admin] = [await newTotpUser('super_admin'), await newUserOf('admin')];
    expect(await factorsOf(admin, root.id)).toMatchObject({ status: 403 });
    const { token } = (await createApiToken(admin.token)).body.data;
    expect(await factorsOf({ token }, admin.id)).toMatchObject({ status: 403 });
    expect(await factorsOf(admin, 1)).toMatchObject({ status: 404 });
  });
});

describe('DELETE /api/users/{id}/factors', () => {
  it('lets a user in by the password alone, who is told; sessions stay', async () => {
    const [root, ann] = [await newUserOf('admin'), await newTotpUser('user')];
    const mfaToken = await firstStep(ann.email);
    const trusted = await signInBoth(ann, { body: { remember: true } });
    const device = trusted.cookies?.find((one) => one.startsWith('__Host-device='))?.split(';')[0];
    expect(await login(ann.email, undefined, { cookies: [device ?? ''] })).toMatchObject({
      body: { accessToken: expect.any(String) },
    });

    expect(await reset(root, ann.id)).toMatchObject({
      status: 200,
      body: { success: true, data: none, message: 'Second factors removed' },
    });
    const signedIn = await login(ann.email);
    expect(signedIn).toMatchObject({ status: 200, body: { accessToken: expect.any(String) } });
    expect((await readFactors(signedIn.body.accessToken)).body.data).toEqual(none);
    expect((await me(ann.token)).status).toBe(200);
    // What was begun before is worth nothing, also with a right code.
    expect(await secondStep(mfaToken, nextCode(ann.secret))).toMatchObject({ status: 401 });
    await settleJobs();
    expect((await listed({ token: ann.token })).items).toContainEqual(
      expect.objectContaining({ type: 'alert', title: 'Your second factors were removed' }),
    );
    expect(await entriesAbout(`user:${ann.id}`)).toContainEqual(
      expect.objectContaining({
        action: 'factor.reset',
        actorId: root.id,
        before: { secondFactors: ['totp'] },
      }),
    );
    expect(await reset(root, ann.id)).toMatchObject({
      status: 404,
      body: errorBody('NOT_FOUND', 'This user has no second factor.'),
    });
  });

  it('doesn’t trust a device again that was trusted before', async () => {
    const [root, ann] = [await newUserOf('admin'), await newTotpUser('user')];
    const { cookies } = await signInBoth(ann, { body: { remember: true } });
    const device = cookies?.find((one) => one.startsWith('__Host-device='))?.split(';')[0] ?? '';
    await reset(root, ann.id);
    const { body } = await login(ann.email);
    const begun = await call('POST /api/auth/totp', { token: body.accessToken, body: {} });
    const { secret } = begun.body.data;
    await call('POST /api/auth/totp/confirm', {
      token: body.accessToken,
      body: { code: codeOf(secret) },
    });
    expect(await login(ann.email, undefined, { cookies: [device] })).toMatchObject({
      body: { data: { mfaRequired: true } },
    });
  });

  it('refuses those of a higher rank, oneself, API tokens and unknown users', async () => {
    const [root, admin] = [await newTotpUser('super_admin'), await newTotpUser('admin')];
    const by = { token: (await signInBoth(admin)).body.accessToken };
    expect(await reset(by, root.id)).toMatchObject({
      status: 403,
      body: { error: { message: 'Only super_admin users can modify super_admin users.' } },
    });
    expect(await reset(by, admin.id)).toMatchObject({
      status: 403,
      body: {
        error: { message: 'Remove your own second factors on the page of your account.' },
      },
    });
    const { token } = (await createApiToken(by.token)).body.data;
    expect(await reset({ token }, (await newTotpUser('user')).id)).toMatchObject({
      status: 403,
      body: { error: { message: 'API tokens can’t be used for this request.' } },
    });
    expect(await reset(by, 1)).toMatchObject({ status: 404 });
    expect((await factorsOf(root, admin.id)).body.data).toMatchObject({ totp: {} });
  });

  it('takes a proof of the last 15 minutes: the password of who has no second factor', async () => {
    const [root, ann] = [await newUserOf('admin'), await newTotpUser('user')];
    pass(16 * minute);
    const { accessToken } = (
      await call('POST /api/auth/refresh', { body: { refreshToken: root.refreshToken } })
    ).body;
    const by = { token: accessToken };
    expect(await reset(by, ann.id)).toMatchObject({
      status: 403,
      body: {
        error: { code: 'REAUTHENTICATION_REQUIRED', details: [{ field: 'currentPassword' }] },
      },
    });
    await reauthenticate(by.token, { currentPassword: 'correct horse' });
    expect((await reset(by, ann.id)).status).toBe(200);
  });

  it('takes the second factor of who has one, and no other proof', async () => {
    const [root, ann] = [await newTotpUser('admin'), await newTotpUser('user')];
    const { accessToken: token, refreshToken } = (await signInBoth(root)).body;
    pass(16 * minute);
    const fresh = (await call('POST /api/auth/refresh', { body: { refreshToken } })).body;
    const refused = {
      status: 403,
      body: { error: { code: 'REAUTHENTICATION_REQUIRED', details: [{ field: 'code' }] } },
    };
    expect(await reset({ token: fresh.accessToken }, ann.id)).toMatchObject(refused);
    expect(await reset({ token }, ann.id)).toMatchObject({ status: 401 });
    await reauthenticate(fresh.accessToken, { currentPassword: 'correct horse' });
    expect(await reset({ token: fresh.accessToken }, ann.id)).toMatchObject(refused);
    await reauthenticate(fresh.accessToken, { code: nextCode(root.secret) });
    expect((await reset({ token: fresh.accessToken }, ann.id)).status).toBe(200);
  });
});

describe('rights of users, changed by someone with a second factor', () => {
  it('take a proof of the last 15 minutes to create a user above the least', async () => {
    const root = await newTotpUser('super_admin');
    const { refreshToken } = (await signInBoth(root)).body;
    pass(16 * minute);
    const { accessToken: token } = (
      await call('POST /api/auth/refresh', { body: { refreshToken } })
    ).body;
    const refused = { status: 403, body: { error: { code: 'REAUTHENTICATION_REQUIRED' } } };
    expect((await createUser({ token })).status).toBe(201);
    expect((await createUser({ token }, { role: 'guest', permissions: [] })).status).toBe(201);
    expect(await createUser({ token }, { role: 'admin' })).toMatchObject(refused);
    expect(await createUser({ token }, { permissions: ['documents:create'] })).toMatchObject(
      refused,
    );
    await reauthenticate(token, { code: nextCode(root.secret) });
    expect((await createUser({ token }, { role: 'admin' })).status).toBe(201);
  });

  it('take nothing more from an API token, which took a proof itself, or without a second factor', async () => {
    const root = await newTotpUser('super_admin');
    const { token } = (await createApiToken((await signInBoth(root)).body.accessToken)).body.data;
    pass(16 * minute);
    expect((await createUser({ token }, { role: 'admin' })).status).toBe(201);
    const other = await newUserOf('super_admin');
    pass(14 * minute);
    expect((await createUser(other, { role: 'admin' })).status).toBe(201);
  });
});
