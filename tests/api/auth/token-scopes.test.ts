import { beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken, me, updateProfile } from '../../support/users/account.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();

let owner: Person;
let id: string;

const tokenWith = async (permissions: readonly string[] | null, of = owner): Promise<string> =>
  (await createApiToken(of.token, { permissions })).body.data.token;
const share = async (token: string, body: object = {}) =>
  call('POST /api/share', { token, body: { content: '<p>Hi</p>', ...body } });
const mine = (token: string, query: object = {}) =>
  call('GET /api/share', { token, query: { mine: 'true', ...query } });
const change = (token: string, body: object, of = id) =>
  call('PUT /api/share/{id}', { token, params: { id: of }, body });

beforeEach(async () => {
  owner = await newUserOf('super_admin');
  id = (await share(owner.token, { password: 'Abc123', content: '<p>Secret</p>' })).body.id;
  await change(owner.token, { content: '<p>Still secret</p>' });
});

describe('an API token with no permissions', () => {
  let token: string;
  beforeEach(async () => {
    token = await tokenWith([]);
  });

  it('reads, unprotects, ends and deletes no share of its owner', async () => {
    const params = { id };
    const answers = await Promise.all([
      mine(token),
      mine(token, { id }),
      call('GET /api/share/{id}/revisions', { token, params }),
      call('GET /api/share/{id}/revisions/{version}', { token, params: { id, version: '1' } }),
      call('GET /s/{id}/revisions', { token, params }),
      call('GET /s/{id}/revisions/{version}/raw', { token, params: { id, version: '1' } }),
      call('GET /api/share/{id}/links', { token, params }),
      change(token, { password: null }),
      call('POST /api/share/{id}/end', { token, params }),
      call('DELETE /api/share/{id}', { token, params }),
      share(token),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      401, 401, 404, 404, 404, 404, 403, 403, 403, 403, 403,
    ]);
    expect(await mine(owner.token, { id })).toMatchObject({
      status: 200,
      body: { protected: true },
    });
  });

  it('learns and changes nothing about its owner', async () => {
    const answers = await Promise.all([
      me(token),
      call('GET /api/users/me', { token }),
      updateProfile(token, { name: 'Mallory' }),
      call('GET /api/notifications', { token }),
      call('GET /api/notifications/unread-count', { token }),
      call('PUT /api/notifications/read-all', { token }),
      call('POST /api/checkin', { token }),
      call('GET /api/dashboard/tasks', { token }),
      call('GET /api/dashboard/calendar', { token }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(403));
    expect(answers[0]?.body.error).toMatchObject({
      code: 'FORBIDDEN',
      message: 'The API token lacks profile:view.',
    });
    expect((await me(owner.token)).body.data.name).not.toBe('Mallory');
  });

  it('counts as signed out where sign-in is optional', async () => {
    const account = await call('GET /account', { token });
    expect(account).toMatchObject({ status: 303, headers: { location: '/login?next=/account' } });
    expect((await call('GET /', { token })).body).not.toContain(owner.email);
    expect((await call('GET /s/{id}', { token, params: { id } })).body).not.toContain('Edit');
  });
});

it('counts on pages as signed out, whatever it may', async () => {
  const token = await tokenWith(null);
  expect((await call('GET /', { token })).body).not.toContain(owner.email);
});

describe('shares:* of an API token', () => {
  it('is all of its owner’s shares, and nobody else’s', async () => {
    const ann = await newUserOf('user');
    const { body: theirs } = await share(ann.token);
    const token = await tokenWith(['shares:*']);
    expect((await mine(token)).body.total).toBe(1);
    expect(await change(token, { password: null })).toMatchObject({ status: 200 });
    expect(await change(token, { title: 'Mine' }, theirs.id)).toMatchObject({ status: 404 });
    expect(await call('GET /api/shares', { token })).toMatchObject({ status: 403 });
    const params = { id };
    expect(await call('DELETE /api/share/{id}', { token, params })).toMatchObject({ status: 200 });
  });

  it('can be given by any user, shares:manage only by those who have it', async () => {
    const ann = await newUserOf('guest');
    expect(await tokenWith(['shares:*', 'profile:view'], ann)).toMatch(/^hb_/);
    const refused = await createApiToken(ann.token, { permissions: ['shares:manage'] });
    expect(refused).toMatchObject({ status: 403 });
  });
});

it('* of an API token is everything', async () => {
  const token = await tokenWith(['*']);
  expect(await mine(token)).toMatchObject({ status: 200 });
  expect(await me(token)).toMatchObject({ status: 200 });
  expect(await call('GET /api/shares', { token })).toMatchObject({ status: 200 });
});
