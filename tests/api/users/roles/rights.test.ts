import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { errorBody } from '../../../support/service/error-body.ts';
import { useTable } from '../../../support/table/table.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  inviteUser,
} from '../../../support/users/administration.ts';
import {
  changeRole,
  createRole,
  deleteRole,
  listRoles,
  newRole,
} from '../../../support/users/roles.ts';
import { newEmail, newUserOf, type Person, reading } from '../../../support/users/test-users.ts';
import { signInAgain } from '../../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

let root: Person;
/** An admin who may manage roles, which only a super_admin can have allowed. */
let maker: Person;
beforeAll(async () => {
  root = await newUserOf('super_admin');
  maker = await newUserOf('admin', { extraPermissions: ['roles:manage'] });
});

/** Deletes the roles that a test made, with their users. */
afterEach(async () => {
  for (const { name, builtIn } of (await listRoles(root)).body.data) {
    if (builtIn) continue;
    const query = { role: name, pageSize: '100' };
    const { body } = await call('GET /api/users', { token: root.token, query });
    for (const { id } of body.data.items) await deleteUser(root, id);
    expect((await deleteRole(root, name)).status).toBe(200);
  }
});

const forbidden = (message: string) => errorBody('FORBIDDEN', message);

describe('managing roles', () => {
  it('takes roles:manage, which no built-in role but super_admin has', async () => {
    const name = await newRole(root, []);
    for (const role of ['admin', 'user', 'guest']) {
      const person = await newUserOf(role, { extraPermissions: ['users:*'] });
      expect((await createRole(person, [])).body, role).toEqual(
        forbidden('Missing permission: roles:manage.'),
      );
      expect((await changeRole(person, name, { label: 'Other' })).status).toBe(403);
      expect((await deleteRole(person, name)).status).toBe(403);
    }
  });

  it('cannot be granted by who lacks it, as a permission or by a role', async () => {
    const admin = await newUserOf('admin');
    const name = await newRole(root, ['roles:manage']);
    for (const permissions of [['roles:manage'], ['roles:*'], ['*']]) {
      expect((await createUser(admin, { permissions })).status).toBe(403);
    }
    const message = 'You can’t grant roles:manage because you don’t have it.';
    expect((await createUser(admin, { role: name })).body).toEqual(forbidden(message));
    expect((await changeUser(admin, admin.id, { role: name })).body).toEqual(forbidden(message));
  });

  it('is refused to an API token without it', async () => {
    const tokenOf = async (permissions: readonly string[]) => {
      const body = { name: 'Script', permissions, expiresInDays: 7 };
      const made = await call('POST /api/auth/tokens', { token: root.token, body });
      return { token: made.body.data.token };
    };
    expect((await createRole(await tokenOf(['users:*']), [])).status).toBe(403);
    const limited = await tokenOf(['roles:manage', 'audit:view']);
    expect((await createRole(limited, ['audit:view'])).status).toBe(201);
    expect((await createRole(limited, ['sales:view'])).status).toBe(403);
  });
});

describe('a role never grants more than its maker holds', () => {
  it.each([
    [['users:view', 'documents:*'], undefined],
    [['audit:view'], 'audit:view'],
    [['shares:*'], 'shares:*'],
    [['roles:*'], 'roles:*'],
    [['users:*', 'settings:update'], 'settings:update'],
  ])('at its creation: %j', async (permissions, missing) => {
    const { status, body } = await createRole(maker, permissions);
    if (missing === undefined) expect(status).toBe(201);
    else
      expect(body.error.message).toMatch(
        new RegExp(` grants ${missing.replace('*', '\\*')}, which you don’t have\\.$`),
      );
  });

  it('by a change later, or of a role that holds more', async () => {
    const own = await newRole(maker, ['documents:view']);
    const more = await newRole(root, ['documents:view', 'audit:view']);
    expect((await changeRole(maker, own, { permissions: ['sales:view'] })).body).toEqual(
      forbidden(`The role ${own} grants sales:view, which you don’t have.`),
    );
    // Not even to take it away: that would be a right over those who have it.
    for (const body of [{ permissions: [] }, { label: 'Mine' }]) {
      expect((await changeRole(maker, more, body)).body).toEqual(
        forbidden(`The role ${more} grants audit:view, which you don’t have.`),
      );
    }
    expect((await deleteRole(maker, more)).status).toBe(403);
  });

  it('by a maker whose own rights shrink', async () => {
    const person = await newUserOf('admin', { extraPermissions: ['roles:manage', 'sales:view'] });
    const name = await newRole(person, ['sales:view']);
    await changeUser(root, person.id, { permissions: ['roles:manage'] });
    expect((await changeRole(person, name, { label: 'Still mine' })).status).toBe(403);
    expect((await changeUser(person, person.id, { role: name })).body).toEqual(
      forbidden('You can’t grant sales:view because you don’t have it.'),
    );
    await changeUser(root, person.id, { permissions: [] });
    expect((await createRole(person, [])).body.error.message).toBe(
      'Missing permission: roles:manage.',
    );
  });

  it('and ranks below the maker’s own', async () => {
    const user = await newUserOf('user', { extraPermissions: ['roles:manage'] });
    expect((await createRole(user, [])).body.error.message).toMatch(/ must rank below yours\.$/);
    const lead = await newRole(root, ['roles:manage', 'documents:*', 'audit:view']);
    const person = await newUserOf(lead);
    const lower = await createRole(person, ['roles:manage', 'documents:view']);
    expect(lower.status).toBe(201);
    const same = await createRole(person, ['roles:manage', 'documents:*', 'audit:view']);
    expect(same.body.error.message).toMatch(/ must rank below yours\.$/);
    for (const body of [{ permissions: [] }, { label: 'Other' }]) {
      expect((await changeRole(person, lead, body)).status).toBe(403);
    }
  });
});

describe('who has a custom role', () => {
  it('manages users of user, guest and roles with no more, and no others', async () => {
    const grants = ['users:*', 'documents:view', 'files:view', 'messages:view', 'calendar:view'];
    const lead = await newRole(root, grants);
    const same = await newRole(root, ['users:view', 'users:update']);
    const other = await newRole(root, ['audit:view']);
    const person = await newUserOf(lead);
    for (const [role, isAllowed] of [
      ['user', true],
      ['guest', true],
      [same, true],
      [lead, true],
      [other, false],
      ['admin', false],
      ['super_admin', false],
    ] as const) {
      const target = await newUserOf(role);
      const answers = [
        await changeUser(person, target.id, { status: 'suspended' }),
        await call('GET /api/users/{id}/sessions', {
          token: person.token,
          params: { id: String(target.id) },
        }),
        await call('GET /api/users/{id}/belongings', {
          token: person.token,
          params: { id: String(target.id) },
        }),
        await deleteUser(person, target.id),
      ];
      const expected = isAllowed ? 200 : 403;
      expect([role, ...answers.map(({ status }) => status)]).toEqual([
        role,
        expected,
        expected,
        expected,
        expected,
      ]);
      if (role === other) {
        expect(answers[0]?.body).toEqual(
          forbidden(`You can’t modify ${other} users: their role ranks above yours.`),
        );
      }
      if (role === 'super_admin') await deleteUser(root, target.id);
    }
  });

  it('grants only roles whose permissions they have, also built-in ones', async () => {
    const person = await newUserOf(await newRole(root, ['users:*', 'dashboard:view']));
    expect((await createUser(person, { role: 'guest' })).status).toBe(201);
    expect((await createUser(person)).body).toEqual(
      forbidden('You can’t grant documents:view because you don’t have it.'),
    );
    const guest = await newUserOf('guest');
    expect((await changeUser(person, guest.id, { role: 'user' })).status).toBe(403);
    expect((await changeUser(person, guest.id, { role: 'admin' })).body).toEqual(
      forbidden('Only admin users can grant the role admin.'),
    );
    const higher = await newRole(root, ['users:*', 'audit:view']);
    expect((await changeUser(person, person.id, { role: higher })).body).toEqual(
      forbidden(`You can’t grant the role ${higher}: it ranks above yours.`),
    );
  });

  it('is managed by admins, who give only what they have', async () => {
    const admin = await newUserOf('admin');
    const auditor = await newRole(root, ['audit:view']);
    const writer = await newRole(root, ['documents:*']);
    const person = await newUserOf(auditor);
    expect((await changeUser(admin, person.id, { role: writer })).status).toBe(200);
    expect((await changeUser(admin, person.id, { role: auditor })).body).toEqual(
      forbidden('You can’t grant audit:view because you don’t have it.'),
    );
    expect((await changeUser(admin, admin.id, { role: writer })).status).toBe(200);
    expect((await changeUser(admin, admin.id, { role: 'admin' })).status).toBe(403);
  });
});

describe('entering an account', () => {
  it('takes all that a custom role grants, also what the role lost within a day', async () => {
    const admin = await newUserOf('admin', { extraPermissions: reading });
    const name = await newRole(root, ['sales:view', 'documents:view']);
    const bob = (await createUser(root, { role: name })).body.data;
    const enter = () => changeUser(admin, bob.id, { email: newEmail() });
    const missing = forbidden('You don’t have this user’s permission sales:view.');
    expect((await enter()).body).toEqual(missing);
    expect((await inviteUser(admin, bob.id)).body).toEqual(missing);
    await changeRole(root, name, { permissions: ['documents:view'] });
    const lately = forbidden(
      'This user lost the permission sales:view less than 24 hours ago, and you don’t have it.',
    );
    expect((await enter()).body).toEqual(lately);
    // Nor by another role in between.
    expect((await changeUser(admin, bob.id, { role: 'user' })).status).toBe(200);
    expect((await enter()).body).toEqual(lately);
    pass(24 * 60 * 60_000 + 1);
    for (const person of [root, admin]) await signInAgain(person);
    expect((await enter()).status).toBe(200);
  });
});

describe('the last super_admin', () => {
  it('keeps the role, whatever custom role is offered', async () => {
    const name = await newRole(root, ['users:*', 'roles:manage']);
    const { status, body } = await changeUser(root, root.id, { role: name });
    expect([status, body]).toEqual([
      409,
      errorBody('CONFLICT', 'The last active super_admin can’t be removed. Add another first.'),
    ]);
    const second = await newUserOf('super_admin');
    const answers = await Promise.all([
      changeUser(root, root.id, { role: name }),
      changeUser(second, second.id, { role: name }),
    ]);
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409]);
    const left = answers[0]?.status === 200 ? second : root;
    const other = left === root ? second : root;
    expect((await changeUser(left, other.id, { role: 'super_admin' })).status).toBe(200);
    if (left === root) await deleteUser(root, second.id);
    else await changeUser(root, second.id, { role: 'guest' });
  });
});
