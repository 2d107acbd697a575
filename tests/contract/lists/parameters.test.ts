import { beforeAll, describe, expect, it } from 'vitest';
import { hosts, listRoutes } from '../../../functions/routes.ts';
import type { Host } from '../../../shared/http/host.ts';
import type { Route } from '../../../shared/http/route.ts';
import { sent } from '../../support/messages/messages.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';
import { newWebhook } from '../../support/webhooks/webhooks.ts';

useTable();

const routes = (Object.keys(hosts) as Host[]).flatMap(listRoutes);
const endpointOf = ({ method, path }: Route) => `${method} ${path}`;

const isList = ({ query, readsList }: Route) =>
  readsList !== undefined || (query !== undefined && 'cursor' in query.shape);

let root: Person;
let params: Record<string, string>;
let ofWebhook: Record<string, string>;
beforeAll(async () => {
  root = await newUserOf('super_admin');
  params = { id: String(await sent(root, [root])) };
  ofWebhook = { id: String((await newWebhook(root)).id) };
});

describe.each(routes.filter(isList).map((route) => ({ endpoint: endpointOf(route), route })))(
  '$endpoint',
  ({ endpoint, route }) => {
    const own = endpoint === 'GET /api/share' ? { mine: 'true' } : {};
    const ask = (query: Readonly<Record<string, string>>, head = endpoint) =>
      call(head, {
        token: root.token,
        params: endpoint.includes('/webhooks/') ? ofWebhook : params,
        query: { ...own, ...query },
      });

    it('rejects an unknown parameter and names the known ones', async () => {
      const known = Object.keys(route.query?.shape ?? {}).join(', ');
      const message = `is not a parameter of this list; allowed: ${known}`;
      const details = ['colour', 'Page'].map((field) => ({ field, message }));
      const { status, body } = await ask({ colour: 'red', Page: '2' });
      expect([status, body]).toEqual([
        400,
        errorBody('VALIDATION_ERROR', `Invalid colour: ${message}.`, details),
      ]);
      expect((await ask({ colour: '' }, endpoint.replace('GET', 'HEAD'))).status).toBe(400);
    });

    it('names both an invalid and an unknown parameter', async () => {
      const wrong = 'cursor' in (route.query?.shape ?? {}) ? 'page' : 'timezone';
      const { status, body } = await ask({ [wrong]: 'x', __proto: '1' });
      const fields = body.error.details.map(({ field }: { field: string }) => field);
      expect([status, fields]).toEqual([400, [wrong, '__proto']]);
    });

    it('accepts requests without parameters', async () => {
      expect((await ask({})).status).toBe(route.status);
    });
  },
);

it('ignores unknown parameters of other routes and pages', async () => {
  const { body } = await call('POST /api/share', { token: root.token, body: { content: 'Hi' } });
  const query = { utm_source: 'mail' };
  for (const [endpoint, id] of [
    ['GET /api/users/me', ''],
    ['GET /api/users/{id}', String(root.id)],
    ['GET /api/auth/sessions', ''],
    ['GET /api/dashboard/visits', ''],
    ['GET /api/health', ''],
    ['GET /s/{id}', body.id],
    ['GET /forgot', ''],
    ['GET /authorize', ''],
  ] as const) {
    const { status } = await call(endpoint, { token: root.token, params: { id }, query });
    expect([endpoint, status]).toEqual([endpoint, 200]);
  }
  const one = await call('GET /api/share', { query: { ...query, id: body.id } });
  expect(one.status).toBe(200);
});
