import { beforeAll, describe, expect, it } from 'vitest';
import { type Host, hosts, routesOf } from '../functions/routes.ts';
import { call } from './support/call.ts';
import { sent } from './support/messages.ts';
import { newUserOf, type Person } from './support/people.ts';
import { useTable } from './support/table.ts';

useTable();

const routes = (Object.keys(hosts) as Host[]).flatMap(routesOf);

/** The orders that each list has, the first of them where none is asked for. */
const orders: Readonly<Record<string, readonly string[]>> = {
  'GET /api/audit': ['at'],
  'GET /api/documents': ['createdAt', 'title', 'name'],
  'GET /api/documents/trash': ['deletedAt'],
  'GET /api/files': ['createdAt', 'name'],
  'GET /api/messages': ['createdAt'],
  'GET /api/messages/conversations': ['updatedAt'],
  'GET /api/messages/conversations/{id}': ['createdAt'],
  'GET /api/notifications': ['createdAt'],
  'GET /api/sales': ['soldAt'],
  'GET /api/share': ['createdAt'],
  'GET /api/shares': ['createdAt'],
  'GET /api/users': ['createdAt', 'name'],
};

describe.each(Object.entries(orders))('%s', (endpoint, names) => {
  let root: Person;
  let params: Record<string, string>;
  beforeAll(async () => {
    root = await newUserOf('super_admin');
    params = { id: String(await sent(root, [root])) };
  });
  const list = (query: Readonly<Record<string, string>>) =>
    call(endpoint, {
      token: root.token,
      params,
      query: { ...query, ...(endpoint === 'GET /api/share' && { mine: 'true' }) },
    });

  it.each(names)('can be asked for in the order of %s', async (sort) => {
    expect((await list({ sort })).status).toBe(200);
  });

  it('is in its first order where none is asked for', async () => {
    expect((await list({ sort: names[0] ?? '' })).body).toEqual((await list({})).body);
  });

  it.each(['size', '', 'CREATEDAT', '__proto__'])('refuses the order %j', async (sort) => {
    const { status, body } = await list({ sort });
    const message = `must be ${names.join(', ').replace(/, (\w+)$/, ' or $1')}`;
    expect([status, body.error?.details]).toEqual([400, [{ field: 'sort', message }]]);
  });
});

it('is named above of every list', () => {
  const lists = routes.filter(({ query }) => query && 'cursor' in query.shape);
  const named = lists.map(({ method, path }) => `${method} ${path}`);
  expect(named.toSorted()).toEqual(Object.keys(orders).toSorted());
});

it('is by the first report alone, of shares that were reported', async () => {
  const { token } = await newUserOf('super_admin');
  const ask = (query: Readonly<Record<string, string>>) =>
    call('GET /api/shares', { token, query: { reported: 'true', ...query } });
  expect((await ask({})).status).toBe(200);
  const { status, body } = await ask({ sort: 'createdAt' });
  const details = [{ field: 'sort', message: 'can not be used beside reported' }];
  expect([status, body.error?.details]).toEqual([400, details]);
});
