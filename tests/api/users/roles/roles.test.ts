import { afterEach, describe, expect, it } from 'vitest';
import { permissions } from '../../../../shared/permissions/permissions.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { call } from '../../../support/service/call.ts';
import { errorBody } from '../../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  readUser,
} from '../../../support/users/administration.ts';
import {
  changeRole,
  createRole,
  deleteRole,
  listRoles,
  newRole,
  readRole,
} from '../../../support/users/roles.ts';
import { newUserOf, setUser } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');
const { root, admin, user } = usePeople({ root: 'super_admin', admin: 'admin', user: 'user' });

/** Deletes the roles that a test made. */
afterEach(async () => {
  const { body } = await listRoles(root);
  for (const { name, builtIn, users } of body.data) {
    if (!builtIn && users === 0) expect((await deleteRole(root, name)).status).toBe(200);
  }
});

const taken = (field: string) =>
  errorBody('CONFLICT', `A role with this ${field} already exists.`, [
    { field, message: 'is already taken' },
  ]);

describe('GET /api/permissions', () => {
  it('lists all with a sentence for each', async () => {
    const { status, body } = await call('GET /api/permissions', { token: user.token });
    expect(status).toBe(200);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([...permissions]);
    expect(body.data[0]).toEqual({
      name: 'users:view',
      resource: 'users',
      action: 'view',
      description: 'See all users',
    });
    for (const { description } of body.data) expect(description).toMatch(/^[A-Z].{5,}[^.]$/);
  });
});

describe('GET /api/roles', () => {
  it('lists custom roles by label between admin and user, with their users for who sees users', async () => {
    const [zoo, ape] = [
      await newRole(root, ['audit:view'], { label: 'Zoo' }),
      await newRole(root, [], { label: 'Ape' }),
    ];
    await newUserOf(zoo);
    const shown = (await listRoles(root)).body.data;
    expect(shown.map(({ name }: { name: string }) => name)).toEqual([
      'super_admin',
      'admin',
      ape,
      zoo,
      'user',
      'guest',
    ]);
    expect(shown[3]).toEqual({
      id: zoo,
      name: zoo,
      label: 'Zoo',
      permissions: ['audit:view'],
      builtIn: false,
      rank: 3,
      users: 1,
      createdAt: '2026-11-21T12:00:00.000Z',
      updatedAt: '2026-11-21T12:00:00.000Z',
      version: 1,
    });
    expect((await listRoles(user)).body.data[3]).toMatchObject({ name: zoo, users: null });
    expect((await readRole(user, zoo)).body.data).toMatchObject({ label: 'Zoo', users: null });
    expect((await readRole(user, 'guest')).body.data).toMatchObject({ rank: 5, builtIn: true });
    expect((await readRole(user, 'nobody')).status).toBe(404);
    const [someone] = (await call('GET /api/users', { token: root.token, query: { role: zoo } }))
      .body.data.items;
    await deleteUser(root, someone.id);
  });
});

describe('POST /api/roles', () => {
  it('creates a role, without entries that others cover, and audits it', async () => {
    const { status, body, headers } = await createRole(
      root,
      ['audit:view', 'users:view', 'documents:view', 'documents:*', 'audit:view'],
      { name: 'auditor', label: '  Auditor ' },
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({ success: true, message: 'Created' });
    expect(body.data).toMatchObject({
      name: 'auditor',
      label: 'Auditor',
      permissions: ['users:view', 'documents:*', 'audit:view'],
      users: 0,
      version: 1,
    });
    expect(headers['etag']).toBeUndefined();
    expect(await entriesAbout('role:auditor')).toMatchObject([
      {
        action: 'role.create',
        subjectName: 'Auditor',
        after: { label: 'Auditor', permissions: ['users:view', 'documents:*', 'audit:view'] },
      },
    ]);
  });

  const badName = 'must be 2 to 32 lower-case letters, digits, - or _, and start with a letter';
  const badEntry = 'must be a permission such as users:view or users:*; only super_admin has *';
  it.each<readonly [object, string, string]>([
    [{ name: 'admin' }, 'name', 'is reserved; choose another'],
    [{ name: 'all' }, 'name', 'is reserved; choose another'],
    ...['', 'a', 'A1', '1a', 'a b', 'a#b', '*', 'é1', 'a'.repeat(33)].map(
      (name) => [{ name }, 'name', badName] as const,
    ),
    [{ permissions: ['*'] }, 'permissions.0', badEntry],
    [{ permissions: ['nothing:view'] }, 'permissions.0', badEntry],
  ])('returns 400 for %j', async (fields, field, message) => {
    const { status, body } = await createRole(root, [], fields);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field, message }]);
  });

  it('returns 409 for the name or the label of another role, in any case', async () => {
    const name = await newRole(root, [], { label: 'Support' });
    expect((await createRole(root, [], { name })).body).toEqual(taken('name'));
    for (const label of ['support', 'SUPPORT', 'Ｓupport', 'Super admin', 'guest']) {
      expect((await createRole(root, [], { label })).body, label).toEqual(taken('label'));
    }
    const other = await newRole(root, []);
    expect((await changeRole(root, other, { label: 'sUpport' })).body).toEqual(taken('label'));
    expect((await changeRole(root, name, { label: 'support' })).body.data.label).toBe('support');
  });

  it('creates 20 at most, also at once', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, () => createRole(root, [])));
    const made = answers.filter(({ status }) => status === 201).length;
    // The others lost too often to the rest, and say so.
    for (const { status } of answers) expect([201, 409, 503]).toContain(status);
    for (let count = made; count < 20; count++) await newRole(root, []);
    expect((await createRole(root, [])).body).toEqual(
      errorBody('CONFLICT', 'You can have up to 20 custom roles. Delete one first.'),
    );
    const stored = (await itemsOf('ROLES')).find(({ sk }) => sk === 'ALL');
    expect(stored?.['roles']).toHaveLength(20);
  });

  it('creates one role for a repeated request', async () => {
    const headers = { 'idempotency-key': 'a-key-of-a-role' };
    const fields = { name: 'once', label: 'Once' };
    const first = await createRole(root, ['audit:view'], fields, headers);
    const again = await createRole(root, ['audit:view'], fields, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
  });
});

describe('PUT /api/roles/{name}', () => {
  it('changes what is sent, compares If-Match and audits the difference', async () => {
    const name = await newRole(root, ['audit:view', 'sales:view'], { label: 'Auditor' });
    pass(1_000);
    const renamed = await changeRole(root, name, { label: 'Reviewer' }, { 'if-match': '"1"' });
    expect(renamed.status).toBe(200);
    expect(renamed.body.data).toMatchObject({
      label: 'Reviewer',
      permissions: ['sales:view', 'audit:view'],
      updatedAt: '2026-11-21T12:00:01.000Z',
      version: 2,
    });
    expect(renamed.headers['etag']).toMatch(/^"2-/);
    const late = await changeRole(root, name, { permissions: [] }, { 'if-match': '"1"' });
    expect(late.status).toBe(412);
    const { data } = renamed.body;
    pass(1_000);
    // The whole record may come back, with a number of users that has changed since.
    const whole = await changeRole(root, name, { ...data, users: 7, permissions: ['audit:view'] });
    expect(whole.body.data).toMatchObject({ permissions: ['audit:view'], version: 3 });
    expect((await changeRole(root, name, { permissions: ['audit:view'] })).body.data.version).toBe(
      3,
    );
    expect((await changeRole(root, name, { name: 'other' })).status).toBe(400);
    expect(await entriesAbout(`role:${name}`)).toMatchObject([
      { action: 'role.create' },
      { action: 'role.update', before: { label: 'Auditor' }, after: { label: 'Reviewer' } },
      {
        action: 'role.update',
        before: { permissions: ['sales:view', 'audit:view'] },
        after: { permissions: ['audit:view'] },
      },
    ]);
  });

  it.each(['super_admin', 'admin', 'user', 'guest'])('refuses the built-in %s', async (name) => {
    const message = `The role ${name} is built in and can’t be changed.`;
    const changed = await changeRole(root, name, { label: 'Other' });
    expect([changed.status, changed.body]).toEqual([403, errorBody('FORBIDDEN', message)]);
    expect((await deleteRole(root, name)).body).toEqual(errorBody('FORBIDDEN', message));
  });

  it('loses no change of concurrent ones', async () => {
    const [one, other] = [await newRole(root, []), await newRole(root, [])];
    const answers = await Promise.all([
      changeRole(root, one, { permissions: ['audit:view'] }),
      changeRole(root, other, { permissions: ['sales:view'] }),
      changeRole(root, one, { label: 'Renamed at once' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await readRole(root, one)).body.data).toMatchObject({
      label: 'Renamed at once',
      permissions: ['audit:view'],
      version: 3,
    });
    expect((await readRole(root, other)).body.data.permissions).toEqual(['sales:view']);
  });

  it('returns 404 for an unknown role, also of a name that objects have', async () => {
    for (const name of ['nothing', '__proto__', 'constructor', 'A b']) {
      expect((await changeRole(root, name, {})).status, name).toBe(404);
      expect((await deleteRole(root, name)).status, name).toBe(404);
    }
  });
});

describe('DELETE /api/roles/{name}', () => {
  const inUse = (count: string) =>
    errorBody('CONFLICT', `${count} this role. Give them another first.`);

  it('refuses a role in use, in any status, and says by how many', async () => {
    const name = await newRole(root, ['audit:view']);
    const bob = (await createUser(root, { role: name })).body.data;
    expect((await deleteRole(root, name)).body).toEqual(inUse('1 user has'));
    await changeUser(root, bob.id, { status: 'suspended' });
    const eve = (await createUser(root, { role: name })).body.data;
    expect((await deleteRole(root, name)).body).toEqual(inUse('2 users have'));
    await changeUser(root, bob.id, { role: 'guest' });
    await deleteUser(root, eve.id);
    const stale = await deleteRole(root, name, { 'if-match': '"9"' });
    expect(stale.status).toBe(412);
    pass(1_000);
    const deleted = await deleteRole(root, name);
    expect(deleted.body).toEqual({ success: true, data: { id: name }, message: 'Deleted' });
    expect(await itemsOf('ROLES')).toMatchObject([{ sk: 'ALL', roles: [] }]);
    expect((await entriesAbout(`role:${name}`)).at(-1)).toMatchObject({
      action: 'role.delete',
      before: { permissions: ['audit:view'] },
    });
  });

  it('and giving it to a user at once: one of them fails', async () => {
    for (let round = 0; round < 8; round++) {
      const name = await newRole(root, []);
      const someone = (await createUser(root, { role: 'guest' })).body.data;
      const tasks = [
        () => changeUser(root, someone.id, { role: name }),
        () => deleteRole(root, name),
        () => createUser(root, { role: name }),
      ];
      const order = round % 2 === 0 ? tasks : tasks.toReversed();
      const answers = await Promise.all(order.map((send) => send()));
      const deleted = answers.find(({ body }) => body.message === 'Deleted');
      const { role } = (await readUser(root, someone.id)).body.data;
      const exists = (await readRole(root, name)).status === 200;
      expect(exists).toBe(deleted === undefined);
      if (deleted) expect(role).toBe('guest');
      for (const { status } of answers) expect([200, 201, 400, 409]).toContain(status);
      if (!exists) continue;
      const { items } = (await call('GET /api/users', { token: root.token, query: { role: name } }))
        .body.data;
      expect((await readRole(root, name)).body.data.users).toBe(items.length);
      for (const { id } of items) await deleteUser(root, id);
    }
  });

  it('refuses a user who gets the role after it was read', async () => {
    const name = await newRole(root, []);
    const bob = (await createUser(root, { role: 'guest' })).body.data;
    await deleteRole(root, name);
    const changed = await changeUser(root, bob.id, { role: name });
    expect(changed.status).toBe(400);
    expect(changed.body.error.details).toEqual([
      { field: 'role', message: 'must be one of super_admin, admin, user, guest' },
    ]);
    expect((await createUser(admin, { role: name })).status).toBe(400);
  });
});

describe('a stored user with an unknown role', () => {
  it('has the extra permissions alone, and everyone above can manage the user', async () => {
    const bob = await newUserOf('user', { extraPermissions: ['audit:view', 'users:update'] });
    const eve = await newUserOf('user');
    await setUser(bob.id, { role: 'gone' });
    const own = await call('GET /api/users/me', { token: bob.token });
    expect(own.body.data).toMatchObject({
      role: 'gone',
      permissions: ['audit:view', 'users:update'],
    });
    expect((await call('GET /api/documents', { token: bob.token })).status).toBe(403);
    expect((await changeUser(bob, eve.id, { name: 'Robert' })).status).toBe(403);
    expect((await changeUser(admin, bob.id, { name: 'Robert' })).body.data).toMatchObject({
      name: 'Robert',
      role: 'gone',
    });
    expect((await changeUser(admin, bob.id, { role: 'user' })).body.data.role).toBe('user');
  });
});

describe('the list of users', () => {
  it('filters by a custom role and a status, alone and together', async () => {
    const name = await newRole(root, ['audit:view']);
    const ann = (await createUser(root, { role: name, name: 'Anna Quill' })).body.data;
    pass(1);
    const fields = { role: name, name: 'Bob Quill', status: 'suspended' };
    const bob = (await createUser(root, fields)).body.data;
    const find = async (query: Record<string, string>) => {
      const { status, body } = await call('GET /api/users', {
        token: admin.token,
        query: { pageSize: '100', ...query },
      });
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.items.map(({ id }: { id: number }) => id);
    };
    expect(await find({ role: name })).toEqual([bob.id, ann.id]);
    expect(await find({ role: name, sort: 'name' })).toEqual([ann.id, bob.id]);
    expect(await find({ role: name, status: 'suspended' })).toEqual([bob.id]);
    expect(await find({ status: 'suspended' })).toContain(bob.id);
    expect(await find({ role: name, search: 'anna' })).toEqual([ann.id]);
    expect(await find({ role: 'user' })).not.toContain(ann.id);
    const unknown = await call('GET /api/users', { token: admin.token, query: { role: 'gone' } });
    expect(unknown.body.error.details).toEqual([
      { field: 'role', message: `must be one of super_admin, admin, user, guest, ${name}` },
    ]);
    for (const { id } of [ann, bob]) await deleteUser(root, id);
    expect((await itemsOf(`USERS#ROLE#${name}`)).concat(await itemsOf('USERS#ROLE#*'))).toEqual([]);
  });
});
