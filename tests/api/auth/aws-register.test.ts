import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { toSortName } from '../../../shared/lists/tokenize.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import {
  accessDenied,
  broken,
  busy,
  canceled,
  mockTable,
  passingErrors,
  secretWords,
  sent,
  told,
} from '../../support/aws/errors.ts';
import { auditWrites } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { newSession, putEmail, putNew, retriedCodes } from '../../support/users/auth-writes.ts';
import { totals } from '../../support/users/writes.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const TableName = 'handbill-test';
const aText = expect.any(String);
const password = 'correct horse';
const email = 'Ann@Example.com';
const errors = passingErrors();

beforeEach(() => {
  table.reset();
});

describe('POST /api/auth/register', () => {
  const register = () =>
    call('POST /api/auth/register', {
      body: { email, name: 'Ann', password, confirmPassword: password },
    });
  const taken = {
    success: false,
    error: {
      code: 'CONFLICT',
      message: 'This email address is already registered.',
      details: [{ field: 'email', message: 'is already registered' }],
      requestId: aText,
    },
  };

  it('writes the account, its unique keys, its index entries and the session in one transaction', async () => {
    table.on(TransactWriteCommand).resolves({});
    const { status, body } = await register();
    expect(status).toBe(201);
    const { id, createdAt } = body.user;
    const account = {
      id,
      email: 'ann@example.com',
      username: 'ann',
      name: 'Ann',
      role: 'user',
      extraPermissions: [],
      status: 'active',
      passwordHash: expect.stringMatching(/^\$2b\$04\$/),
      createdAt,
      updatedAt: createdAt,
      version: 1,
      sessionEpoch: 0,
      signInPlaces: expect.stringMatching(/^[\w-]{8}$/),
    };
    expect(sent(table, TransactWriteCommand)).toEqual([
      {
        ClientRequestToken: expect.stringMatching(/^[\da-f-]{36}$/),
        TransactItems: [
          putNew({ ...userKeys.record.at({ id }), ...account }),
          putEmail('ann@example.com', id),
          putNew({ pk: 'USERNAME#ann', sk: 'USERNAME', userId: id }),
          ...totals(1, createdAt.slice(0, 7)),
          putNew(newSession(id, 0)),
          ...[
            { ...accountKeys.byId.at({ id }), id },
            { ...accountKeys.byName.at({ sortName: toSortName('Ann'), id }), id },
            { ...accountKeys.byRoleAndStatus.at({ role: 'user', status: 'active', id }), id },
            ...['ann', 'example', 'com'].map((word) => ({
              ...accountKeys.byWord.at({ word, id }),
              id,
              words: ' ann example com',
              sortName: toSortName('Ann'),
            })),
          ].map((Item) => ({ Put: { TableName, Item } })),
          ...auditWrites({
            action: 'user.register',
            subject: `user:${id}`,
            after: {
              email: 'ann@example.com',
              username: 'ann',
              name: 'Ann',
              role: 'user',
              extraPermissions: [],
              status: 'active',
              password: 'set',
            },
          }),
        ],
      },
    ]);
  });

  it('uses another id if the first is taken', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('ConditionalCheckFailed', 'None', 'None', 'None'))
      .resolves({});
    const { status, body } = await register();
    expect(status).toBe(201);
    const ids = sent(table, TransactWriteCommand).map(
      ({ TransactItems }) => TransactItems?.[0]?.Put?.Item?.['id'],
    );
    expect(ids).toEqual([expect.any(Number), body.user.id]);
  });

  it.each([
    ['the email key exists', ['None', 'ConditionalCheckFailed', 'None', 'None']],
    ['both keys exist', ['None', 'ConditionalCheckFailed', 'ConditionalCheckFailed', 'None']],
    ['a conflict occurs too', ['None', 'ConditionalCheckFailed', 'TransactionConflict', 'None']],
  ])('returns 409 for the address when %s', async (_, codes) => {
    table.on(TransactWriteCommand).rejects(canceled(...codes));
    expect(told(await register())).toEqual({ status: 409, retryAfter: undefined, body: taken });
    expect(sent(table, TransactWriteCommand)).toHaveLength(1);
  });

  it('uses another username if the first is taken, with a new request token', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('None', 'None', 'ConditionalCheckFailed', 'None'))
      .resolves({});
    const { status, body } = await register();
    expect(status).toBe(201);
    expect(body.user.username).toMatch(/^ann-\d{1,4}$/);
    const [first, second] = sent(table, TransactWriteCommand);
    expect(second?.TransactItems?.[2]?.Put?.Item).toEqual({
      ...accountKeys.username.at({ username: body.user.username }),
      userId: body.user.id,
    });
    expect(second?.ClientRequestToken).not.toBe(first?.ClientRequestToken);
  });

  it.each(retriedCodes)('repeats the same transaction after %s', async (code) => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('None', code, 'None', 'None'))
      .rejectsOnce(canceled(code, code, code, code))
      .resolves({});
    expect(await register()).toMatchObject({ status: 201 });
    const [first, ...others] = sent(table, TransactWriteCommand);
    expect(others).toEqual([first, first]);
  });

  it.each(retriedCodes)('returns 503 while %s persists', async (code) => {
    table.on(TransactWriteCommand).rejects(canceled('None', code, 'None', 'None'));
    expect(told(await register())).toEqual(busy(aText));
    const attempts = sent(table, TransactWriteCommand).length;
    expect(attempts).toBeGreaterThan(1);
    expect(attempts).toBeLessThanOrEqual(8);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await register())).toEqual(busy(aText));
    expect(sent(table, TransactWriteCommand)).toHaveLength(1);
  });

  it('returns 500 for a reason that is not retried', async () => {
    table.on(TransactWriteCommand).rejects(canceled('None', 'ValidationError', 'None', 'None'));
    expect(told(await register())).toEqual(broken(aText));
    expect(sent(table, TransactWriteCommand)).toHaveLength(1);
  });

  it('neither returns nor logs the AWS message about a missing grant', async () => {
    table.on(UpdateCommand).resolves({ Attributes: { refilledAt: 0, claim: '' } });
    const logged = vi.spyOn(getLogger(), 'error');
    table.on(TransactWriteCommand).rejects(accessDenied());
    const response = await register();
    expect(told(response)).toEqual(broken(aText));
    expect(logged).toHaveBeenCalledExactlyOnceWith('Request failed', {
      requestId: response.headers['x-request-id'],
      route: 'POST /api/auth/register',
      error: { name: 'AccessDeniedException', status: 400, at: aText },
    });
    const text = JSON.stringify([response, logged.mock.calls]);
    for (const word of [...secretWords, password]) expect(text).not.toContain(word);
  });
});

it('returns Retry-After if no username is available', async () => {
  table
    .on(TransactWriteCommand)
    .rejects(canceled('None', 'None', 'ConditionalCheckFailed', 'None'));
  const body = {
    email: 'a@example.com',
    name: 'Ann',
    password: 'secret1',
    confirmPassword: 'secret1',
  };
  expect(await call('POST /api/auth/register', { body })).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.any(String) },
  });
});
