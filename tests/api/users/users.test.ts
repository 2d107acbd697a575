import { describe, expect, it } from 'vitest';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { profile, refresh, resetPassword } from '../../support/users/account.ts';
import { changeUser, deleteUser, readUser } from '../../support/users/administration.ts';
import { tokenOfLink } from '../../support/users/links.ts';
import { login, newEmail, newPerson, newUserOf, password } from '../../support/users/test-users.ts';

useTable();

const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const ofUser = ['documents:view', 'files:view', 'messages:view', 'calendar:view'];

const create = (token: string, body: Record<string, unknown>) =>
  call('POST /api/users', { token, body });
const read = (token: string, id: number | string) => readUser({ token }, id);
const change = (token: string, id: number | string, body: unknown) =>
  changeUser({ token }, id, body);
const remove = (token: string, id: number | string) => deleteUser({ token }, id);
const unknownUser = errorBody('NOT_FOUND', 'User not found.');
/** An id with the largest timestamp that an id can contain. */
const nobody = Number.MAX_SAFE_INTEGER;

describe('POST /api/users', () => {
  it('creates a user from an address and a name, with a link to set the password', async () => {
    const { token } = await newUserOf('admin');
    const email = newEmail();
    const { status, body } = await create(token, { email, name: 'Bob Example' });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      message: 'Created',
      data: {
        id: expect.any(Number),
        email,
        emailVerified: false,
        emailProblem: null,
        username: email.split('@')[0]?.slice(0, 32),
        name: 'Bob Example',
        role: 'user',
        permissions: ofUser,
        status: 'active',
        deletesAt: null,
        invited: true,
        avatar: null,
        phone: null,
        timezone: null,
        created_at: aTime,
        updated_at: body.data.created_at,
        createdAt: body.data.created_at,
        updatedAt: body.data.created_at,
        lastLoginAt: null,
        version: 1,
      },
      link: expect.stringMatching(
        new RegExp(`^https://handbill\\.test/invite\\?token=${body.data.id}\\.[\\w-]{43}$`),
      ),
    });
    expect((await read(token, body.data.id)).body).toEqual({ success: true, data: body.data });

    expect((await login(email)).status).toBe(401);
    const linkToken = tokenOfLink(body.link);
    expect((await resetPassword(linkToken, { password })).status).toBe(200);
    expect((await login(email)).status).toBe(200);
    expect((await resetPassword(linkToken, { password })).status).toBe(400);
  });

  it('accepts every field and returns no link with a password', async () => {
    const { token } = await newUserOf('super_admin');
    const email = newEmail();
    const fields = {
      username: `Bob_${Date.now()}`,
      role: 'admin',
      status: 'inactive',
      avatar: 'https://example.com/bob.png',
      phone: '+49 30 123-456',
      timezone: 'Europe/Berlin',
    };
    const { body } = await create(token, {
      ...fields,
      email: email.toUpperCase(),
      name: '  Bob  ',
      password,
      permissions: ['audit:view', 'users:view', 'audit:view'],
    });
    expect(body).toEqual({
      success: true,
      message: 'Created',
      data: expect.objectContaining({
        ...fields,
        email,
        name: 'Bob',
        permissions: [
          'users:*',
          'documents:*',
          'files:*',
          'messages:*',
          'calendar:*',
          'audit:view',
        ],
      }),
    });
    expect((await login(email)).status).toBe(401);
    await change(token, body.data.id, { status: 'active' });
    expect((await login(email)).status).toBe(200);
  });

  it('accepts null for optional fields and ignores unknown ones', async () => {
    const { token } = await newUserOf('admin');
    const email = newEmail();
    const { status, body } = await create(token, {
      email,
      name: 'Bob',
      password: null,
      username: null,
      role: null,
      permissions: null,
      status: null,
      avatar: null,
      phone: null,
      timezone: null,
      id: 1,
      version: 9,
      createdAt: '2000-01-01T00:00:00.000Z',
      lastLoginAt: '2000-01-01T00:00:00.000Z',
      passwordHash: 'x',
      sessionEpoch: 5,
      color: 'red',
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ role: 'user', status: 'active', version: 1 });
    expect(body.data).toMatchObject({ lastLoginAt: null, phone: null, permissions: ofUser });
    expect(body.data.id).not.toBe(1);
    expect(body.data.createdAt).not.toMatch(/^2000/);
    expect(body.link).toEqual(expect.any(String));
    expect(body.data).not.toHaveProperty('color');
  });

  it.each([
    [{}, ['email', 'name']],
    [{ name: 'Bob' }, ['email']],
    [{ email: 'bob@example.com' }, ['name']],
    [{ email: 'bob', name: 'B' }, ['email', 'name']],
    [{ email: 'bob@example.com', name: 'Bob', password: 'short' }, ['password']],
    [{ email: 'bob@example.com', name: 'Bob', role: 'owner' }, ['role']],
    [{ email: 'bob@example.com', name: 'Bob', role: '__proto__' }, ['role']],
    [{ email: 'bob@example.com', name: 'Bob', role: ['user'] }, ['role']],
    [{ email: 'bob@example.com', name: 'Bob', status: 'hasOwnProperty' }, ['status']],
    [{ email: 'bob@example.com', name: 'Bob', permissions: '*' }, ['permissions']],
    [{ email: 'bob@example.com', name: 'Bob', permissions: ['users:fly'] }, ['permissions.0']],
    [{ email: 'bob@example.com', name: 'Bob', permissions: ['__proto__:*'] }, ['permissions.0']],
    [{ email: 'bob@example.com', name: 'Bob', permissions: ['*:view'] }, ['permissions.0']],
    [{ email: 'bob@example.com', name: 'Bob', username: 'a b' }, ['username']],
    [{ email: 'bob@example.com', name: 'Bob', timezone: 'Mars/Base' }, ['timezone']],
    [{ email: 'bob@example.com', name: 'Bob', phone: 'call me' }, ['phone']],
    [{ email: 'bob@example.com', name: 'Bob', avatar: 'bob.png' }, ['avatar']],
    [{ email: 'bob@example.com', name: 'Bob', avatar: 'javascript:alert(1)' }, ['avatar']],
    [[], ['body']],
  ])('rejects %j', async (body, fields) => {
    const { token } = await newUserOf('super_admin');
    const response = await call('POST /api/users', { token, body });
    expect(response.status).toBe(400);
    expect(response.body.error.code).toBe('VALIDATION_ERROR');
    const named = response.body.error.details.map(({ field }: { field: string }) => field);
    expect(named).toEqual(fields);
  });

  it('returns 409 for a taken address or username, ignoring case', async () => {
    const { token } = await newUserOf('admin');
    const email = newEmail();
    const username = `taken-${Date.now()}`;
    await create(token, { email, username, name: 'Bob' });
    const sameEmail = await create(token, { email: email.toUpperCase(), name: 'Bob' });
    const sameName = await create(token, {
      email: newEmail(),
      username: username.toUpperCase(),
      name: 'Bob',
    });
    expect([sameEmail.status, sameName.status]).toEqual([409, 409]);
    expect(sameEmail.body).toEqual(
      errorBody('CONFLICT', 'This email address is already registered.', [
        { field: 'email', message: 'is already registered' },
      ]),
    );
    expect(sameName.body).toEqual(
      errorBody('CONFLICT', 'This username is already taken.', [
        { field: 'username', message: 'is already taken' },
      ]),
    );
  });
});

describe('PUT /api/users/{id}', () => {
  it('changes only the fields that are sent', async () => {
    const { token } = await newUserOf('super_admin');
    const bob = await newUserOf('user', { phone: '030 1', timezone: 'UTC' });
    const { data: before } = (await read(token, bob.id)).body;
    const { status, body } = await change(token, bob.id, { name: 'Bob B. Example' });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: 'Saved',
        data: {
          ...before,
          name: 'Bob B. Example',
          updated_at: aTime,
          updatedAt: body.data.updated_at,
          version: 2,
        },
      },
    ]);
    expect((await read(token, bob.id)).body.data).toEqual(body.data);
  });

  it('clears optional fields with null or blank text', async () => {
    const { token } = await newUserOf('super_admin');
    const profile = { avatar: 'https://example.com/b.png', phone: '030 12', timezone: 'UTC' };
    const bob = await newUserOf('user', profile);
    const { data: before } = (await read(token, bob.id)).body;
    const { status, body } = await change(token, bob.id, {
      avatar: '',
      phone: null,
      timezone: ' ',
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...before,
      ...{ avatar: null, phone: null, timezone: null },
      ...{ updated_at: aTime, updatedAt: aTime, version: 2 },
    });
  });

  it('ignores unknown fields and never stores them', async () => {
    const { token } = await newUserOf('admin');
    const bob = await newPerson();
    const { data: before } = (await read(token, bob.id)).body;
    const { status, body } = await change(token, bob.id, {
      passwordHash: 'x',
      sessionEpoch: 99,
      extraPermissions: ['*'],
      passwordTokenHash: 'x',
      pk: 'USER#1',
      color: 'red',
      name: 'Robert',
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...before,
      ...{ name: 'Robert', updated_at: aTime, updatedAt: aTime, version: 2 },
    });
    expect((await login(bob.email)).status).toBe(200);
    const [stored] = (await itemsOf(`USER#${bob.id}`)).filter(({ sk }) => sk === 'USER');
    expect(stored).toMatchObject({ sessionEpoch: 0, extraPermissions: [] });
    expect(stored).not.toHaveProperty('color');
    expect(stored).not.toHaveProperty('passwordTokenHash');
  });

  it.each([
    [{ id: 1 }, 'id'],
    [{ version: 99 }, 'version'],
    [{ createdAt: '2000-01-01T00:00:00.000Z' }, 'createdAt'],
    [{ lastLoginAt: '2000-01-01T00:00:00.000Z' }, 'lastLoginAt'],
    [{ password: 'another one' }, 'password'],
    [{ password: null }, 'password'],
    [{ email: null }, 'email'],
    [{ name: null }, 'name'],
    [{ username: null }, 'username'],
    [{ role: null }, 'role'],
    [{ status: null }, 'status'],
    [{ permissions: null }, 'permissions'],
  ])('rejects %j and changes nothing', async (body, field) => {
    const { token } = await newUserOf('super_admin');
    const bob = await newPerson();
    const response = await change(token, bob.id, { phone: '030 99', ...body });
    expect(response.status).toBe(400);
    expect(response.body.error.details).toEqual([{ field, message: expect.any(String) }]);
    expect((await read(token, bob.id)).body.data).toMatchObject({ phone: null, version: 1 });
  });
});

describe('a user by id', () => {
  const endpoints = ['GET', 'PUT', 'DELETE'].map((method) => `${method} /api/users/{id}`);
  const noIds = [
    '0',
    '-1',
    '1.5',
    'abc',
    '01',
    '1e3',
    ' 1',
    '9007199254740992',
    '99999999999999999999',
  ];

  it.each(endpoints)('returns 404 for a malformed or unknown id: %s', async (endpoint) => {
    const { token } = await newUserOf('admin');
    const responses = await Promise.all(
      [...noIds, '__proto__'].map((id) => call(endpoint, { token, params: { id }, body: {} })),
    );
    for (const { status, body } of responses) {
      expect(status).toBe(404);
      expect(body).toEqual(errorBody('NOT_FOUND', 'Not found.'));
    }
    const unknown = await call(endpoint, { token, params: { id: String(nobody) }, body: {} });
    expect({ status: unknown.status, body: unknown.body }).toEqual({
      status: 404,
      body: unknownUser,
    });
  });
});

describe('DELETE /api/users/{id}', () => {
  it('returns the id and deletes the user everywhere', async () => {
    const { token } = await newUserOf('admin');
    const bob = await newPerson();
    const { status, body } = await remove(token, bob.id);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { id: bob.id }, message: 'Deleted' });
    expect((await read(token, bob.id)).body).toEqual(unknownUser);
    expect((await remove(token, bob.id)).body).toEqual(unknownUser);
    expect((await change(token, bob.id, { name: 'Back again' })).body).toEqual(unknownUser);
    expect((await profile(bob.token)).status).toBe(401);
    const { refreshToken } = bob;
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await login(bob.email)).status).toBe(401);
  });
});

describe('GET /api/roles', () => {
  it('lists the roles, highest rank first, for every signed-in user', async () => {
    const { token } = await newUserOf('guest');
    const { status, body } = await call('GET /api/roles', { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      data: [
        { id: 'super_admin', name: 'super_admin', label: 'Super admin', permissions: ['*'] },
        {
          id: 'admin',
          name: 'admin',
          label: 'Admin',
          permissions: ['users:*', 'documents:*', 'files:*', 'messages:*', 'calendar:*'],
        },
        { id: 'user', name: 'user', label: 'User', permissions: ofUser },
        { id: 'guest', name: 'guest', label: 'Guest', permissions: ['dashboard:view'] },
      ],
    });
  });
});
