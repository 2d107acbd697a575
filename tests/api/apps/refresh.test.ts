import { beforeEach, describe, expect, it } from 'vitest';
import { authenticateApp } from '../../../shared/auth/app.ts';
import {
  type AppTokens,
  appsOf,
  connect,
  newClient,
  refreshApp,
  renewApp,
  revokeApp,
} from '../../support/apps/apps.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { useTable } from '../../support/table/table.ts';
import { changePassword, resetPassword } from '../../support/users/account.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newResetToken } from '../../support/users/links.ts';
import { setUser } from '../../support/users/test-users.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
// Apps of the same millisecond may have the same id.
beforeEach(() => pass(1));
const { ann, admin } = useNewPeople({ ann: 'user', admin: 'super_admin' });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const renewStatus = async ({ client, refresh }: AppTokens) =>
  (await refreshApp(client, refresh)).status;

const use = ({ access }: AppTokens): Promise<number> =>
  authenticateApp(access).then(
    () => 200,
    () => 401,
  );

const invalidToken = {
  status: 400,
  body: {
    error: 'invalid_grant',
    error_description: 'The refresh token is invalid, used or expired. Connect again.',
  },
};

describe('a refresh token of an app', () => {
  it('is exchanged for another; the access token before stays valid', async () => {
    const first = await connect(ann);
    const second = await renewApp(first);
    expect(second.refresh).not.toBe(first.refresh);
    expect([await use(second), await use(first)]).toEqual([200, 200]);
  });

  it('returns the same tokens to concurrent requests and for 10 s', async () => {
    const first = await connect(ann);
    const all = await Promise.all(Array.from({ length: 5 }, () => renewApp(first)));
    expect(new Set(all.map(({ refresh }) => refresh)).size).toBe(1);
    await use(all[0] as AppTokens);
    pass(9_999);
    expect((await renewApp(first)).refresh).toBe(all[0]?.refresh);
    pass(1);
    expect(await refreshApp(first.client, first.refresh)).toMatchObject(invalidToken);
    expect(await renewStatus(all[0] as AppTokens)).toBe(400);
  });

  it('returns the same tokens for 24 h after a lost response', async () => {
    const first = await connect(ann);
    const lost = await renewApp(first);
    pass(dayMs - 1);
    expect((await renewApp(first)).refresh).toBe(lost.refresh);
    pass(1);
    expect(await renewStatus(first)).toBe(400);
  });

  it('ends its login when used again later, which is audited, and no other login', async () => {
    const first = await connect(ann);
    const other = await connect(ann, first.client);
    const second = await renewApp(first);
    await use(second);
    const third = await renewApp(second);
    pass(minuteMs);
    const answers = await Promise.all([renewStatus(first), renewStatus(first)]);
    expect(answers).toEqual([400, 400]);
    expect([await use(third), await renewStatus(third)]).toEqual([401, 400]);
    expect([await use(other), await renewStatus(other)]).toEqual([200, 200]);
    const [{ id }] = await appsOf(ann);
    const ends = (await entriesAbout(`app:${id}`)).filter(({ action }) => action === 'app.reuse');
    expect(ends).toMatchObject([{ after: { endedBy: 'refresh-token-reused' } }]);
  });

  it('is refused from another client, and stays valid', async () => {
    const tokens = await connect(ann);
    expect(await refreshApp(await newClient(), tokens.refresh)).toMatchObject(invalidToken);
    expect(await renewStatus(tokens)).toBe(200);
  });

  it.each(['access', 'session'])('is no %s token', async (kind) => {
    const { client, access } = await connect(ann);
    const token = kind === 'access' ? access : ann.refreshToken;
    expect(await refreshApp(client, token)).toMatchObject(invalidToken);
  });

  it('ends after 30 days without use, and 90 days after it was allowed', async () => {
    const [unused, used] = [await connect(ann), await connect(ann)];
    pass(29 * dayMs);
    let latest = await renewApp(used);
    pass(dayMs);
    expect(await refreshApp(unused.client, unused.refresh)).toMatchObject(invalidToken);
    for (let days = 30; days < 90; days += 20) {
      latest = await renewApp(latest);
      pass(20 * dayMs);
    }
    expect(await refreshApp(latest.client, latest.refresh)).toMatchObject(invalidToken);
  });

  it('gives no scope that its user was not asked for, and all that there is', async () => {
    const { client, refresh } = await connect(ann);
    const asked = (scope: string) => refreshApp(client, refresh, { scope });
    expect(await asked('documents:view')).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
    expect(await asked('shares:view')).toMatchObject({
      status: 200,
      body: { scope: 'shares:create shares:view' },
    });
  });
});

describe('the tokens of an app', () => {
  const both = async (tokens: AppTokens) => [await use(tokens), await renewStatus(tokens)];

  it('end when the app is revoked', async () => {
    const tokens = await connect(ann);
    await revokeApp(ann, (await appsOf(ann))[0].id);
    expect(await both(tokens)).toEqual([401, 400]);
  });

  it('stop while the user is suspended', async () => {
    const tokens = await connect(ann);
    await setUser(ann.id, { status: 'suspended' });
    expect(await both(tokens)).toEqual([401, 400]);
    await setUser(ann.id, { status: 'active' });
    expect(await both(tokens)).toEqual([200, 200]);
  });

  it('end with the user', async () => {
    const tokens = await connect(ann);
    await removeUser(admin, ann.id);
    expect(await both(tokens)).toEqual([401, 400]);
  });

  it('end when the password is reset', async () => {
    const tokens = await connect(ann);
    await resetPassword(await newResetToken(ann.id));
    expect(await both(tokens)).toEqual([401, 400]);
  });

  it('end when the user ends all tokens with a new password', async () => {
    const tokens = await connect(ann);
    await changePassword(ann.token, { scope: 'all' });
    expect(await both(tokens)).toEqual([401, 400]);
    expect(await appsOf(ann)).toEqual([]);
  });

  it('do no more than the user may at the time', async () => {
    await setUser(ann.id, { role: 'admin' });
    const permissions = ['documents:create', 'documents:view', 'shares:view'];
    const tokens = await connect(await signInAgain(ann), undefined, {
      scope: permissions.join(' '),
      permissions,
    });
    const held = async () => new Set((await authenticateApp(tokens.access)).permissions);
    expect(await held()).toEqual(new Set(['documents:create', 'documents:view']));
    await setUser(ann.id, { role: 'user' });
    expect(await held()).toEqual(new Set(['documents:view']));
  });
});
