import { beforeEach, describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { login, newUserOf, type Person, password } from '../../support/users/test-users.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const minuteMs = 60_000;
const bounded = { expiresInDays: 30, ceiling: { maxAge: 604_800 } };
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
  owner = await newUserOf('user');
});

describe('a token without an end, or one that may publish without a ceiling', () => {
  const powerful = [
    {},
    { expiresInDays: 30 },
    { permissions: [], expiresInDays: null },
    { permissions: ['shares:create'], expiresInDays: 30 },
    { permissions: ['shares:update'], expiresInDays: 30, ceiling: {} },
    { permissions: ['shares:*'], expiresInDays: 30, ceiling: { maxViews: null } },
    { ceiling: { maxViews: 1 } },
  ];

  it.each(powerful)(
    '%j is created within 15 minutes of the sign-in, then with the password',
    async (body) => {
      pass(15 * minuteMs - 1);
      expect(await mint(body)).toMatchObject({ status: 201 });
      pass(1);
      // An access token is valid for 15 minutes; renewing it is no sign-in.
      const renewed = (
        await call('POST /api/auth/refresh', { body: { refreshToken: owner.refreshToken } })
      ).body;
      const of = { ...owner, token: renewed.accessToken };
      expect(await mint(body, of)).toMatchObject(required);
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
  { permissions: ['shares:view', 'profile:view'], expiresInDays: 30 },
  { permissions: ['shares:create'], ...bounded },
  bounded,
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
  const admin = await newUserOf('admin');
  const { body } = await mint({ permissions: ['shares:create'], ...bounded });
  const shown = {
    permissions: ['shares:create'],
    ceiling: { maxViews: null, maxAge: 604_800, sharesPerDay: null },
  };
  expect(body.data).toMatchObject(shown);
  const own = await call('GET /api/auth/tokens', { token: owner.token });
  const params = { id: String(owner.id) };
  const seen = await call('GET /api/users/{id}/tokens', { token: admin.token, params });
  for (const list of [own, seen]) expect(list.body.data).toMatchObject([shown]);
});

it.each([
  ['permissions.0', { permissions: ['shares:publish'] }],
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
