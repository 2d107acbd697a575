import { beforeEach, describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { login, newUserOf, type Person, password } from '../../support/users/test-users.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const minuteMs = 60_000;
const bounded = {
  permissions: ['shares:create'],
  expiresInDays: 90,
  ceiling: { maxAge: 604_800 },
};
const required = {
  status: 403,
  body: {
    error: {
      code: 'REAUTHENTICATION_REQUIRED',
      details: [{ field: 'currentPassword', message: 'is required' }],
    },
  },
};

let owner: Person;
const mint = (body: object, of = owner) => createApiToken(of.token, body);

beforeEach(async () => {
  owner = await newUserOf('super_admin');
});

describe('a powerful token', () => {
  const ceiling = { maxAge: 604_800 };
  const powerful = [
    [{}, 'has no end'],
    [{ permissions: [], expiresInDays: null }, 'has no end'],
    [{ permissions: [], expiresInDays: 91 }, 'lasts more than 90 days'],
    [{ expiresInDays: 3_650, ceiling: { maxViews: 1_000_000 } }, 'more than 90 days'],
    [{ expiresInDays: 90, ceiling }, 'all that you may'],
    [{ permissions: null, expiresInDays: 30, ceiling }, 'all that you may'],
    [{ permissions: ['*'], expiresInDays: 30, ceiling }, 'has users:create'],
    [{ permissions: ['users:*'], expiresInDays: 30 }, 'has users:create'],
    [{ permissions: ['users:create'], expiresInDays: 30 }, 'has users:create'],
    [{ permissions: ['users:update'], expiresInDays: 30 }, 'has users:update'],
    [{ permissions: ['users:delete'], expiresInDays: 30 }, 'has users:delete'],
    [{ permissions: ['documents:*'], expiresInDays: 30 }, 'has documents:manage'],
    [{ permissions: ['shares:manage'], expiresInDays: 30 }, 'has shares:manage'],
    [{ permissions: ['shares:create'], expiresInDays: 30 }, 'without a ceiling'],
    [{ permissions: ['shares:update'], expiresInDays: 30, ceiling: {} }, 'without a ceiling'],
    [{ ...bounded, permissions: ['shares:*'], ceiling: { maxViews: 1 } }, 'without a ceiling'],
    [{ ...bounded, ceiling: { maxAudience: 'private' } }, 'without a ceiling'],
  ] as const;

  it.each(powerful)(
    '%j (“%s”) is created within 15 minutes of the sign-in, then with the password',
    async (body, reason) => {
      pass(15 * minuteMs - 1);
      expect(await mint(body)).toMatchObject({ status: 201 });
      pass(1);
      // An access token is valid for 15 minutes; renewing it is no sign-in.
      const renewed = (
        await call('POST /api/auth/refresh', { body: { refreshToken: owner.refreshToken } })
      ).body;
      const of = { ...owner, token: renewed.accessToken };
      const refused = await mint(body, of);
      expect(refused).toMatchObject(required);
      expect(refused.body.error.message).toContain(reason);
      expect(await mint({ ...body, currentPassword: '' }, of)).toMatchObject(required);
      expect(await mint({ ...body, currentPassword: password }, of)).toMatchObject({ status: 201 });
      const again = (await login(owner.email)).body;
      expect(await mint(body, { ...owner, token: again.accessToken })).toMatchObject({
        status: 201,
      });
    },
  );
});

it.each([
  { permissions: ['shares:view', 'profile:*', 'users:view'], expiresInDays: 30 },
  { permissions: ['documents:view', 'messages:*'], expiresInDays: 90 },
  { ...bounded, permissions: ['shares:*'] },
  { ...bounded, ceiling: { sharesPerDay: 20 } },
])('%j asks for nothing', async (body) => {
  pass(14 * minuteMs);
  const { refreshToken } = owner;
  const { body: renewed } = await call('POST /api/auth/refresh', { body: { refreshToken } });
  pass(10 * minuteMs);
  expect(await mint(body, { ...owner, token: renewed.accessToken })).toMatchObject({ status: 201 });
});

it('refuses a wrong password, also where none is needed', async () => {
  expect(await mint({ ...bounded, currentPassword: 'wrong horse' })).toMatchObject({
    status: 400,
    body: { error: { details: [{ field: 'currentPassword', message: 'is incorrect' }] } },
  });
});

it('shows a ceiling to its owner and to administrators', async () => {
  const admin = await newUserOf('super_admin');
  const ceiling = { maxAudience: 'people', maxAge: 604_800 };
  const { body } = await mint({ ...bounded, ceiling });
  const shown = {
    permissions: ['shares:create'],
    ceiling: { maxAudience: 'people', maxViews: null, maxAge: 604_800, sharesPerDay: null },
  };
  expect(body.data).toMatchObject(shown);
  const own = await call('GET /api/auth/tokens', { token: owner.token });
  const params = { id: String(owner.id) };
  const seen = await call('GET /api/users/{id}/tokens', { token: admin.token, params });
  for (const list of [own, seen]) expect(list.body.data).toMatchObject([shown]);
});

it.each([
  ['permissions.0', { permissions: ['shares:publish'] }],
  ['ceiling.maxAudience', { ceiling: { maxAudience: 'everyone' } }],
  ['ceiling.maxViews', { ceiling: { maxViews: 0 } }],
  ['ceiling.maxAge', { ceiling: { maxAge: 1.5 } }],
  ['ceiling.sharesPerDay', { ceiling: { sharesPerDay: 10_001 } }],
  ['ceiling', { ceiling: [] }],
])('names an invalid %s', async (field, body) => {
  expect(await mint(body)).toMatchObject({
    status: 400,
    body: { error: { details: [{ field }] } },
  });
});
