import { beforeAll, describe, expect, it } from 'vitest';
import { hosts, listRoutes } from '../../../functions/routes.ts';
import type { Host } from '../../../shared/http/host.ts';
import { made as madeFile, remove as removeFile } from '../../support/files/files.ts';
import { sent } from '../../support/messages/messages.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { readIds } from '../../support/service/pages.ts';
import { reportRequest } from '../../support/shares/intake.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';
import { newFailedDelivery, newWebhook } from '../../support/webhooks/webhooks.ts';

// What the lists hold is of one millisecond: pages lose and repeat nothing of it.
useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const routes = (Object.keys(hosts) as Host[]).flatMap(listRoutes);

/** The orders of each list; the first one is the default. */
const orders: Readonly<Record<string, readonly string[]>> = {
  'GET /api/audit': ['at'],
  'GET /api/documents': ['createdAt', 'title', 'name'],
  'GET /api/documents/trash': ['deletedAt'],
  'GET /api/files': ['createdAt', 'name'],
  'GET /api/files/trash': ['deletedAt'],
  'GET /api/messages': ['createdAt'],
  'GET /api/messages/conversations': ['updatedAt'],
  'GET /api/messages/conversations/{id}': ['createdAt'],
  'GET /api/notifications': ['createdAt'],
  'GET /api/sales': ['soldAt'],
  'GET /api/share': ['createdAt'],
  'GET /api/share/received': ['sharedAt'],
  'GET /api/share/requests': ['createdAt'],
  'GET /api/shares': ['createdAt'],
  'GET /api/shares/requests': ['reportedAt'],
  'GET /api/users': ['createdAt', 'name'],
  'GET /api/webhooks/{id}/deliveries': ['timestamp'],
};

describe.each(Object.entries(orders))('%s', (endpoint, names) => {
  const { root } = usePeople({ root: 'super_admin' });
  let params: Record<string, string>;
  beforeAll(async () => {
    const isOfWebhook = endpoint.includes('/webhooks/');
    const id = isOfWebhook ? (await newWebhook(root)).id : await sent(root, [root]);
    params = { id: String(id) };
  });
  const list = (query: Readonly<Record<string, string>>) =>
    call(endpoint, {
      token: root.token,
      params,
      query: { ...query, ...(endpoint === 'GET /api/share' && { mine: 'true' }) },
    });

  it.each(names)('sorts by %s', async (sort) => {
    expect((await list({ sort })).status).toBe(200);
  });

  it('uses the first order by default', async () => {
    expect((await list({ sort: names[0] ?? '' })).body).toEqual((await list({})).body);
  });

  it('rejects any other order, and names its own', async () => {
    const all = names.join(', ').replace(/, (\w+)$/, ' or $1');
    const message = `must be ${all}; - reverses the order`;
    for (const sort of ['size', '', 'CREATEDAT', '__proto__', '-', '--at', '-size']) {
      const { status, body } = await list({ sort });
      expect([sort, status, body.error?.details]).toEqual([
        sort,
        400,
        [{ field: 'sort', message }],
      ]);
    }
  });
});

describe('the prefix - of an order', () => {
  const { root } = usePeople({ root: 'super_admin' });
  let conversation: string;
  let webhook: string;
  beforeAll(async () => {
    const post = async (endpoint: string, body: object) => {
      const response = await call(endpoint, { token: root.token, body });
      expect(response.status).toBe(201);
      return response.body.id ?? String(response.body.data.id);
    };
    const first = await sent(root, [root]);
    conversation = String(first);
    for (const at of [1, 2, 3, 4]) {
      await sent(root, [root], at > 2 ? { replyTo: first } : {});
      const id = await post('POST /api/documents', { title: `Zebra ${9 - at}` });
      if (at > 2) {
        const trashed = await post('POST /api/documents', { title: 'Old' });
        const params = { id: trashed };
        await call('DELETE /api/documents/{id}', { token: root.token, params });
      }
      await post('POST /api/files/folders', { name: `Zebra ${9 - at}` });
      if (at > 2) await removeFile(root, await madeFile(root));
      await post('POST /api/sales', { amount: at, soldAt: `2026-01-0${at}` });
      await post('POST /api/share', { content: id });
      await reportRequest(await post('POST /api/share/requests', { title: 'Logs' }));
    }
    const { token } = await newUserOf('user');
    for (const content of ['1', '2', '3']) {
      await call('POST /api/share', { token, body: { content, readers: [root.id] } });
    }
    await settleJobs();
    const { id } = await newWebhook(root, { events: ['message.received'] });
    webhook = String(id);
    for (let made = 0; made < 3; made++) await newFailedDelivery(id);
  });

  const walk = (endpoint: string, query: Readonly<Record<string, string>>): Promise<unknown[]> =>
    readIds((at) =>
      call(endpoint, {
        token: root.token,
        params: { id: endpoint.includes('/webhooks/') ? webhook : conversation },
        query: { ...query, ...(endpoint === 'GET /api/share' && { mine: 'true' }), ...at },
      }),
    );

  const all = Object.entries(orders).flatMap(([endpoint, names]) =>
    names.map((name) => ({ endpoint, name, filter: {} })),
  );
  const searches = ['GET /api/documents', 'GET /api/files'].flatMap((endpoint) =>
    ['createdAt', 'name'].map((name) => ({ endpoint, name, filter: { search: 'zeb' } })),
  );
  const filtered = [
    { endpoint: 'GET /api/documents', name: 'createdAt', filter: { type: 'text' } },
    { endpoint: 'GET /api/files', name: 'createdAt', filter: { type: 'folder' } },
    { endpoint: 'GET /api/files', name: 'name', filter: { folder: '/' } },
    { endpoint: 'GET /api/messages', name: 'createdAt', filter: { box: 'all' } },
    { endpoint: 'GET /api/messages', name: 'createdAt', filter: { unread: 'true' } },
    { endpoint: 'GET /api/sales', name: 'soldAt', filter: { from: '2026-01-02' } },
    { endpoint: 'GET /api/users', name: 'createdAt', filter: { role: 'super_admin' } },
    { endpoint: 'GET /api/users', name: 'createdAt', filter: { search: 'ann' } },
    { endpoint: 'GET /api/users', name: 'name', filter: { search: 'ann' } },
  ];

  it.each([...all, ...searches, ...filtered])(
    'pages through $endpoint by $name with $filter, and reverses it',
    async ({ endpoint, name, filter }) => {
      const forward = await walk(endpoint, { ...filter, sort: name, pageSize: '100' });
      expect(await walk(endpoint, { ...filter, sort: name, pageSize: '2' })).toEqual(forward);
      expect(new Set(forward).size).toBe(forward.length);
      const backward = await walk(endpoint, { ...filter, sort: `-${name}`, pageSize: '2' });
      expect(backward).toEqual(forward.toReversed());
      const isAlone = endpoint === 'GET /api/notifications';
      if (!isAlone) expect(forward.length).toBeGreaterThan(1);
    },
  );

  it('rejects cursors of the other direction', async () => {
    const ask = (query: Readonly<Record<string, string>>) =>
      call('GET /api/sales', { token: root.token, query: { pageSize: '1', ...query } });
    const { nextCursor: cursor } = (await ask({})).body.data;
    expect((await ask({ cursor })).status).toBe(200);
    expect((await ask({ cursor, sort: 'soldAt' })).status).toBe(200);
    expect((await ask({ cursor, sort: '-soldAt' })).status).toBe(400);
  });
});

it('covers every list', () => {
  // An export has a cursor, too, and the order of its list.
  const lists = routes.filter(
    ({ query }) => query && 'cursor' in query.shape && 'page' in query.shape,
  );
  const named = lists.map(({ method, path }) => `${method} ${path}`);
  expect(named.toSorted()).toEqual(Object.keys(orders).toSorted());
});

it('sorts reported shares by their first report only', async () => {
  const { token } = await newUserOf('super_admin');
  const ask = (query: Readonly<Record<string, string>>) =>
    call('GET /api/shares', { token, query: { reported: 'true', ...query } });
  expect((await ask({})).status).toBe(200);
  const { status, body } = await ask({ sort: 'createdAt' });
  const details = [{ field: 'sort', message: 'cannot be combined with reported' }];
  expect([status, body.error?.details]).toEqual([400, details]);
});
