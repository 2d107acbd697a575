import { beforeAll, describe, expect, it } from 'vitest';
import { listMakers } from '../../functions/exports/list-makers.ts';
import { authenticate } from '../../shared/auth/actor.ts';
import type { ListKind } from '../../shared/exports/export-kinds.ts';
import { useVirtualTime } from '../support/run/virtual-time.ts';
import { useBucket } from '../support/s3/local-s3.ts';
import { newSeller, recorded } from '../support/sales/sales.ts';
import { entriesAbout } from '../support/service/audit.ts';
import { type Answer, call } from '../support/service/call.ts';
import { useTable } from '../support/table/table.ts';
import { createApiToken } from '../support/users/account.ts';
import { newInvited, newUserOf, type Person } from '../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();

type Query = Readonly<Record<string, string>>;

const kinds = ['users', 'sales', 'audit', 'shares'] as const satisfies readonly ListKind[];

let root: Person;

beforeAll(async () => {
  root = await newUserOf('super_admin', { name: 'Ada' });
  for (const amount of [1, 2, 3]) await recorded(root, { amount, soldAt: `2026-11-0${amount}` });
  for (const title of ['Plan A', 'Plan B']) {
    await call('POST /api/share', { token: root.token, body: { content: '# Hi', title } });
  }
  await newInvited({ email: 'bob@people.test', name: 'Bob', role: 'guest' });
});

const order = ({ token }: Pick<Person, 'token'>, kind: ListKind, query: Query = {}) =>
  call(`POST /api/${kind}/export`, { token, query });

/** Makes the file of a query as the service does, in the name of a user as stored now. */
const make = async ({ token }: Person, kind: ListKind, query: Query = {}) => {
  const headers = { authorization: `Bearer ${token}` };
  const actor = await authenticate({ method: 'GET', headers, cookies: [], hasBody: false });
  const maker = listMakers.find((one) => one.kind === kind) ?? expect.unreachable();
  const asked = {
    id: 1,
    kind,
    format: (query['format'] ?? 'csv') as 'csv' | 'ndjson',
    query: new URLSearchParams(query).toString(),
    requestedAt: new Date().toISOString(),
  };
  let rows = 0;
  const notes = {
    count: (more: number) => {
      rows += more;
    },
    leftOut: (sentence: string) => expect.unreachable(sentence),
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of maker.make(actor, asked, notes)) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString(), rows };
};

const detailsOf = ({ status, body }: Answer) => [status, body.error.details?.[0]?.field];

describe.each(kinds)('POST /api/%s/export', (kind) => {
  it.each(['csv', 'ndjson'])('leads to what GET has, as %s', async (format) => {
    // What is exported meanwhile is in the log, too.
    const query = { format, ...(kind === 'audit' && { action: 'user.create' }) };
    const part = await call(`GET /api/${kind}/export`, { token: root.token, query });
    const { text, rows } = await make(root, kind, query);
    expect(text).toBe(part.body);
    expect(rows).toBe(text.trimEnd().split('\n').length - Number(format === 'csv'));
  });

  it('takes the permissions of GET', async () => {
    const nobody = await newUserOf('guest');
    expect((await order(nobody, kind)).status).toBe(403);
    const [first, second] =
      kind === 'shares' ? ['shares:export', 'shares:manage'] : [`${kind}:export`, `${kind}:view`];
    for (const permission of [first, second]) {
      const half = await newUserOf('guest', { extraPermissions: [permission] });
      expect((await order(half, kind)).status).toBe(403);
    }
    const whole = await newUserOf('guest', { extraPermissions: [first, second] });
    expect((await order(whole, kind)).status).toBe(202);
  });

  it('refuses what GET refuses, and what only parts have', async () => {
    expect(detailsOf(await order(root, kind, { format: 'xlsx' }))).toEqual([400, 'format']);
    expect(detailsOf(await order(root, kind, { cursor: '' }))).toEqual([400, 'cursor']);
    expect(detailsOf(await order(root, kind, { page: '2' }))).toEqual([400, 'page']);
  });

  it('is recorded with its filters', async () => {
    const seen = new Set((await entriesAbout(`list:${kind}`)).map(({ id }) => id));
    const other = await newUserOf('super_admin');
    const { status, body } = await order(other, kind, { format: 'ndjson' });
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ kind, format: 'ndjson', filter: null, status: 'waiting' });
    const entries = (await entriesAbout(`list:${kind}`)).filter(({ id }) => !seen.has(id));
    expect(entries).toMatchObject([{ actorId: other.id, after: { kind, format: 'ndjson' } }]);
  });
});

describe('a file that the service prepares', () => {
  it('is asked for once while an equal one waits', async () => {
    const seller = await newSeller();
    const query = { category: 'Books', format: 'ndjson' };
    const { body: first } = await order(seller, 'sales', query);
    expect(first.data).toMatchObject({ filter: 'category=Books' });
    expect((await order(seller, 'sales', query)).body.data.id).toBe(first.data.id);
    expect((await order(seller, 'sales')).body.data.id).not.toBe(first.data.id);
  });

  it('is refused at once with filters that the list refuses', async () => {
    const both = await order(root, 'sales', { category: 'Books', customer: 'Ann' });
    expect(detailsOf(both)).toEqual([400, 'customer']);
    expect(detailsOf(await order(root, 'users', { role: 'nobody' }))).toEqual([400, 'role']);
    const mixed = await order(root, 'shares', { mine: 'true', reported: 'true' });
    expect(detailsOf(mixed)).toEqual([400, 'reported']);
  });

  it('has your own shares without a permission, also by an API token', async () => {
    const owner = await newUserOf('user');
    await call('POST /api/share', { token: owner.token, body: { content: '# Hi', title: 'Mine' } });
    const { text } = await make(owner, 'shares', { mine: 'true' });
    expect(text).toContain(',Mine,');
    expect(text).not.toContain('Plan A');
    const { token } = (await createApiToken(owner.token, { permissions: ['shares:view'] })).body
      .data;
    expect((await order({ token }, 'shares', { mine: 'true' })).status).toBe(202);
    expect((await order({ token }, 'shares')).status).toBe(403);
  });

  it('is not made for who lost the permission meanwhile', async () => {
    const viewer = await newUserOf('user', { extraPermissions: ['sales:view'] });
    await expect(make(viewer, 'sales')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
