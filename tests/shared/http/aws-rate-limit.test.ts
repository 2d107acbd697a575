// What becomes of a request whose limiter fails; `rate-limit.test.ts` has the limiter on a real table.
import {
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import {
  accessDenied,
  answerReads,
  canceled,
  conditionFailed,
  mockTable,
  passingErrors,
  sent,
  signedIn,
} from '../../support/aws/errors.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { password } from '../../support/users/test-users.ts';

const table = mockTable();
const now = Date.parse('2030-01-01T00:00:00Z');

beforeEach(() => {
  table.reset();
  vi.restoreAllMocks();
  process.env['RATE_LIMIT_FACTOR'] = '1';
  vi.useFakeTimers({ toFake: ['Date'], now });
});

const throttlings = [
  ['ThrottlingException', new ThrottlingException({ message: '', $metadata: {} })],
  [
    'ProvisionedThroughputExceededException',
    new ProvisionedThroughputExceededException({ message: '', $metadata: {} }),
  ],
  ['RequestLimitExceeded', new RequestLimitExceeded({ message: '', $metadata: {} })],
  ['a cancelled transaction', canceled('ThrottlingError')],
] as const;

/** How throttling ends where the SDK is still waiting for its next try. */
const deadline = () => Object.assign(new Error('too late'), { name: 'TimeoutError' });

/** The items of a share with a password. */
const protectedShare = (id: string, ownerId: number) => [
  {
    ...{ ...shareKeys.record.at({ id }), id, ownerId, language: 'html', version: 1 },
    ...{ password: { id: 'p' }, createdAt: new Date(now).toISOString() },
  },
  { ...shareKeys.access.at({ id }), views: 0, recentViewIds: [], links: {}, passwordId: 'p' },
];

describe('rateLimit with a failing limiter', () => {
  const convert = () => call('POST /api/markdown', { body: { markdown: 'Hi' } });
  const login = () =>
    call('POST /api/auth/login', { body: { email: 'ann@example.com', password: 'wrong horse' } });

  it.each([...passingErrors().slice(-1), ['AccessDenied', accessDenied()] as const])(
    'allows the request and counts the failure after %s',
    async (_, error) => {
      const metric = vi.spyOn(getMetrics(), 'addMetric');
      table.on(UpdateCommand).rejects(error);
      const { status, headers } = await convert();
      expect([status, headers['ratelimit']]).toEqual([200, undefined]);
      expect(metric.mock.calls).toEqual([['RateLimiterFailures', 'Count', 1]]);
    },
  );

  it.each([...throttlings, ['a deadline', deadline()] as const])(
    'returns 503 for a password limit after %s, without checking the password',
    async (_, error) => {
      const metric = vi.spyOn(getMetrics(), 'addMetric');
      table.on(UpdateCommand).rejects(error);
      const { user, items, token } = await signedIn({ passwordHash: 'none' });
      const currentPassword = 'wrong horse';
      const id = 'mZ3kP0cWbq7x1VvH9sTt2A';
      answerReads(table, [...items, ...protectedShare(id, user.id)]);
      const share = { query: { id, password: 'Abc123' } };
      const responses = [
        await login(),
        await call('PUT /api/auth/password', { token, body: { currentPassword, password } }),
        await call('PUT /api/users/me', { token, body: { email: user.email, currentPassword } }),
        await call('GET /api/share', share),
        await call('POST /s/{id}/open', { params: { id }, body: 'password=Abc123' }),
      ];
      expect(responses.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
        Array(5).fill([503, '1']),
      );
      expect(responses[0]?.body).toEqual(
        errorBody('SERVICE_UNAVAILABLE', 'Too many attempts. Try again.'),
      );
      expect(metric.mock.calls.filter(([name]) => name === 'RateLimiterFailures')).toHaveLength(5);
      expect(sent(table, GetCommand)).toEqual([]);
      // Whether the share is for its reader is decided before, twice here: who isn't admitted uses up no try.
      expect(sent(table, QueryCommand)).toHaveLength(2);
      expect(sent(table, TransactWriteCommand)).toEqual([]);
    },
  );

  it('refunds the other buckets of a password when one is throttled', async () => {
    table
      .on(UpdateCommand)
      .resolvesOnce({ Attributes: { refilledAt: now + 9_000, claim: 'x' } })
      .rejectsOnce(new ThrottlingException({ message: '', $metadata: {} }))
      .resolves({});
    expect((await login()).status).toBe(503);
    const updates = sent(table, UpdateCommand).map(({ Key: key }) => key?.['pk']);
    expect(updates.at(-1)).toBe(updates[0]);
  });

  it('allows a guess after any other failure and counts it', async () => {
    const metric = vi.spyOn(getMetrics(), 'addMetric');
    answerReads(table, []);
    table.on(UpdateCommand).rejects(accessDenied());
    table.on(TransactWriteCommand).resolves({});
    expect((await login()).status).toBe(401);
    expect(metric.mock.calls.map(([name]) => name)).toEqual([
      ...Array(3).fill('RateLimiterFailures'),
      'LoginFailures',
    ]);
  });

  it('checks the next bucket after a failure', async () => {
    answerReads(table, []);
    const empty = { refilledAt: now + 900_000, claim: 'x' };
    table
      .on(UpdateCommand)
      .rejectsOnce(accessDenied())
      .rejectsOnce(accessDenied())
      .rejectsOnce(conditionFailed(empty))
      .resolves({});
    const { status, headers } = await login();
    expect([status, headers['ratelimit']]).toEqual([429, '"login-email";r=0;t=9']);
  });

  it('denies the request even if a refund fails', async () => {
    const metric = vi.spyOn(getMetrics(), 'addMetric');
    table
      .on(UpdateCommand)
      .resolvesOnce({ Attributes: { refilledAt: now + 90_000, claim: 'x' } })
      .rejectsOnce(conditionFailed({ refilledAt: now + 900_000, claim: 'x' }))
      .rejects(accessDenied());
    const { status, headers } = await login();
    expect([status, headers['retry-after']]).toEqual([429, '90']);
    expect(metric.mock.calls.map(([name]) => name)).toEqual(['RateLimiterFailures', 'RateLimited']);
  });
});
