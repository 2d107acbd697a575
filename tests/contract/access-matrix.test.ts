// Whether each route rejects exactly those who may not call it. What depends on the record is in the tests of its group.
import { beforeAll, describe, expect, it } from 'vitest';
import { hosts, listRoutes } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import type { Route } from '../../shared/http/route.ts';
import {
  type Permission,
  permissions,
  type Role,
  roles,
} from '../../shared/permissions/permissions.ts';
import { call } from '../support/service/call.ts';
import { errorBody } from '../support/service/error-body.ts';
import { useTable } from '../support/table/table.ts';
import { newUserOf } from '../support/users/test-users.ts';

useTable();

/** Repeats the role table of the document with every wildcard expanded. */
const heldBy: Readonly<Record<Role, readonly Permission[]>> = {
  super_admin: permissions,
  admin: permissions.filter((permission) =>
    ['users', 'documents', 'files', 'messages', 'calendar'].includes(
      permission.split(':')[0] ?? '',
    ),
  ),
  user: ['documents:view', 'files:view', 'messages:view', 'calendar:view'],
  guest: ['dashboard:view'],
};

interface Column {
  readonly name: string;
  readonly role: Role;
  readonly extras: readonly string[];
  readonly held: readonly Permission[];
}

const columns: readonly Column[] = [
  ...roles.map((role) => ({ name: `a ${role}`, role, extras: [], held: heldBy[role] })),
  ...permissions.map((extra) => ({
    name: `a guest who holds ${extra}`,
    role: 'guest' as const,
    extras: [extra],
    held: [...heldBy.guest, extra],
  })),
  {
    name: 'a guest who holds users:*',
    role: 'guest',
    extras: ['users:*'],
    held: [...heldBy.guest, ...permissions.filter((permission) => permission.startsWith('users:'))],
  },
  { name: 'a guest who holds *', role: 'guest', extras: ['*'], held: permissions },
];

const routes = (Object.keys(hosts) as Host[]).flatMap(listRoutes);
const guarded = routes.filter(({ access }) => access !== 'public' && access !== 'optional');

/** Calls with a body, an id and a query that every route rejects, so no call has an effect. */
const callWithGarbage = async ({ method, path }: Route, token: string | undefined) => {
  const params = { id: 'garbage' };
  const query = { page: 'garbage', sort: 'garbage', transferTo: 'garbage' };
  return call(`${method} ${path}`, { params, query, body: '{"gar', token });
};

const mayCall = (held: readonly Permission[], { access, accessByRecord }: Route): boolean =>
  access === 'signed-in' ||
  access === 'session' ||
  [access, accessByRecord].some((one) => held.includes(one as Permission));

describe.each(columns)('$name', ({ role, extras, held }) => {
  let token: string;

  beforeAll(async () => {
    token = (await newUserOf(role, { extraPermissions: extras })).token;
  });

  it('is rejected exactly if the permission is missing, before body and id are read', async () => {
    const answered: Record<string, string> = {};
    const expected: Record<string, string> = {};
    // Signing out is last: it ends the session that the other calls use.
    const inOrder = guarded.toSorted(
      (a, b) => Number(a.path.endsWith('logout')) - Number(b.path.endsWith('logout')),
    );
    for (const route of inOrder) {
      const endpoint = `${route.method} ${route.path}`;
      const { status, body } = await callWithGarbage(route, token);
      answered[endpoint] =
        status === 403 || status === 401 ? `${status} ${body.error.code}` : 'let in';
      expected[endpoint] = mayCall(held, route) ? 'let in' : '403 FORBIDDEN';
    }
    expect(answered).toEqual(expected);
  });
});

describe.each([
  ['without a token', undefined],
  ['with an invalid token', 'not.a.token'],
])('a caller %s', (_, token) => {
  it('is rejected by every guarded route, before body and id are read, and by no other', async () => {
    const unauthorized = {
      status: 401,
      asked: 'Bearer',
      body: errorBody(
        'UNAUTHORIZED',
        'The access token is missing, invalid or expired. Sign in again.',
      ),
    };
    // Its clients read the address of the metadata, and errors of JSON-RPC.
    const unauthorizedClient = {
      status: 401,
      asked: expect.stringMatching(/^Bearer .*resource_metadata="https:/),
      body: expect.objectContaining({ jsonrpc: '2.0' }),
    };
    const answered: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const route of routes) {
      const rejected = route.path === '/mcp' ? unauthorizedClient : unauthorized;
      const endpoint = `${route.method} ${route.path}`;
      const { status, headers, body } = await callWithGarbage(route, token);
      // A public route may reject credentials in the body, but never a missing token.
      answered[endpoint] = [401, 403].includes(status)
        ? { status, asked: headers['www-authenticate'], body }
        : 'let in';
      expected[endpoint] = guarded.includes(route) ? rejected : 'let in';
    }
    expect(answered).toEqual(expected);
  });
});

it('names the missing permission', async () => {
  const { token } = await newUserOf('guest');
  expect((await call('GET /api/users', { token })).body.error).toMatchObject({
    code: 'FORBIDDEN',
    message: 'Missing permission: users:view.',
    details: [],
  });
});
