import { describe, expect, it, vi } from 'vitest';
import { loginLimits, placeLimit } from '../../../functions/api/auth/limits.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { consumeToken, type RateLimit } from '../../../shared/http/rate-limit.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { statusesOf, times, useLimitedService } from '../../support/service/limited-service.ts';
import { useTable } from '../../support/table/table.ts';
import { freshPassword } from '../../support/users/account.ts';
import { newInvitationToken, newResetToken } from '../../support/users/links.ts';
import {
  newAccount,
  newEmail,
  newInvited,
  newUserOf,
  password,
} from '../../support/users/test-users.ts';

useTable();
const { start, moveTo, send } = useLimitedService();

const minuteMs = 60_000;

const login = (email: string, given = password) =>
  send('POST /api/auth/login', { body: { email, password: given } });

/** Moves to the next /64 of a /48. */
const moveWithin = (site: string, index: number) => moveTo(`${site}:${index.toString(16)}::1`);

const drain = async (limit: RateLimit | undefined, who: string) => {
  if (!limit) throw new Error('Missing limit');
  for (let taken = 0; taken < limit.tokens; taken++)
    await consumeToken(limit, who, AbortSignal.timeout(10_000));
};
const drainAccount = (email: string) =>
  drain(
    loginLimits.find(({ name }) => name === 'login-email'),
    email,
  );

describe('a whole IPv6 /48', () => {
  it('can’t block the sign-in of an account for others', async () => {
    const { email } = await newAccount();
    const guesses = await statusesOf(120, (index) => {
      moveWithin('2001:db8:66', index);
      return login(email, 'wrong horse');
    });
    expect(guesses).toEqual([...times(30, 401), ...times(90, 429)]);
    moveTo('2001:db8:67::1');
    expect((await login(email)).status).toBe(200);
    moveTo();
    expect((await login(email)).status).toBe(200);
  });

  it('isn’t blocked by the mistakes of one of its machines', async () => {
    const { email } = await newAccount();
    moveWithin('2001:db8:68', 1);
    expect(await statusesOf(12, () => login(email, 'wrong horse'))).toContain(429);
    moveWithin('2001:db8:68', 2);
    const { status, headers } = await login(email);
    expect([status, headers.ratelimit]).toEqual([200, '"login";r=9;t=90']);
  });

  it('can’t block a share with a password for others, however long it tries', async () => {
    const { token } = await newUserOf('user');
    const body = { content: 'Hi', password: 'Abc123' };
    const { id } = JSON.parse((await send('POST /api/share', { token, body })).text);
    const read = (given: string) =>
      send(`GET /api/share?id=${id}`, { headers: { 'x-share-password': given } });
    for (const hours of [0, 1, 2]) {
      vi.setSystemTime(start + hours * 60 * minuteMs);
      const guesses = await statusesOf(32, (index) => {
        moveWithin('2001:db8:69', index);
        return read('wrong1');
      });
      expect(guesses).toEqual([...times(30, 401), 429, 429]);
      moveTo();
      expect((await read('Abc123')).status).toBe(200);
    }
  });

  it('counts as one for what needs no account', async () => {
    const convert = (index: number) => {
      moveWithin('2001:db8:70', index);
      return send('POST /api/markdown', { body: { markdown: 'Hi' } });
    };
    expect(await statusesOf(152, convert)).toEqual([...times(150, 200), 429, 429]);
    moveTo('2001:db8:71::1');
    expect((await send('POST /api/markdown', { body: { markdown: 'Hi' } })).status).toBe(200);
  });
});

describe('an account that others guess at from everywhere', () => {
  const home = '203.0.113.7';

  /** Creates an account that knows its home, and reaches its limit. */
  const attacked = async (emailVerifiedAt?: string) => {
    const { id, email } = await newAccount(emailVerifiedAt ? { emailVerifiedAt } : {});
    moveTo(home);
    expect((await login(email)).status).toBe(200);
    await drainAccount(email);
    vi.setSystemTime(start + 1_000);
    return { id, email };
  };

  it('can be signed in to from a network and device that it knows', async () => {
    const { email } = await attacked();
    moveTo('203.0.113.8');
    const { status, headers } = await login(email);
    expect([status, headers.ratelimit]).toEqual([200, '"login";r=9;t=90, "login-email";r=0;t=8']);
    moveTo('198.18.0.1');
    expect((await login(email)).status).toBe(429);
    moveTo('203.0.113.8');
    const body = { email, password };
    const otherDevice = { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1' };
    expect((await send('POST /api/auth/login', { body, headers: otherDevice })).status).toBe(429);
  });

  it('tells nobody without the password which places it knows, nor that it exists', async () => {
    const { email } = await attacked();
    const nobody = newEmail();
    await drainAccount(nobody);
    const suspended = await newAccount({ status: 'suspended' });
    await drainAccount(suspended.email);
    const calls = vi.spyOn(documentClient(), 'send');
    const observe = async (address: string, to: string, given: string) => {
      moveTo(address);
      calls.mockClear();
      const { status, headers, text } = await login(to, given);
      const { date: _, 'x-request-id': __, 'apigw-requestid': ___, ...shown } = headers;
      const trips = calls.mock.calls.map(([command]) => command.constructor.name);
      return { status, shown, error: JSON.parse(text).error.message, trips };
    };
    vi.setSystemTime(start + 2 * 60 * minuteMs);
    for (const one of [email, nobody, suspended.email]) await drainAccount(one);
    const seen = [
      await observe('203.0.113.9', email, 'wrong horse'),
      await observe('198.18.1.1', email, 'wrong horse'),
      await observe('198.18.2.1', email, password),
      await observe('198.18.3.1', nobody, 'wrong horse'),
      await observe('198.18.4.1', suspended.email, password),
    ];
    for (const one of seen) expect(one).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ status: 429, shown: { 'retry-after': '9' } });
  });

  it('limits guesses from a place that it knows, and audits each', async () => {
    const { id, email } = await attacked();
    const before = (await entriesAbout(`user:${id}`)).length;
    const guess = (index: number) => {
      moveTo(`203.0.113.${index + 10}`);
      return login(email, 'wrong horse');
    };
    expect(await statusesOf(25, guess)).toEqual(times(25, 429));
    expect(await entriesAbout(`user:${id}`)).toHaveLength(before + placeLimit.tokens);
    moveTo(home);
    const refused = await login(email);
    expect([refused.status, refused.headers.ratelimit]).toEqual([
      429,
      '"login";r=9;t=89, "login-email";r=0;t=8',
    ]);
    vi.setSystemTime(start + minuteMs);
    await drainAccount(email);
    expect((await login(email)).status).toBe(200);
  });

  /** Sets a new password with the token of a link, by the API or the form of a page. */
  const redeem = (endpoint: string, token: string) => {
    const given = { token, password: freshPassword };
    const confirmed = { ...given, confirmPassword: freshPassword };
    return endpoint.includes('/api/')
      ? send(endpoint, { body: given })
      : send(endpoint, {
          body: new URLSearchParams(confirmed).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
  };

  it.each([
    ['POST /api/auth/reset-password', newAccount, newResetToken, 200],
    ['POST /reset', newAccount, newResetToken, 303],
    ['POST /invite', newInvited, newInvitationToken, 303],
  ])(
    'can be signed in to from where its password was set by %s',
    async (path, create, link, status) => {
      const { id, email } = await create();
      await drainAccount(email);
      vi.setSystemTime(start + 1_000);
      moveTo('198.18.6.1');
      expect((await redeem(path, await link(id))).status).toBe(status);
      expect((await login(email, freshPassword)).status).toBe(200);
      moveTo('198.18.7.1');
      expect((await login(email, freshPassword)).status).toBe(429);
    },
  );

  it.each([
    ['also from the places that it knew', new Date().toISOString(), 200],
    ['only from there if that proves its address first', undefined, 429],
  ])('can be signed in to after a recovery, %s', async (_, emailVerifiedAt, status) => {
    const { id, email } = await attacked(emailVerifiedAt);
    moveTo('198.18.8.1');
    const path = 'POST /api/auth/reset-password';
    expect((await redeem(path, await newResetToken(id))).status).toBe(200);
    expect((await login(email, freshPassword)).status).toBe(200);
    moveTo(home);
    expect((await login(email, freshPassword)).status).toBe(status);
  });

  it('doesn’t lose the tokens of a refused owner', async () => {
    const { email } = await attacked();
    moveTo('198.18.5.1');
    expect(await statusesOf(12, () => login(email))).toEqual(times(12, 429));
    vi.setSystemTime(start + 15 * minuteMs);
    expect((await login(email)).status).toBe(200);
  });
});
