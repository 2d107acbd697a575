import { beforeAll, describe, expect, it } from 'vitest';
import { userColumns } from '../../../../functions/api/users/export.ts';
import { importFields } from '../../../../functions/api/users/import/file.ts';
import { User } from '../../../../shared/auth/user.ts';
import { readTable } from '../../../../shared/text/csv-table.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { newInvited, newUserOf, type Person } from '../../../support/users/test-users.ts';

useTable();

type Query = Readonly<Record<string, string>>;

let admin: Person;

beforeAll(async () => {
  admin = await newUserOf('admin', { name: 'Ada Admin' });
  for (const [at, name] of ['Bob Bee', '=cmd()', 'Cem Çelik'].entries()) {
    await newInvited({ email: `no${at}@people.test`, name, role: at === 0 ? 'guest' : 'user' });
  }
});

const take = ({ token }: Person, query: Query = {}) =>
  call('GET /api/users/export', { token, query });

const rowsOf = async (query: Query = {}) => {
  const { body } = await take(admin, query);
  const { columns, records } = readTable(body);
  return records.map(({ cells }) =>
    Object.fromEntries(columns.map((name, at) => [name, cells[at]])),
  );
};

describe('GET /api/users/export', () => {
  it('has a column for each field of a user, those of an import among them', () => {
    const names = userColumns.map(([name]) => name);
    const missing = Object.keys(User.shape).filter((name) => !names.includes(name));
    expect(missing).toEqual(['created_at', 'updated_at']);
    expect(importFields.filter((field) => !names.includes(field))).toEqual([]);
  });

  it('has the users of the filters, in their order', async () => {
    const rows = await rowsOf({ sort: 'name', role: 'user' });
    expect(rows.map(({ name }) => name)).toEqual(["'=cmd()", 'Cem Çelik']);
    expect(rows[0]).toMatchObject({
      email: 'no1@people.test',
      role: 'user',
      permissions: 'documents:view files:view messages:view calendar:view',
      status: 'active',
      invited: 'true',
      lastLoginAt: '',
    });
    expect((await rowsOf({ search: 'bee' })).map(({ name }) => name)).toEqual(['Bob Bee']);
    expect(await rowsOf()).toHaveLength(4);
  });

  it('has the objects of the list as NDJSON', async () => {
    const { body } = await take(admin, { format: 'ndjson', sort: 'name' });
    const rows = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const query = { sort: 'name', pageSize: '100' };
    const { items } = (await call('GET /api/users', { token: admin.token, query })).body.data;
    expect(rows).toEqual(items);
  });

  it('refuses an unknown role, and parameters that the list doesn’t have', async () => {
    for (const [name, value] of [
      ['role', 'nobody'],
      ['limit', '5'],
    ] as const) {
      const { status, body } = await take(admin, { [name]: value });
      expect([status, body.error.details[0].field]).toEqual([400, name]);
    }
  });

  it('takes users:export and users:view, also of a token', async () => {
    const viewer = await newUserOf('user', { extraPermissions: ['users:view'] });
    expect((await take(viewer)).status).toBe(403);
    const body = { name: 'Export', permissions: ['users:export'] };
    const { data } = (await call('POST /api/auth/tokens', { token: admin.token, body })).body;
    expect((await take({ ...admin, token: data.token })).body.error.message).toBe(
      'Missing permission: users:view.',
    );
  });

  it('is recorded', async () => {
    await take(admin, { status: 'active', format: 'ndjson' });
    expect((await entriesAbout('list:users')).at(-1)).toMatchObject({
      action: 'user.export',
      actorId: admin.id,
      after: { format: 'ndjson', filter: 'status=active' },
    });
  });
});
