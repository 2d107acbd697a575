import bcrypt from 'bcryptjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { find, type NewUser } from '../../../functions/api/users/record/users.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newEmail, newInvited, password } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();

const cost = 5;
const attempt = (email: string, given: string) =>
  call('POST /api/auth/login', { body: { email, password: given } });

beforeEach(() => {
  // Buckets that are not full take one more call.
  pass(60 * 60_000);
  process.env['PASSWORD_COST'] = String(cost);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.env['PASSWORD_COST'] = '4';
});

/** Returns the costs of the hashes and the table calls during a function. */
const observe = async <T>(work: () => Promise<T>) => {
  const compare = vi.spyOn(bcrypt, 'compare');
  const hash = vi.spyOn(bcrypt, 'hash');
  const send = vi.spyOn(documentClient(), 'send');
  const metric = vi.spyOn(getMetrics(), 'addMetric');
  const response = await work();
  return {
    answer: response,
    compared: compare.mock.calls.map(([, hashed]) => bcrypt.getRounds(hashed)),
    hashed: hash.mock.calls.map(([, rounds]) => rounds),
    trips: send.mock.calls.map(([command]) => command.constructor.name),
    metrics: metric.mock.calls.map(([name]) => name),
  };
};

/** Creates a user who has not signed in yet, with a hash of the current cost. */
const newUser = async (fields: Partial<NewUser> = {}) =>
  newInvited({ passwordHash: await hashPassword(password), ...fields });

const refused = {
  status: 401,
  body: errorBody('UNAUTHORIZED', 'Incorrect email or password.'),
};

describe('a failed sign-in', () => {
  /** Accounts that cannot sign in, each with the password to send. */
  const refusals: readonly (readonly [string, () => Promise<{ email: string }>, string])[] = [
    ['nobody', async () => ({ email: newEmail() }), password],
    ['a user with an incorrect password', () => newUser(), 'wrong horse'],
    ['a suspended user', () => newUser({ status: 'suspended' }), password],
    ['an inactive user', () => newUser({ status: 'inactive' }), password],
    [
      'a suspended user with an incorrect password',
      () => newUser({ status: 'suspended' }),
      'wrong horse',
    ],
    ['a user without a password', () => newInvited(), password],
  ];

  it.each(refusals)(
    'of %s computes one hash and makes the same table calls',
    async (_, who, given) => {
      const { email } = await who();
      const { answer: response, ...seen } = await observe(() => attempt(email, given));
      expect(response).toMatchObject(refused);
      expect(seen).toEqual({
        compared: [cost],
        hashed: [],
        // Three buckets, the unique key of the email address, the account, and one write of two audit items.
        trips: [
          'UpdateCommand',
          'UpdateCommand',
          'UpdateCommand',
          'GetCommand',
          'BatchGetCommand',
          'TransactWriteCommand',
        ],
        metrics: ['LoginFailures'],
      });
    },
  );

  it('returns the same response and headers', async () => {
    const responses = [];
    for (const [, who, given] of refusals) {
      const { email } = await who();
      const { headers, ...rest } = await attempt(email, given);
      const { 'x-request-id': _, ...compared } = headers;
      responses.push({ ...rest, headers: compared });
    }
    for (const response of responses) expect(response).toEqual({ ...responses[0], ...refused });
  });

  it('counts nothing when a sign-in succeeds', async () => {
    const { email } = await newUser();
    const {
      answer: response,
      compared,
      hashed,
      metrics,
    } = await observe(() => attempt(email, password));
    // No queue exists for this activity.
    expect([response.status, compared, hashed, metrics]).toEqual([
      200,
      [cost],
      [],
      ['JobsDropped'],
    ]);
  });
});

describe('after an increase of PASSWORD_COST', () => {
  /** Creates a user whose hash has a lower cost: 2^4 instead of the current 2^7. */
  const outdated = async () => {
    process.env['PASSWORD_COST'] = '4';
    const user = await newUser();
    process.env['PASSWORD_COST'] = '7';
    return user;
  };
  const work = (costs: readonly number[]) => costs.reduce((sum, each) => sum + 2 ** each, 0);

  it('an incorrect password costs the same as an unknown email address', async () => {
    const { email } = await outdated();
    const known = await observe(() => attempt(email, 'wrong horse'));
    vi.restoreAllMocks();
    const unknown = await observe(() => attempt(newEmail(), 'wrong horse'));
    expect(known.compared).toEqual([4, 4, 5, 6]);
    expect([work(known.compared), unknown.compared]).toEqual([2 ** 7, [7]]);
    expect([known.answer.status, unknown.answer.status]).toEqual([401, 401]);
  });

  it('the next sign-in rehashes the password and ends no session', async () => {
    const { id, email } = await outdated();
    process.env['PASSWORD_COST'] = '4';
    const { token } = (await attempt(email, password)).body;
    process.env['PASSWORD_COST'] = '7';
    const rounds = async () => bcrypt.getRounds((await find(id))?.passwordHash ?? '');
    expect(await rounds()).toBe(4);
    expect((await attempt(email, 'wrong horse')).status).toBe(401);
    expect(await rounds()).toBe(4);
    expect((await attempt(email, password)).status).toBe(200);
    expect(await rounds()).toBe(7);
    expect((await call('GET /api/auth/me', { token })).status).toBe(200);
    const { hashed, answer: response } = await observe(() => attempt(email, password));
    expect([hashed, response.status]).toEqual([[], 200]);
  });

  it('three concurrent sign-ins succeed', async () => {
    const { id, email } = await outdated();
    const responses = await Promise.all([1, 2, 3].map(() => attempt(email, password)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await itemsOf(`USER#${id}`)).toHaveLength(1 + 3);
  });

  it('a lower cost is applied too', async () => {
    process.env['PASSWORD_COST'] = '6';
    const { id, email } = await newUser();
    process.env['PASSWORD_COST'] = '4';
    expect((await attempt(email, password)).status).toBe(200);
    expect(bcrypt.getRounds((await find(id))?.passwordHash ?? '')).toBe(4);
  });
});
