import { beforeAll, describe, expect, it } from 'vitest';
import { managedColumns } from '../../../functions/api/share/export.ts';
import { ManagedShare } from '../../../functions/api/share/moderation/managed-share.ts';
import { readTable } from '../../../shared/text/csv-table.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson, newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();
useBucket();

type Query = Readonly<Record<string, string>>;

let owner: Person;
let moderator: Person;

const publish = ({ token }: Person, body: object) =>
  call('POST /api/share', { token, body: { content: '# Hi', ...body } });

beforeAll(async () => {
  owner = await newPerson();
  moderator = await newUserOf('super_admin');
  await publish(owner, { title: 'Plan A', viewLimit: 3 });
  await publish(owner, { title: 'Plan B', audience: 'private', description: 'secret things' });
  await publish(moderator, { title: 'Another' });
});

const take = ({ token }: Pick<Person, 'token'>, query: Query) =>
  call('GET /api/shares/export', { token, query });

const titlesOf = async (person: Person, query: Query) => {
  const { status, body } = await take(person, query);
  expect(status, JSON.stringify(body)).toBe(200);
  const { columns, records } = readTable(body);
  return records.map(({ cells }) => cells[columns.indexOf('title')]);
};

describe('GET /api/shares/export', () => {
  it('has a user’s own shares, as the page searches and filters them', async () => {
    expect(await titlesOf(owner, { mine: 'true' })).toEqual(['Plan B', 'Plan A']);
    expect(await titlesOf(owner, { mine: 'true', sort: '-createdAt' })).toEqual([
      'Plan A',
      'Plan B',
    ]);
    expect(await titlesOf(owner, { mine: 'true', search: 'SECRET' })).toEqual(['Plan B']);
    expect(await titlesOf(owner, { mine: 'true', audience: 'link' })).toEqual(['Plan A']);
    expect(await titlesOf(owner, { mine: 'true', status: 'ended' })).toEqual([]);
  });

  it('has the objects of the list as NDJSON, without content', async () => {
    const { body } = await take(owner, { mine: 'true', format: 'ndjson' });
    const rows = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const list = await call('GET /api/share', { token: owner.token, query: { mine: 'true' } });
    expect(rows).toEqual(list.body.items);
    expect(body).not.toContain('# Hi');
  });

  it('has those of all users for who has shares:export and shares:manage', async () => {
    expect(await titlesOf(moderator, {})).toEqual(expect.arrayContaining(['Another', 'Plan A']));
    // Of a share that isn’t open to all, moderators learn no title of its content.
    expect(await titlesOf(moderator, { ownerId: String(owner.id) })).toHaveLength(2);
    for (const extraPermissions of [[], ['shares:manage'], ['shares:export']]) {
      const person = await newUserOf('user', { extraPermissions });
      expect((await take(person, {})).status).toBe(403);
    }
  });

  it('has a column for each field, but for the totals of files', () => {
    const names = managedColumns.map(([name]) => name);
    const missing = Object.keys(ManagedShare.shape).filter((name) => !names.includes(name));
    expect(missing).toEqual(['fileTotals']);
  });

  it('refuses filters of the other list', async () => {
    for (const [person, query, field] of [
      [owner, { mine: 'true', ownerId: '5' }, 'ownerId'],
      [moderator, { status: 'active' }, 'status'],
      [moderator, { reported: 'true', ownerId: '5' }, 'ownerId'],
    ] as const) {
      const { status, body } = await take(person, query);
      expect([status, body.error.details[0].field]).toEqual([400, field]);
    }
  });

  it('takes the scope shares:view of a token for its own ones', async () => {
    const newToken = async (permissions: readonly string[]) => {
      const body = { name: 'Export', permissions };
      return (await call('POST /api/auth/tokens', { token: owner.token, body })).body.data;
    };
    expect((await take(await newToken(['shares:create']), { mine: 'true' })).status).toBe(403);
    expect((await take(await newToken(['shares:view']), { mine: 'true' })).status).toBe(200);
  });

  it('is recorded', async () => {
    await take(owner, { mine: 'true' });
    const about = await entriesAbout('list:shares');
    expect(about.filter(({ actorId }) => actorId === owner.id).at(-1)).toMatchObject({
      action: 'share.export',
      after: { rows: 2, filter: 'mine=true' },
    });
  });
});
