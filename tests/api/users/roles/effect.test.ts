import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findModerators } from '../../../../functions/api/share/ending/notify.ts';
import { accountKeys } from '../../../../functions/api/users/record/keys.ts';
import { appsOf, connect, newClient } from '../../../support/apps/apps.ts';
import { legacy } from '../../../support/mcp/messages.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { putItems } from '../../../support/table/batch-writes.ts';
import { meterAws } from '../../../support/table/meter.ts';
import { useTable } from '../../../support/table/table.ts';
import { createApiToken, refresh } from '../../../support/users/account.ts';
import { changeUser, createUser } from '../../../support/users/administration.ts';
import { changeRole, newRole } from '../../../support/users/roles.ts';
import { login, newUserOf, type Person } from '../../../support/users/test-users.ts';

useTable();
useBucket();

let root: Person;
beforeAll(async () => {
  root = await newUserOf('super_admin');
});

const listDocuments = (given: { readonly token: string } | { readonly cookies: string[] }) =>
  call('GET /api/documents', given);

describe('a change of a custom role', () => {
  it('takes effect at the next request: session, cookie, API token, connected app', async () => {
    const name = await newRole(root, ['documents:view']);
    const person = await newUserOf(name);
    const { cookies = [] } = await login(person.email);
    const cookie = (cookies[0] ?? '').split(';')[0] ?? '';
    const whole = (await createApiToken(person.token, { name: 'All', expiresInDays: 7 })).body.data;
    const limited = (
      await createApiToken(person.token, {
        name: 'Documents',
        expiresInDays: 7,
        permissions: ['documents:view'],
      })
    ).body.data;
    const client = await newClient();
    const asked = { scope: 'documents:view', permissions: ['documents:view'] };
    const app = await connect(person, client, asked);
    const search = async () => {
      const params = { name: 'document_search', arguments: { search: 'plan' } };
      const { body } = await legacy(app.access, 'tools/call', params);
      return body.result?.isError === true || body.error !== undefined ? 403 : 200;
    };
    const statuses = async () => [
      (await listDocuments({ token: person.token })).status,
      (await listDocuments({ cookies: [cookie] })).status,
      (await listDocuments({ token: whole.token })).status,
      (await listDocuments({ token: limited.token })).status,
      await search(),
    ];
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    await changeRole(root, name, { permissions: ['audit:view'] });
    expect(await statuses()).toEqual([403, 403, 403, 403, 403]);
    expect((await call('GET /api/audit', { token: person.token })).status).toBe(200);
    await changeRole(root, name, { permissions: ['documents:*'] });
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    expect(await appsOf(person)).toHaveLength(1);
    // So does another role, of which the token's hint knows nothing.
    await changeUser(root, person.id, { role: 'guest' });
    expect(await statuses()).toEqual([403, 403, 403, 403, 403]);
    await changeUser(root, person.id, { role: name });
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
  });

  it('is shown by the profile and by a refresh', async () => {
    const name = await newRole(root, ['sales:view']);
    const person = await newUserOf(name);
    await changeRole(root, name, { permissions: ['audit:view'] });
    expect((await call('GET /api/users/me', { token: person.token })).body.data).toMatchObject({
      role: name,
      permissions: ['audit:view'],
    });
    expect((await refresh(person.refreshToken)).body.user.permissions).toEqual(['audit:view']);
    const shown = await call('GET /api/users/{id}', {
      token: root.token,
      params: { id: String(person.id) },
    });
    expect(shown.body.data.permissions).toEqual(['audit:view']);
  });
});

describe('what a request costs', () => {
  let meter: ReturnType<typeof meterAws>;
  beforeAll(() => {
    meter = meterAws();
  });
  afterAll(() => meter.stop());

  const costOf = async (token: string) => {
    // The first use of a token writes.
    await call('GET /api/users/me', { token });
    const { readUnits, writeUnits, trips } = await meter.measure(() =>
      call('GET /api/users/me', { token }),
    );
    return { readUnits, writeUnits, trips };
  };

  it('is as before for who has a built-in role', async () => {
    for (const role of ['super_admin', 'admin', 'user', 'guest']) {
      const { token } = await newUserOf(role);
      expect(await costOf(token)).toEqual({ readUnits: 2, writeUnits: 0, trips: 1 });
    }
  });

  it('is one unit and no trip more for who has a custom role, by any token', async () => {
    const { token } = await newUserOf(await newRole(root, ['audit:view']));
    const expected = { readUnits: 3, writeUnits: 0, trips: 1 };
    expect(await costOf(token)).toEqual(expected);
    const { body } = await createApiToken(token, {
      expiresInDays: 7,
      permissions: ['profile:view'],
    });
    expect(await costOf(body.data.token)).toEqual(expected);
  });

  it('is a unit and a trip more only at the first request without a hint', async () => {
    const name = await newRole(root, ['audit:view']);
    const person = await newUserOf('guest');
    await call('GET /api/users/me', { token: person.token });
    await changeUser(root, person.id, { role: name });
    const measure = async () => {
      const { readUnits, trips } = await meter.measure(() =>
        call('GET /api/users/me', { token: person.token }),
      );
      return { readUnits, trips };
    };
    expect(await measure()).toEqual({ readUnits: 3, trips: 2 });
    expect(await measure()).toEqual({ readUnits: 3, trips: 1 });
    await changeUser(root, person.id, { role: 'guest' });
    expect(await measure()).toEqual({ readUnits: 3, trips: 1 });
    expect(await measure()).toEqual({ readUnits: 2, trips: 1 });
  });

  it('of a change of a role does not grow with its users', async () => {
    const name = await newRole(root, ['audit:view']);
    const change = async (label: string) => {
      const permissions = label === 'Two' ? ['shares:manage'] : ['sales:view'];
      const { readUnits, writeUnits, trips } = await meter.measure(() =>
        changeRole(root, name, { label: `${label} of ${name}`, permissions }),
      );
      return { readUnits, writeUnits, trips };
    };
    const before = await change('One');
    for (let count = 0; count < 5; count++) await createUser(root, { role: name });
    expect(await change('Two')).toEqual(before);
  });
});

describe('the moderators', () => {
  it('include who has the permission by a custom role, and never more than 100', async () => {
    const name = await newRole(root, ['audit:view']);
    const person = await newUserOf(name, { extraPermissions: ['shares:manage'] });
    const other = await newUserOf(name);
    expect(await findModerators()).toEqual(expect.arrayContaining([root.id, person.id]));
    expect(await findModerators()).not.toContain(other.id);
    await changeRole(root, name, { permissions: ['shares:*'] });
    const found = await findModerators();
    expect(found).toEqual(expect.arrayContaining([root.id, person.id, other.id]));
    expect(found.filter((id) => id === person.id)).toHaveLength(1);
    await putItems(
      Array.from({ length: 300 }, (_, index) => ({
        ...accountKeys.byRoleAndStatus.at({ role: name, status: 'active', id: index + 1 }),
        id: index + 1,
      })),
    );
    expect((await findModerators()).length).toBeLessThanOrEqual(100);
  });
});
