import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { saleColumns } from '../../../functions/api/sales/export.ts';
import { Sale } from '../../../functions/api/sales/schemas.ts';
import { mapColumns, readLines, toBody } from '../../../functions/web/site/sales/import/lines.ts';
import { readTable } from '../../../shared/text/csv-table.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { list, newSeller, record, recorded, refund, remove } from '../../support/sales/sales.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();

type Query = Readonly<Record<string, string>>;

const take = ({ token }: Person, query: Query = {}, headers = {}) =>
  call('GET /api/sales/export', { token, query, headers });

let seller: Person;
let refunded: number;

const sales = [
  {
    amount: 49.9,
    cost: 12.5,
    customer: '=HYPERLINK("x")',
    category: 'Books',
    soldAt: '2026-11-01',
  },
  {
    amount: 1_234.56,
    customer: '\'=quoted, "Ltd"',
    soldAt: '2026-11-02T10:30:00.000Z',
    externalId: '00123',
  },
  {
    amount: 0.1,
    cost: 0,
    customer: '-5',
    category: '@home; sweet',
    soldAt: '2026-11-03T00:00:00.000Z',
  },
  { amount: 7, customer: "O'Neil", externalId: '+7', soldAt: '2026-11-04' },
];

beforeAll(async () => {
  seller = await newSeller();
  for (const sale of sales) await recorded(seller, sale);
  refunded = await recorded(seller, { amount: 99, soldAt: '2026-10-01' });
  await refund(seller, refunded);
});

const contentOf = ({ token }: Person) =>
  list({ token }, { pageSize: '100' }).then(({ body }) =>
    body.data.items.map(
      ({ amount, cost, currency, customer, category, soldAt, day }: Record<string, unknown>) => ({
        ...{ amount, cost, currency, customer, category, soldAt, day },
      }),
    ),
  );

describe('GET /api/sales/export', () => {
  it('has the columns of an import, a column for each field, and the rows of the list', async () => {
    const { status, headers, body } = await take(seller);
    expect(status).toBe(200);
    expect(headers['content-disposition']).toBe('attachment; filename="sales-2026-11-21.csv"');
    const [header, ...lines] = String(body).split('\r\n');
    expect(header).toBe(
      '\uFEFFamount,cost,currency,customer,category,soldAt,externalId,refundedAt,id,createdAt,updatedAt,version',
    );
    expect(lines[0]).toMatch(/^7,0,EUR,O'Neil,,2026-11-04,\+7,,\d+,2026-11-21T/);
    expect(lines).toHaveLength(6);
    // `day` is in `soldAt`.
    const names = saleColumns.map(([name]) => name);
    expect(Object.keys(Sale.shape).filter((name) => !names.includes(name))).toEqual(['day']);
  });

  it.each(['comma', 'semicolon'])(
    'is read by an import to the same sales (%s)',
    async (separator) => {
      const { columns, records } = readTable((await take(seller, { separator })).body);
      const lines = readLines({ columns, records }, mapColumns(columns), 'EUR');
      expect(lines.filter(({ problems }) => problems.length > 0)).toMatchObject([
        {
          row: { soldAt: '2026-10-01' },
          problems: [{ message: expect.stringContaining('refunded') }],
        },
      ]);
      const before = await contentOf(seller);
      for (const { id } of (await list(seller, { pageSize: '100' })).body.data.items) {
        expect((await remove(seller, id)).status).toBe(200);
      }
      for (const { row, problems } of lines) {
        if (problems.length === 0) expect((await record(seller, toBody(row))).status).toBe(201);
      }
      const after = await contentOf(seller);
      expect(after).toEqual(before.filter(({ amount }: { amount: number }) => amount !== 99));
      refunded = await recorded(seller, { amount: 99, soldAt: '2026-10-01' });
      await refund(seller, refunded);
    },
  );

  it('has the objects of the list as NDJSON', async () => {
    const { headers, body } = await take(seller, { format: 'ndjson', sort: '-soldAt' });
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const rows = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { items } = (await list(seller, { sort: '-soldAt', pageSize: '100' })).body.data;
    expect(rows).toEqual(items);
  });

  it('takes the filters of the list, by the same rules', async () => {
    const of = async (query: Query) =>
      String((await take(seller, query)).body).split('\r\n').length - 2;
    expect(await of({ category: 'Books' })).toBe(1);
    expect(await of({ from: '2026-11-02', to: '2026-11-03' })).toBe(2);
    const both = await take(seller, { category: 'Books', customer: 'Ann' });
    expect(both).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'customer' }] } },
    });
    const unknown = await take(seller, { page: '2' });
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'page' }] } },
    });
    const format = await take(seller, { format: 'xlsx' });
    expect(format.body.error.details).toEqual([
      { field: 'format', message: 'must be csv or ndjson' },
    ]);
  });

  it('takes sales:export and sales:view, and is recorded', async () => {
    const viewer = await newUserOf('user', { extraPermissions: ['sales:view'] });
    expect(await take(viewer)).toMatchObject({
      status: 403,
      body: { error: { message: 'Missing permission: sales:export.' } },
    });
    const blind = await newUserOf('user', { extraPermissions: ['sales:export'] });
    expect(await take(blind)).toMatchObject({
      status: 403,
      body: { error: { message: 'Missing permission: sales:view.' } },
    });
    const both = await newUserOf('user', { extraPermissions: ['sales:export', 'sales:view'] });
    expect((await take(both, { category: 'Books' })).status).toBe(200);
    const about = await entriesAbout('list:sales');
    expect(about.filter(({ actorId }) => actorId === both.id)).toMatchObject([
      { action: 'sale.export', after: { format: 'csv', rows: 1, filter: 'category=Books' } },
    ]);
  });

  it('answers HEAD without reading or recording', async () => {
    const before = (await entriesAbout('list:sales')).length;
    const { status, headers, body } = await call('HEAD /api/sales/export', { token: seller.token });
    expect([status, body]).toEqual([200, '']);
    expect(headers['content-length']).toBeUndefined();
    expect(headers['content-type']).toContain('text/csv');
    expect((await entriesAbout('list:sales')).length).toBe(before);
  });

  it('is compressed for who takes that', async () => {
    const plain = await take(seller);
    const zipped = await take(seller, {}, { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(Buffer.from(zipped.body, 'base64')).toString()).toBe(plain.body);
  });

  it('is limited in 10 minutes for a user', async () => {
    const { headers } = await take(await newSeller());
    expect(headers['ratelimit-policy']).toMatch(/^"export";q=\d+;w=600$/);
  });
});
