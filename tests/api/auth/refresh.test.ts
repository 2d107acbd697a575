import { expect, it, vi } from 'vitest';
import { parseSession } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useFaults } from '../../support/table/lost-transactions.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { me, refresh } from '../../support/users/account.ts';
import { login, newPerson, newUserOf } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
const fail = useFaults(['UpdateItem']);

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The tokens that a client has. */
interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Creates a session. */
const signIn = async (): Promise<Tokens> => {
  const { token, refreshToken } = await newUserOf('user');
  return { accessToken: token, refreshToken };
};

/** Exchanges the refresh token of these tokens, which works. */
const renew = async ({ refreshToken }: Tokens): Promise<Tokens> => {
  const { status, body } = await refresh(refreshToken);
  expect(status).toBe(200);
  return body;
};

const renewStatus = async ({ refreshToken }: Tokens) => (await refresh(refreshToken)).status;
const use = async ({ accessToken }: Tokens) => (await me(accessToken)).status;
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const storedOf = async ({ accessToken }: Tokens) => {
  const { sub, sid } = claimsOf(accessToken);
  const [item] = await batchGet([userKeys.session.at({ userId: Number(sub), id: sid })]);
  return parseSession(item);
};

const meter = useMeter();
const writesOf = async (work: () => Promise<unknown>) => (await meter.measure(work)).writeUnits;

it('returns new tokens and keeps the previous access token valid', async () => {
  const first = await signIn();
  const second = await renew(first);
  expect(second.refreshToken).not.toBe(first.refreshToken);
  expect([await use(second), await use(first)]).toEqual([200, 200]);
});

it('keeps a session in use beyond 7 days and ends an unused one', async () => {
  const [used, unused] = [await newPerson(), await newPerson()];
  pass(6 * dayMs);
  const { body } = await refresh(used.refreshToken);
  pass(2 * dayMs);
  expect((await refresh(body.refreshToken)).status).toBe(200);
  expect((await refresh(unused.refreshToken)).status).toBe(401);
});

it('gives parallel requests the same tokens, for 10 s also once they are used', async () => {
  const first = await signIn();
  const answers = await Promise.all(Array.from({ length: 20 }, () => renew(first)));
  expect(new Set(answers.map(({ refreshToken }) => refreshToken)).size).toBe(1);
  const [second = first] = answers;
  expect(await use(second)).toBe(200);
  pass(9_999);
  expect((await renew(first)).refreshToken).toBe(second.refreshToken);
});

it('gives a client whose answer was lost the same tokens up to 24 h later', async () => {
  const first = await signIn();
  const { refreshToken } = await renew(first);
  // The access token that the client still has says nothing about the lost ones.
  expect(await use(first)).toBe(200);
  for (const ms of [11 * secondMs, hourMs, dayMs - hourMs - 12 * secondMs]) {
    pass(ms);
    expect((await renew(first)).refreshToken).toBe(refreshToken);
  }
  const second = await renew(first);
  expect(await use(second)).toBe(200);
  expect(await use(await renew(second))).toBe(200);
});

it('ends the session of a token that was exchanged 24 h ago', async () => {
  const first = await signIn();
  const second = await renew(first);
  pass(dayMs);
  expect(await renewStatus(first)).toBe(401);
  expect(await renewStatus(second)).toBe(401);
});

it('ends only the session of a token whose successor was used', async () => {
  const { email, token } = await newUserOf('user');
  const { body: first } = await login(email);
  const second = await renew(first);
  expect(await use(second)).toBe(200);
  pass(10 * secondMs);
  expect(await renewStatus(first)).toBe(401);
  expect([await renewStatus(second), await use(second)]).toEqual([401, 401]);
  expect((await me(token)).status).toBe(200);
});

it('ends the session of a token whose successor was exchanged', async () => {
  const first = await signIn();
  const second = await renew(first);
  const third = await renew(second);
  expect(await renewStatus(first)).toBe(401);
  expect(await renewStatus(third)).toBe(401);
});

it('sees a thief who is always one step behind', async () => {
  let owner = await signIn();
  let thief = owner;
  for (let step = 0; step < 3; step++) {
    // Within 10 s the thief is taken for another tab. The next step shows two who go on from one token.
    owner = await renew(owner);
    expect(await use(owner)).toBe(200);
    thief = await renew(thief);
    expect(await use(thief)).toBe(200);
    pass(15 * minuteMs);
  }
  owner = await renew(owner);
  expect(await use(owner)).toBe(200);
  pass(10 * secondMs);
  expect(await renewStatus(thief)).toBe(401);
  expect([await use(owner), await use(thief), await renewStatus(owner)]).toEqual([401, 401, 401]);
});

it('sees a thief who is one step ahead as soon as the owner refreshes', async () => {
  const owner = await signIn();
  const thief = await renew(owner);
  expect(await use(thief)).toBe(200);
  pass(10 * secondMs);
  expect(await renewStatus(owner)).toBe(401);
  expect([await use(thief), await renewStatus(thief)]).toEqual([401, 401]);
});

it('sees a thief who refreshes and waits, once one of both goes on', async () => {
  const first = await signIn();
  const thief = await renew(first);
  pass(hourMs);
  const owner = await renew(first);
  expect(await use(owner)).toBe(200);
  pass(hourMs);
  expect(await use(await renew(owner))).toBe(200);
  pass(10 * secondMs);
  expect(await renewStatus(thief)).toBe(401);
  expect(await renewStatus(owner)).toBe(401);
});

it('writes once for the first use of new tokens, also the time of use, and never again', async () => {
  const first = await signIn();
  expect(await writesOf(() => use(first))).toBe(0);
  pass(30 * minuteMs);
  const second = await renew(first);
  const lastUsedAt = new Date().toISOString();
  expect(await writesOf(() => use(second))).toBe(1);
  pass(14 * minuteMs);
  expect(await writesOf(() => use(second))).toBe(0);
  await renew(second);
  expect(await writesOf(() => use(second))).toBe(0);
  expect(await storedOf(second)).toMatchObject({ rotation: 2, acceptedRotation: 1, lastUsedAt });
});

it('takes parallel first uses as one', async () => {
  const second = await renew(await signIn());
  const answers = await Promise.all(Array.from({ length: 10 }, () => use(second)));
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await storedOf(second)).toMatchObject({ rotation: 1, acceptedRotation: 1 });
});

it('never takes the use of an older access token for one of the newest, in any race', async () => {
  for (let round = 0; round < 10; round++) {
    const second = await renew(await signIn());
    const [used, third] = await Promise.all([use(second), renew(second)]);
    expect(used).toBe(200);
    expect((await storedOf(third))?.acceptedRotation ?? 1).toBe(1);
    pass(minuteMs);
    expect((await renew(second)).refreshToken).toBe(third.refreshToken);
  }
});

it('refuses the first use while it cannot be recorded', async () => {
  const first = await signIn();
  const second = await renew(first);
  fail(['throttled', 'throttled', 'throttled']);
  expect(await use(second)).toBe(503);
  fail([]);
  expect(await use(second)).toBe(200);
  pass(10 * secondMs);
  expect(await renewStatus(first)).toBe(401);
});

it('is not affected by the use of the cookie, which every tab has whoever got the tokens', async () => {
  const { email } = await newPerson();
  const { body: first, cookies = [] } = await login(email);
  const cookie = [cookies[0]?.split(';')[0] ?? ''];
  const { refreshToken } = await renew(first);
  pass(2 * hourMs);
  expect((await call('GET /api/auth/me', { cookies: cookie })).status).toBe(200);
  expect((await renew(first)).refreshToken).toBe(refreshToken);
});

it('follows a shorter lifetime of refresh tokens', async () => {
  vi.stubEnv('JWT_REFRESH_EXPIRES', '1m');
  const first = await signIn();
  await renew(first);
  pass(minuteMs);
  expect(await renewStatus(first)).toBe(401);
  vi.unstubAllEnvs();
});
