import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { authenticate } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { can, permissions, roles } from '../../../shared/permissions/permissions.ts';
import { getEffectivePermissions } from '../../../shared/permissions/roles.ts';
import fc from '../../support/run/properties.ts';
import { call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { changePassword, createApiToken, me, resetPassword } from '../../support/users/account.ts';
import { changeUser, createUser } from '../../support/users/administration.ts';
import { newResetToken } from '../../support/users/links.ts';
import { login, newPerson, newUserOf, password } from '../../support/users/test-users.ts';

useTable();
afterEach(() => vi.useRealTimers());

const dayMs = 86_400_000;
const mintToken = async (token: string, body: Record<string, unknown> = {}): Promise<string> =>
  (await createApiToken(token, body)).body.data.token;
const list = async (token: string) => (await call('GET /api/auth/tokens', { token })).body.data;
const revoke = (token: string, id: unknown) =>
  call('DELETE /api/auth/tokens/{id}', { token, params: { id: String(id) } });
const storedTokens = async (userId: number) =>
  (await itemsOf(`USER#${userId}`)).filter(({ sk }) => String(sk).startsWith('TOKEN#'));
const reset = async (userId: number) => resetPassword(await newResetToken(userId), { password });

describe('POST /api/auth/tokens', () => {
  it('returns the token once and stores only its SHA-256', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00Z') });
    const { id, token } = await newPerson();
    const { status, body } = await createApiToken(token, {
      name: ' Nightly script ',
      permissions: ['files:view', 'files:view', 'documents:view'],
      expiresInDays: 90,
    });
    expect(status).toBe(201);
    const shown = {
      id: expect.any(Number),
      name: 'Nightly script',
      permissions: ['files:view', 'documents:view'],
      ceiling: null,
      expiresAt: '2027-02-19T12:00:00.000Z',
      createdAt: '2026-11-21T12:00:00.000Z',
      lastUsedAt: null,
    };
    expect(body).toEqual({
      success: true,
      data: { ...shown, token: expect.stringMatching(/^hb_[0-9a-z]+_[0-9a-f]{56}$/) },
      message: 'Copy the token now. It won’t be shown again.',
    });
    expect(await list(token)).toEqual([{ ...shown, id: body.data.id }]);
    const secret = body.data.token.split('_')[2];
    const everything = JSON.stringify(await itemsOf(''));
    expect(everything).not.toContain(secret.slice(0, 16));
    expect(await storedTokens(id)).toMatchObject([
      { sk: expect.stringMatching(/^TOKEN#[\w-]{43}$/), ttl: Date.parse(shown.expiresAt) / 1_000 },
    ]);
  });

  it('creates a token with all permissions of its owner and no expiration', async () => {
    const owner = await newPerson();
    const { body } = await createApiToken(owner.token);
    expect(body.data).toMatchObject({ permissions: null, expiresAt: null });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_650 * dayMs });
    expect(await me(body.data.token)).toMatchObject({ body: { data: { id: owner.id } } });
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: null }],
    ['permissions.0', { permissions: ['nothing:view'] }],
    ['permissions', { permissions: 'users:view' }],
    ['permissions', { permissions: Array(101).fill('files:view') }],
    ['expiresInDays', { expiresInDays: 0 }],
    ['expiresInDays', { expiresInDays: 1.5 }],
    ['expiresInDays', { expiresInDays: 3_651 }],
  ])('names an invalid %s for %j', async (field, body) => {
    const response = await createApiToken((await newPerson()).token, body);
    expect(response).toMatchObject({ status: 400, body: { error: { details: [{ field }] } } });
  });

  it.each(['*', 'users:*', 'users:view', 'documents:*', 'documents:create'])(
    'rejects %s, which the owner does not have',
    async (entry) => {
      const { id, token } = await newPerson();
      expect(await createApiToken(token, { permissions: ['files:view', entry] })).toMatchObject({
        status: 403,
        body: { error: { message: `You can’t grant ${entry} because you don’t have it.` } },
      });
      expect(await storedTokens(id)).toEqual([]);
    },
  );

  it('creates up to 50 tokens, also for 60 concurrent requests', async () => {
    const { id, token } = await newPerson();
    const responses = await Promise.all(Array.from({ length: 60 }, () => createApiToken(token)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(10);
    expect(await storedTokens(id)).toHaveLength(50);
    expect(await createApiToken(token)).toMatchObject({
      status: 409,
      body: {
        error: { code: 'CONFLICT', message: 'You can have up to 50 API tokens. Revoke one first.' },
      },
    });
    const [newest] = await list(token);
    await revoke(token, newest.id);
    expect(await createApiToken(token)).toMatchObject({ status: 201 });
  });

  it('deletes all ended tokens', async () => {
    const { id, email, token } = await newPerson();
    let session = token;
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 50; at++) await createApiToken(session, { permissions: [] });
      expect(await list(session)).toHaveLength(50);
      await reset(id);
      session = (await login(email)).body.token;
    }
    const { data } = (await createApiToken(session)).body;
    expect(await list(session)).toMatchObject([{ id: data.id }]);
    expect(await storedTokens(id)).toHaveLength(1);
    expect(await revoke(session, data.id)).toMatchObject({ status: 200 });
    expect(await me(data.token)).toMatchObject({ status: 401 });
  });
});

describe('an API token', () => {
  it('expires and is no longer listed', async () => {
    const { token } = await newPerson();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const good = await mintToken(token, { expiresInDays: 1 });
    vi.setSystemTime(Date.now() + dayMs - 1);
    expect(await me(good)).toMatchObject({ status: 200 });
    vi.setSystemTime(Date.now() + 1);
    expect(await me(good)).toMatchObject({ status: 401 });
  });

  it('is revoked immediately, by its owner only', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const { id, token } = (await createApiToken(ann.token)).body.data;
    expect(await revoke(bob.token, id)).toMatchObject({ status: 404 });
    expect(await me(token)).toMatchObject({ status: 200 });
    const { status, body } = await revoke(ann.token, id);
    expect([status, body]).toEqual([
      200,
      { success: true, data: { id }, message: 'Token revoked' },
    ]);
    expect(await me(token)).toMatchObject({ status: 401 });
    expect(await revoke(ann.token, id)).toMatchObject({ status: 404 });
    expect(await revoke(ann.token, 'x')).toMatchObject({ status: 404 });
    expect(await list(ann.token)).toEqual([]);
  });

  it('is listed newest first, with its last use', async () => {
    const { token } = await newPerson();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const first = (await createApiToken(token, { name: 'first' })).body.data;
    vi.setSystemTime(Date.now() + 60_000);
    await createApiToken(token, { name: 'second' });
    expect(await list(token)).toMatchObject([{ name: 'second' }, { id: first.id }]);
  });

  it('ends with a reset of the owner’s password, but not with a change', async () => {
    const { id, token } = await newPerson();
    const apiToken = await mintToken(token);
    expect(await changePassword(token, { password })).toMatchObject({ status: 200 });
    expect(await me(apiToken)).toMatchObject({ status: 200 });
    await reset(id);
    expect(await me(apiToken)).toMatchObject({ status: 401 });
  });

  it('loses permissions with its owner at the next request', async () => {
    const admin = await newUserOf('super_admin');
    const owner = await newUserOf('admin');
    const apiToken = await mintToken(owner.token, { permissions: ['users:*', 'profile:view'] });
    const users = () => call('GET /api/users', { token: apiToken });
    expect(await users()).toMatchObject({ status: 200 });
    await changeUser(admin, owner.id, { role: 'user' });
    expect(await users()).toMatchObject({ status: 403 });
    expect(await me(apiToken)).toMatchObject({ status: 200 });
    await changeUser(admin, owner.id, { status: 'suspended' });
    expect(await me(apiToken)).toMatchObject({ status: 401 });
  });

  it('grants no role and no permission beyond its own', async () => {
    const owner = await newUserOf('super_admin');
    const token = await mintToken(owner.token, {
      permissions: ['users:*', 'dashboard:view', 'files:view'],
    });
    const create = (rights: object) => createUser({ token }, { password, ...rights });
    for (const role of ['super_admin', 'admin', 'user']) {
      expect(await create({ role })).toMatchObject({ status: 403 });
    }
    for (const entry of ['*', 'files:*', 'files:create']) {
      expect(await create({ role: 'guest', permissions: [entry] })).toMatchObject({ status: 403 });
    }
    const made = await create({ role: 'guest', permissions: ['files:view', 'users:*'] });
    expect(made).toMatchObject({ status: 201 });
    const change = (body: object) => changeUser({ token }, made.body.data.id, body);
    expect(await change({ role: 'user' })).toMatchObject({ status: 403 });
    expect(await change({ permissions: ['*'] })).toMatchObject({ status: 403 });
    expect(await change({ name: 'Rob' })).toMatchObject({ status: 200 });
  });

  it('has the permissions that both it and its owner have', async () => {
    const areas = [...new Set(permissions.map((permission) => `${permission.split(':')[0]}:*`))];
    const toEntries = (entries: readonly string[]) =>
      fc.array(fc.constantFrom('*', ...permissions, ...entries), { maxLength: 4 });
    // Of a token, it means the scopes of the owner's shares.
    const Asked = toEntries(areas.filter((area) => area !== 'shares:*'));
    const Entries = toEntries(areas);
    const { id, token } = await newUserOf('super_admin');
    // A caller with all permissions creates it, so any scope is allowed; the owner's permissions are set afterwards.
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...roles), Entries, Asked, async (role, extras, asked) => {
        await rank(id, 'super_admin', []);
        const created = (await createApiToken(token, { permissions: asked })).body.data;
        await rank(id, role, extras);
        const actor = await authenticate({
          method: 'GET',
          headers: { authorization: `Bearer ${created.token}` },
          cookies: [],
          hasBody: false,
        });
        const owned = getEffectivePermissions({ role, extraPermissions: extras }, undefined);
        expect(actor.isLimited).toBe(true);
        expect(permissions.filter((one) => can(actor.permissions, one))).toEqual(
          permissions.filter((one) => can(owned, one) && can(asked, one)),
        );
        await revoke(token, created.id);
      }),
      { numRuns: 100 },
    );
  });
});

const rank = (id: number, role: string, extras: readonly string[]) =>
  documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: userKeys.record.at({ id }),
      UpdateExpression: 'SET #role = :role, extraPermissions = :extras',
      ExpressionAttributeNames: { '#role': 'role' },
      ExpressionAttributeValues: { ':role': role, ':extras': extras },
    }),
  );
