import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { detailsOf } from '../../../support/service/audit.ts';
import { type Answer, call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import {
  changeEmail,
  changePassword,
  createApiToken,
  refresh,
  updateProfile,
} from '../../../support/users/account.ts';
import { changeUser } from '../../../support/users/administration.ts';
import { codeOf, wrongCode } from '../../../support/users/authenticator.ts';
import {
  beginTotp,
  enrolTotp,
  newTotpUser,
  nextCode,
  reauthenticate,
  removeTotp,
  renewCodes,
  signInBoth,
  type WithTotp,
} from '../../../support/users/factors.ts';
import { changeRole, createRole, deleteRole, newRole } from '../../../support/users/roles.ts';
import {
  login,
  newPerson,
  newUserOf,
  type Person,
  password,
} from '../../../support/users/test-users.ts';
import { signInAgain, usePeople } from '../../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const minuteMs = 60_000;
const { root, target } = usePeople({ root: 'super_admin', target: 'user' });

/** Lets time pass and refreshes the session, because its access token may be over. */
const later = async <User extends Person>(user: User, ms: number): Promise<User> => {
  pass(ms);
  const { status, body } = await refresh(user.refreshToken);
  expect(status).toBe(200);
  return { ...user, token: body.accessToken, refreshToken: body.refreshToken };
};

/** Lets the last proof of a user become too old; refreshing is none. */
const outdate = <User extends Person>(user: User): Promise<User> => later(user, 15 * minuteMs);

const refusedFor = (field: 'code' | 'currentPassword') => ({
  status: 403,
  body: {
    error: {
      code: 'REAUTHENTICATION_REQUIRED',
      details: [{ field, message: 'is required' }],
    },
  },
});

/** What takes a proof, by a super_admin. */
const guarded: readonly (readonly [string, (user: Person) => Promise<Answer>])[] = [
  ['changing the password', ({ token }) => changePassword(token)],
  ['changing the email address', ({ token }) => changeEmail(token)],
  ['setting up an app', ({ token }) => beginTotp(token, { currentPassword: password })],
  ['removing the app', ({ token }) => removeTotp(token)],
  ['new recovery codes', ({ token }) => renewCodes(token)],
  ['a powerful token', ({ token }) => createApiToken(token, { currentPassword: password })],
  ['a role', (user) => changeUser(user, target.id, { role: 'guest' })],
  ['creating a role', (user) => createRole(user, [])],
  [
    'changing a role',
    async (user) =>
      changeRole(user, await newRole(await signInAgain(root), []), { permissions: ['sales:view'] }),
  ],
  ['deleting a role', async (user) => deleteRole(user, await newRole(await signInAgain(root), []))],
  ['a permission', (user) => changeUser(user, target.id, { permissions: ['sales:view'] })],
];

describe('with a second factor', () => {
  it.each(guarded)('%s takes a proof of the last 15 minutes', async (_, act) => {
    const user = await newTotpUser('super_admin');
    const late = await outdate(user);
    expect(await act(late)).toMatchObject(refusedFor('code'));
    const proven = await reauthenticate(late.token, { code: codeOf(user.secret) });
    expect(proven).toMatchObject({
      status: 200,
      body: { success: true, data: { provenAt: new Date().toISOString() } },
    });
    expect((await act(await later(late, 15 * minuteMs - 1))).status).toBeLessThan(300);
  });

  it.each(guarded)('%s takes none within 15 minutes of a sign-in by it', async (_, act) => {
    const user = await newTotpUser('super_admin');
    pass(60 * minuteMs);
    const { body } = await signInBoth(user);
    pass(15 * minuteMs - 1);
    const { token } = (await refresh(body.refreshToken)).body;
    expect((await act({ ...user, token })).status).toBeLessThan(300);
  });

  it('a wrong password is named before', async () => {
    const late = await outdate(await newTotpUser());
    const wrong = { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } };
    expect(await changePassword(late.token, { currentPassword: 'wrong' })).toMatchObject(wrong);
    expect(await changeEmail(late.token, undefined, 'wrong')).toMatchObject(wrong);
    const body = { currentPassword: 'wrong' };
    expect(await createApiToken(late.token, body)).toMatchObject(wrong);
  });

  it('what takes none stays so', async () => {
    const late = await outdate(await newTotpUser('super_admin'));
    expect((await updateProfile(late.token, { name: 'Ann' })).status).toBe(200);
    expect((await changeUser(late, target.id, { name: 'Bob' })).status).toBe(200);
    const plain = { permissions: ['documents:view'], expiresInDays: 30 };
    expect((await createApiToken(late.token, plain)).status).toBe(201);
  });

  it('an unchanged role or permission takes none', async () => {
    const late = await outdate(await newTotpUser('super_admin'));
    const { body } = await call('GET /api/users/{id}', {
      token: late.token,
      params: { id: String(target.id) },
    });
    const { role, permissions } = body.data;
    expect((await changeUser(late, target.id, { role, permissions })).status).toBe(200);
  });

  it('API tokens change roles as before, because making one took a proof', async () => {
    const user = await newTotpUser('super_admin');
    const { token } = (await createApiToken(user.token)).body.data;
    await outdate(user);
    expect((await changeUser({ token }, target.id, { role: 'user' })).status).toBe(200);
  });
});

describe('without a second factor', () => {
  it('roles of users take nothing', async () => {
    const late = await outdate(await newUserOf('super_admin'));
    expect((await changeUser(late, target.id, { role: 'user' })).status).toBe(200);
  });

  it('setting up an app takes the password, or a sign-in of the last 15 minutes', async () => {
    const late = await outdate(await newUserOf('user'));
    expect(await beginTotp(late.token)).toMatchObject(refusedFor('currentPassword'));
    const wrong = await beginTotp(late.token, { currentPassword: 'wrong horse' });
    expect(wrong.status).toBe(400);
    expect((await beginTotp(late.token, { currentPassword: password })).status).toBe(200);
    const { body } = await login(late.email);
    const fresh = { ...late, refreshToken: body.refreshToken };
    expect((await beginTotp((await later(fresh, 15 * minuteMs - 1)).token)).status).toBe(200);
  });

  it('the password proves who is signed in, for 15 minutes', async () => {
    const late = await outdate(await newUserOf('user'));
    const { status, body } = await reauthenticate(late.token, { currentPassword: password });
    expect([status, body.data]).toEqual([200, { provenAt: new Date().toISOString() }]);
    expect((await beginTotp((await later(late, 15 * minuteMs - 1)).token)).status).toBe(200);
    expect(await detailsOf(late, 'session.prove')).toMatchObject([{ factor: 'password' }]);
  });
});

describe('POST /api/auth/reauthenticate', () => {
  const naming = (field: string, message: string) => ({
    status: 400,
    body: { error: { details: [{ field, message: expect.stringContaining(message) }] } },
  });

  it('proves its own session only', async () => {
    const user = await newTotpUser();
    const { body } = await signInBoth(user);
    const own = await later(user, 14 * minuteMs);
    const code = nextCode(user.secret);
    expect((await reauthenticate(own.token, { code })).status).toBe(200);
    const other = await later({ ...user, refreshToken: body.refreshToken }, minuteMs);
    expect(await renewCodes(other.token)).toMatchObject(refusedFor('code'));
    expect((await renewCodes(own.token)).status).toBe(200);
  });

  it('refuses the password of someone with a second factor', async () => {
    const { token } = await newTotpUser();
    const answer = await reauthenticate(token, { currentPassword: password });
    expect(answer).toMatchObject(naming('code', 'is required'));
  });

  it('refuses a wrong, a used and a stranger’s code, and audits each', async () => {
    const [user, other] = [await newTotpUser(), await newTotpUser()];
    const used = nextCode(user.secret);
    expect((await reauthenticate(user.token, { code: used })).status).toBe(200);
    const codes = [wrongCode(user.secret), used, codeOf(other.secret)];
    for (const code of codes) {
      expect(await reauthenticate(user.token, { code })).toMatchObject(
        naming('code', 'is incorrect'),
      );
    }
    const failed = await detailsOf(user, 'session.fail');
    expect(failed).toEqual(codes.map(() => ({ reason: 'wrong code' })));
  });

  it('accepts a code once at the same time', async () => {
    const user = await newTotpUser();
    const code = nextCode(user.secret);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => reauthenticate(user.token, { code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(4).fill(400)]);
  });

  it('asks a user without a second factor for the password', async () => {
    const { token } = await newPerson();
    expect(await reauthenticate(token, {})).toMatchObject(naming('currentPassword', 'is required'));
    expect(await reauthenticate(token, { code: '123456' })).toMatchObject(
      naming('currentPassword', 'is required'),
    );
    expect(await reauthenticate(token, { currentPassword: 'wrong' })).toMatchObject(
      naming('currentPassword', 'is incorrect'),
    );
  });

  it('refuses API tokens and ended sessions', async () => {
    const user = await newTotpUser();
    const { token } = (await createApiToken(user.token)).body.data;
    const code = nextCode(user.secret);
    expect((await reauthenticate(token, { code })).status).toBe(403);
    await call('POST /api/auth/logout', { token: user.token, body: {} });
    expect((await reauthenticate(user.token, { code })).status).toBe(401);
  });
});

describe('a first factor', () => {
  it('proves the session that it is set up in', async () => {
    const late = await outdate(await newUserOf('user'));
    await reauthenticate(late.token, { currentPassword: password });
    pass(10 * minuteMs);
    const user: WithTotp = await enrolTotp(late);
    pass(5 * minuteMs + 1);
    const { token } = (await refresh(user.refreshToken)).body;
    expect((await renewCodes(token)).status).toBe(200);
  });

  it('doesn’t prove other sessions', async () => {
    const user = await newUserOf('user');
    const other = (await login(user.email)).body.token;
    await enrolTotp(user);
    expect(await renewCodes(other)).toMatchObject(refusedFor('code'));
  });
});
