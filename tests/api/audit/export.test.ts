import { beforeAll, describe, expect, it } from 'vitest';
import { auditColumns } from '../../../functions/api/audit/export.ts';
import { Entry } from '../../../functions/api/audit/schemas.ts';
import { readTable } from '../../../shared/text/csv-table.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { changeUser } from '../../support/users/administration.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();

type Query = Readonly<Record<string, string>>;

let auditor: Person;
let person: Person;

beforeAll(async () => {
  auditor = await newUserOf('super_admin', { name: 'Ada' });
  person = await newUserOf('user', { name: 'Bob' });
  await changeUser(auditor, person.id, { name: 'Robert' });
});

const take = ({ token }: Person, query: Query = {}) =>
  call('GET /api/audit/export', { token, query });

describe('GET /api/audit/export', () => {
  it('has the entries of the filters, with names and changed fields', async () => {
    const { status, body } = await take(auditor, {
      subject: `user:${person.id}`,
      action: 'user.update',
    });
    expect(status).toBe(200);
    const { columns, records } = readTable(body);
    const rows = records.map(({ cells }) =>
      Object.fromEntries(columns.map((name, at) => [name, cells[at]])),
    );
    expect(rows).toMatchObject([
      {
        action: 'user.update',
        actorId: String(auditor.id),
        actor: 'Ada',
        subject: `user:${person.id}`,
        subjectName: 'Robert',
        before: '{"name":"Bob"}',
        after: '{"name":"Robert"}',
      },
    ]);
  });

  it('has a column for each field of an entry, except names that others repeat', () => {
    const names = auditColumns.map(([name]) => name);
    const missing = Object.keys(Entry.shape).filter((name) => !names.includes(name));
    // `client` and `tool` are what an entry has in `via`.
    expect(missing).toEqual(['via', 'users']);
  });

  it('has the objects of the list as NDJSON', async () => {
    const query = { subject: `user:${person.id}` };
    const { body } = await take(auditor, { ...query, format: 'ndjson' });
    const rows = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const list = await call('GET /api/audit', {
      token: auditor.token,
      query: { ...query, pageSize: '100' },
    });
    expect(rows).toEqual(list.body.data.items);
  });

  it('takes audit:export and audit:view, and is in the log itself', async () => {
    const viewer = await newUserOf('user', { extraPermissions: ['audit:view'] });
    expect((await take(viewer)).status).toBe(403);
    await take(auditor, { actor: String(person.id) });
    const query = { subject: 'list:audit' };
    const { body } = await call('GET /api/audit', { token: auditor.token, query });
    expect(body.data.items[0]).toMatchObject({
      action: 'audit.export',
      actor: { id: auditor.id },
      after: { filter: `actor=${person.id}` },
    });
  });
});
