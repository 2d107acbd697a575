import { beforeAll, describe, expect, it } from 'vitest';
import { hosts, listRoutes } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import { permissions } from '../../shared/permissions/permissions.ts';
import { scopes } from '../../shared/permissions/scopes.ts';
import { call } from '../support/service/call.ts';
import { useTable } from '../support/table/table.ts';
import { createApiToken } from '../support/users/account.ts';
import { newUserOf } from '../support/users/test-users.ts';

useTable();

const routes = (Object.keys(hosts) as Host[]).flatMap(listRoutes);
const scoped = routes.filter(({ access }) => access === 'signed-in' || access === 'optional');
const entries = [...scopes, ...permissions];

let session: string;
/** Creates a token with these permissions, or with all that its owner has. */
const newToken = async (held: readonly string[] | null): Promise<string> =>
  (await createApiToken(session, { permissions: held })).body.data.token;

/** Calls with a body and an id that every route rejects, so no call has an effect. */
const callWithGarbage = ({ method, path }: (typeof routes)[number], token: string) =>
  call(`${method} ${path}`, { params: { id: 'garbage' }, body: '{"gar', token });

beforeAll(async () => {
  session = (await newUserOf('super_admin')).token;
});

it('says for each route without a permission what an API token needs, and for no other', () => {
  expect(routes.filter(({ scope }) => scope !== undefined)).toEqual(scoped);
});

it('asks for every scope somewhere', () => {
  const asked = new Set(scoped.map(({ scope }) => scope));
  const unused = scopes.filter((scope) => !asked.has(scope));
  expect(unused).toEqual([]);
});

/** A token without a list has all permissions of its owner. */
const everything = 'everything';
const forSessions = 'API tokens can’t be used for this request.';

/** An export takes the right to its list, too, and that of all users’ shares both. */
const alsoNeeded: Readonly<Record<string, string>> = {
  'GET /api/audit/export': 'audit:view',
  'GET /api/sales/export': 'sales:view',
  'GET /api/shares/export': 'shares:export',
  'GET /api/users/export': 'users:view',
  'POST /api/audit/export': 'audit:view',
  'POST /api/sales/export': 'sales:view',
  'POST /api/shares/export': 'shares:export',
  'POST /api/users/export': 'users:view',
};

describe.each([...entries, everything])('an API token with %s alone', (entry) => {
  it('is let in by exactly the routes that name it or need nothing', async () => {
    const token = await newToken(entry === everything ? null : [entry]);
    const answered: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const route of routes) {
      const { method, path, access, scope } = route;
      if (access === 'public' || access === 'optional') continue;
      const endpoint = `${method} ${path}`;
      const { status, body } = await callWithGarbage(route, token);
      answered[endpoint] = status === 403 ? body.error.message : 'let in';
      const needed = access === 'signed-in' ? scope : access;
      const isHeld = needed === 'none' || needed === entry || entry === everything;
      const lacking =
        access === 'signed-in'
          ? `The API token lacks ${needed}.`
          : `Missing permission: ${needed}.`;
      // A feed address would outlive the API token that created it.
      const isForSessions =
        access === 'session' || (isHeld && endpoint === 'POST /api/calendar/feed');
      const also = entry === everything ? undefined : alsoNeeded[endpoint];
      const held = also === undefined ? 'let in' : `Missing permission: ${also}.`;
      expected[endpoint] = isForSessions ? forSessions : isHeld ? held : lacking;
    }
    expect(answered).toEqual(expected);
  });
});
