import { afterEach, describe, expect, it, vi } from 'vitest';
import { roleGrants } from '../../../shared/permissions/permissions.ts';
import { call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { createUser } from '../../support/users/administration.ts';
import { tokenOfLink } from '../../support/users/links.ts';
import {
  newEmail,
  newUserOf,
  type Person,
  password,
  reading,
  register,
} from '../../support/users/test-users.ts';

useTable();
afterEach(() => vi.unstubAllEnvs());

const newUsersMay = (text: string) => vi.stubEnv('NEW_USER_PERMISSIONS', text);

const registered = async (fields: object = {}) => {
  const response = await register(newEmail(), fields);
  expect(response.status).toBe(201);
  return response.body;
};

const created = async (actor: Person, fields: object = {}) => {
  const response = await createUser(actor, fields);
  expect(response.status).toBe(201);
  return response.body;
};

const stored = async (id: number) =>
  (await itemsOf(`USER#${id}`)).find(({ sk }) => sk === 'USER')?.['extraPermissions'];

const ofUser = roleGrants.user;

describe('NEW_USER_PERMISSIONS', () => {
  it('grants new users permissions beyond their role immediately', async () => {
    newUsersMay('documents:create messages:*, files:view');
    const { user, token } = await registered();
    expect(user.permissions).toEqual([...ofUser, 'documents:create', 'messages:*']);
    expect(await stored(user.id)).toEqual(['documents:create', 'messages:*']);
    const made = (path: 'documents' | 'calendar/events', body: object) =>
      call(`POST /api/${path}`, { token, body });
    expect((await made('documents', { title: 'Mine' })).status).toBe(201);
    expect((await made('calendar/events', { title: 'Mine' })).status).toBe(403);
  });

  it('applies the value at the creation of the account', async () => {
    newUsersMay('documents:create');
    const { user, token } = await registered();
    newUsersMay('files:create');
    const me = await call('GET /api/users/me', { token });
    expect(me.body.data.permissions).toEqual([...ofUser, 'documents:create']);
    expect((await registered()).user.permissions).toEqual([...ofUser, 'files:create']);
    expect(await stored(user.id)).toEqual(['documents:create']);
  });

  it('applies if an admin names no permissions, also to those the admin does not have', async () => {
    newUsersMay('documents:create sales:view');
    const admin = await newUserOf('admin');
    const extras = async (fields: Record<string, unknown>) =>
      stored((await created(admin, fields)).data.id);
    expect(await extras({})).toEqual(['documents:create', 'sales:view']);
    expect(await extras({ password })).toEqual(['documents:create', 'sales:view']);
    expect(await extras({ permissions: null })).toEqual(['documents:create', 'sales:view']);
    expect(await extras({ role: 'admin' })).toEqual(['sales:view']);
    expect(await extras({ permissions: [] })).toEqual([]);
    expect(await extras({ permissions: ['files:create'] })).toEqual(['files:create']);
  });

  it('does not let an admin name permissions the admin does not have', async () => {
    newUsersMay('sales:view');
    const { token } = await newUserOf('admin');
    const body = { email: newEmail(), name: 'Bob Example', permissions: ['sales:view'] };
    expect((await call('POST /api/users', { token, body })).status).toBe(403);
  });

  it('keeps the permissions of invited users, whom the admin can invite again', async () => {
    newUsersMay('sales:view');
    const admin = await newUserOf('admin', { extraPermissions: [...reading, 'sales:view'] });
    const email = newEmail();
    const { data } = await created(admin, { email });
    const again = await call('POST /api/users/{id}/invitation', {
      token: admin.token,
      params: { id: String(data.id) },
    });
    expect(again.status).toBe(200);
    newUsersMay('dashboard:view');
    const token = tokenOfLink(again.body.link);
    const { user } = await registered({ email, token });
    expect(user).toMatchObject({ id: data.id, permissions: [...ofUser, 'sales:view'] });
  });
});
