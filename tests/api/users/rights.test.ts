import { beforeAll, describe, expect, it } from 'vitest';
import { type Role, roles } from '../../../shared/permissions/permissions.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { useTable } from '../../support/table/table.ts';
import { profile, refresh, updateProfile } from '../../support/users/account.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  readUser,
} from '../../support/users/administration.ts';
import {
  login,
  newEmail,
  newPerson,
  newUserOf,
  type Person,
  password,
} from '../../support/users/test-users.ts';

useTable();

const forbidden = (message: string) => errorBody('FORBIDDEN', message);
const lastOne = errorBody(
  'CONFLICT',
  'The last active super_admin can’t be removed. Add another first.',
);
const statusesOf = (responses: readonly Answer[]) => responses.map(({ status }) => status);
const all = (role: Role) => newUserOf(role, { extraPermissions: ['users:*'] });

/** The only active super_admin: the count is global, so each test must restore it. */
let root: Person;
beforeAll(async () => {
  root = await newUserOf('super_admin');
});

describe('a role', () => {
  it.each(roles)('%s grants, changes and deletes up to its own rank', async (role) => {
    const actor = await all(role);
    for (const target of roles) {
      const isAllowed = roles.indexOf(target) >= roles.indexOf(role);
      const made = await createUser(actor, { role: target });
      expect([target, made.status]).toEqual([target, isAllowed ? 201 : 403]);
      const bob = await newUserOf(target);
      const low = await newUserOf('guest');
      const responses = [
        await changeUser(actor, low.id, { role: target }),
        await changeUser(actor, bob.id, { phone: '030 123' }),
        await changeUser(actor, bob.id, { username: `bob-${bob.id}` }),
        await changeUser(actor, bob.id, { status: 'suspended' }),
        await changeUser(actor, bob.id, { role: 'guest' }),
      ];
      // A demoted user would be in range, so the rank is checked first.
      const { id } = await newUserOf(target);
      responses.push(await deleteUser(actor, id));
      expect([target, ...statusesOf(responses)]).toEqual([
        target,
        ...Array.from({ length: 6 }, () => (isAllowed ? 200 : 403)),
      ]);
      if (isAllowed) continue;
      expect(made.body).toEqual(forbidden(`Only ${target} users can grant the role ${target}.`));
      expect(responses[1]?.body).toEqual(
        forbidden(`Only ${target} users can modify ${target} users.`),
      );
      expect((await readUser(actor, bob.id)).body.data).toMatchObject({ version: 1, role: target });
      expect((await profile(bob.token)).status).toBe(200);
    }
    // Reverts the change of the test.
    const made = await call('GET /api/users', {
      token: root.token,
      query: { role: 'super_admin', pageSize: '100' },
    });
    for (const { id } of made.body.data.items) if (id !== root.id) await deleteUser(root, id);
  });

  it('determines the rank, whatever the permissions', async () => {
    const actor = await newUserOf('user', { extraPermissions: ['*'] });
    const [admin, user] = [await newUserOf('admin'), await newUserOf('user')];
    expect((await changeUser(actor, admin.id, { name: 'Eve' })).status).toBe(403);
    expect((await deleteUser(actor, admin.id)).status).toBe(403);
    expect((await createUser(actor, { role: 'admin' })).status).toBe(403);
    expect((await changeUser(actor, user.id, { role: 'admin' })).status).toBe(403);
    expect((await changeUser(actor, user.id, { permissions: ['*'] })).status).toBe(200);
  });

  it('cannot be raised by its holder', async () => {
    const admin = await newUserOf('admin');
    expect((await changeUser(admin, admin.id, { role: 'super_admin' })).status).toBe(403);
    expect((await changeUser(admin, admin.id, { permissions: ['*'] })).status).toBe(403);
    expect((await updateProfile(admin.token, { role: 'super_admin' })).status).toBe(400);
    expect((await profile(admin.token)).body.data.role).toBe('admin');
  });
});

describe('a single permission', () => {
  const grant = async (actor: Person, entries: readonly string[]) => [
    (await createUser(actor, { role: 'guest', permissions: entries })).status,
    (await changeUser(actor, (await newUserOf('guest')).id, { permissions: entries })).status,
  ];

  it.each([
    ['users:*', ['users:view'], true],
    ['users:*', ['users:*'], true],
    ['users:*', ['*'], false],
    ['users:*', ['audit:view'], false],
    ['users:*', ['users:view', 'audit:view'], false],
    ['audit:view', ['audit:view'], true],
    ['audit:view', ['audit:*'], false],
    ['*', ['*'], true],
    ['*', ['sales:*', 'shares:manage'], true],
  ])('%s allows granting %j: %s', async (held, entries, isAllowed) => {
    const extraPermissions = ['users:create', 'users:update', held];
    const actor = await newUserOf('guest', { extraPermissions });
    expect(await grant(actor, entries)).toEqual(isAllowed ? [201, 200] : [403, 403]);
  });

  it('is named in the error if the caller does not have it', async () => {
    const admin = await newUserOf('admin');
    const bob = await newUserOf('user');
    const { body } = await changeUser(admin, bob.id, { permissions: ['users:view', 'sales:view'] });
    expect(body).toEqual(forbidden('You can’t grant sales:view because you don’t have it.'));
    expect((await readUser(admin, bob.id)).body.data.version).toBe(1);
  });

  it('can be kept without granting it, and revoked', async () => {
    const admin = await newUserOf('admin');
    const bob = await newUserOf('user', { extraPermissions: ['sales:view', 'audit:view'] });
    const { data } = (await readUser(admin, bob.id)).body;
    const whole = await changeUser(admin, bob.id, { ...data, name: 'Robert' });
    expect(whole.body.data).toMatchObject({ name: 'Robert', permissions: data.permissions });
    const one = await changeUser(admin, bob.id, { permissions: ['audit:view'] });
    expect(one.body.data.permissions.slice(-2)).toEqual(['calendar:view', 'audit:view']);
    expect((await changeUser(admin, bob.id, { permissions: ['sales:view'] })).status).toBe(403);
    const none = await changeUser(admin, bob.id, { permissions: [] });
    expect(none.body.data.permissions).not.toContain('audit:view');
  });

  it('of the previous role can be kept with another role without granting it', async () => {
    const admin = await newUserOf('admin');
    const guest = await newUserOf('guest');
    const { permissions } = (await readUser(admin, guest.id)).body.data;
    const wanted = [...permissions, 'users:view'];
    const response = await changeUser(admin, guest.id, { role: 'user', permissions: wanted });
    expect([response.status, response.body.data.role]).toEqual([200, 'user']);
    expect(response.body.data.permissions).toEqual(expect.arrayContaining(wanted));
  });

  it('of the previous role is dropped with it if the list is unchanged', async () => {
    const root = await newUserOf('admin');
    const admin = await newUserOf('admin', { extraPermissions: ['audit:view'] });
    const { data } = (await readUser(root, admin.id)).body;
    const response = await changeUser(root, admin.id, { ...data, role: 'guest' });
    expect(response.body.data.permissions).toEqual(['dashboard:view', 'audit:view']);
  });

  it('that the role implies is dropped, also when the role is set later', async () => {
    const bob = await newUserOf('guest');
    const entries = ['dashboard:view', 'users:view', 'sales:view'];
    const given = await changeUser(root, bob.id, { permissions: entries });
    expect(given.body.data.permissions).toEqual(entries);
    const raised = await changeUser(root, bob.id, { role: 'admin' });
    expect(raised.body.data.permissions.slice(5)).toEqual(['sales:view']);
    const lowered = await changeUser(root, bob.id, { role: 'guest' });
    expect(lowered.body.data.permissions).toEqual(['dashboard:view', 'sales:view']);
  });

  it('applies at the next request until it is revoked', async () => {
    const bob = await newUserOf('guest');
    const list = async () => (await call('GET /api/users', { token: bob.token })).status;
    expect(await list()).toBe(403);
    await changeUser(root, bob.id, { permissions: ['users:view'] });
    expect(await list()).toBe(200);
    await changeUser(root, bob.id, { permissions: [] });
    expect(await list()).toBe(403);
  });
});

describe('the last active super_admin', () => {
  it('can be changed but not deleted, demoted or deactivated', async () => {
    await createUser(root, { role: 'super_admin', status: 'inactive' });
    const refused = [
      await deleteUser(root, root.id),
      await changeUser(root, root.id, { role: 'admin' }),
      await changeUser(root, root.id, { status: 'suspended' }),
      await changeUser(root, root.id, { status: 'inactive' }),
      await changeUser(root, root.id, { role: 'guest', status: 'suspended' }),
    ];
    for (const { status, body } of refused) expect([status, body]).toEqual([409, lastOne]);
    expect((await changeUser(root, root.id, { phone: '030 123' })).status).toBe(200);
    expect((await profile(root.token)).body.data).toMatchObject({
      role: 'super_admin',
      version: 2,
    });
  });

  const waysOut: readonly [string, (actor: Person, target: Person) => Promise<Answer>][] = [
    ['demote', (actor, { id }) => changeUser(actor, id, { role: 'admin' })],
    ['suspend', (actor, { id }) => changeUser(actor, id, { status: 'suspended' })],
    ['set inactive', (actor, { id }) => changeUser(actor, id, { status: 'inactive' })],
    ['delete', (actor, { id }) => deleteUser(actor, id)],
  ];
  it.each(waysOut)('remains when two %s each other concurrently, 20 times', async (_, act) => {
    for (let round = 0; round < 20; round++) {
      const other = await newUserOf('super_admin');
      const responses = await Promise.all([act(root, other), act(other, root)]);
      expect(statusesOf(responses).filter((status) => status === 200)).toHaveLength(1);
      expect(responses.some(({ status }) => [401, 403, 409].includes(status))).toBe(true);
      if (responses[0]?.status !== 200) root = other;
      expect((await changeUser(root, root.id, { status: 'inactive' })).body).toEqual(lastOne);
    }
  });
});

describe('a status other than active', () => {
  it.each(['inactive', 'suspended'])('%s ends the sessions permanently', async (status) => {
    const bob = await newPerson();
    const { refreshToken } = bob;
    const signedIn = async () =>
      statusesOf([await profile(bob.token), await refresh(refreshToken)]);
    expect((await changeUser(root, bob.id, { status })).body.data.status).toBe(status);
    expect(await signedIn()).toEqual([401, 401]);
    const refused = await login(bob.email);
    const unknown = await login(newEmail());
    expect(refused.status).toBe(401);
    expect(refused.body.error.message).toBe(unknown.body.error.message);

    await changeUser(root, bob.id, { status: status === 'inactive' ? 'suspended' : 'inactive' });
    await changeUser(root, bob.id, { status: 'active' });
    expect(await signedIn()).toEqual([401, 401]);
    expect((await login(bob.email)).status).toBe(200);
  });
});

describe('PUT /api/users/me', () => {
  it('changes the profile and accepts null for optional fields', async () => {
    const bob = await newPerson();
    const fields = {
      name: 'Robert',
      phone: '030 123',
      timezone: 'UTC',
      avatar: 'https://a.test/b',
    };
    const { status, body } = await updateProfile(bob.token, { ...fields, username: `R.${bob.id}` });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, message: 'Saved', data: fields });
    expect((await profile(bob.token)).body).toEqual({ success: true, data: body.data });
    const nothing = { phone: null, timezone: '', avatar: ' ' };
    const { data } = (await updateProfile(bob.token, nothing)).body;
    expect(data).toMatchObject({ name: 'Robert', username: `R.${bob.id}`, phone: null });
    expect(data).toMatchObject({ timezone: null, avatar: null, version: 3 });
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.test/b',
    '//a.test/b',
    '/b.png',
  ])('rejects an avatar at %j', async (avatar) => {
    const bob = await newPerson();
    const { status, body } = await updateProfile(bob.token, { avatar, phone: '030 123' });
    const message = avatar.includes('\n')
      ? 'must be one line without control characters'
      : 'must be an http or https URL';
    expect([status, body.error.details]).toEqual([400, [{ field: 'avatar', message }]]);
    expect((await profile(bob.token)).body.data).toMatchObject({ avatar: null, phone: null });
  });

  it('rejects role, status, permissions and password, and names their endpoints', async () => {
    const bob = await newPerson();
    const { data: before } = (await profile(bob.token)).body;
    const rights = { role: 'admin', status: 'inactive', permissions: ['*'], id: 1, password: 'x' };
    const { status, body } = await updateProfile(bob.token, { ...rights, name: 'Robert' });
    const byAdmins = 'can only be changed by an administrator, with PUT /api/users/{id}';
    expect([status, body.error.details]).toEqual([
      400,
      [
        { field: 'id', message: expect.stringContaining('is read-only') },
        { field: 'role', message: byAdmins },
        { field: 'permissions', message: byAdmins },
        { field: 'status', message: byAdmins },
        { field: 'password', message: 'can only be changed with PUT /api/auth/password' },
      ],
    ]);
    expect((await profile(bob.token)).body.data).toEqual(before);
  });

  it('is the only endpoint that changes your email address', async () => {
    const admin = await newUserOf('admin');
    const response = await changeUser(admin, admin.id, { email: newEmail() });
    expect(response.body).toEqual(forbidden('Use PUT /api/users/me to change your email address.'));
    expect(
      (await changeUser(admin, admin.id, { email: admin.email, phone: '030 123' })).status,
    ).toBe(200);
  });

  it('requires the current password for a new address', async () => {
    const bob = await newPerson();
    const email = newEmail();
    for (const [body, message] of [
      [{ email }, 'is required to change the email address'],
      [{ email, currentPassword: null }, 'is required to change the email address'],
      [{ email, currentPassword: 'wrong one' }, 'is incorrect'],
    ] as const) {
      const { status, body: response } = await updateProfile(bob.token, body);
      expect([status, response.error.details]).toEqual([
        400,
        [{ field: 'currentPassword', message }],
      ]);
    }
    // A change of case is not a new address.
    expect((await updateProfile(bob.token, { email: bob.email.toUpperCase() })).status).toBe(200);
    const done = await updateProfile(bob.token, { email, currentPassword: password });
    expect([done.status, done.body.data.email]).toEqual([200, email]);
    expect(statusesOf([await login(bob.email), await login(email)])).toEqual([401, 200]);
    const taken = (await newPerson()).email;
    const { status, body } = await updateProfile(bob.token, {
      email: taken,
      currentPassword: password,
    });
    expect([status, body.error.details[0].field]).toEqual([409, 'email']);
  });
});
