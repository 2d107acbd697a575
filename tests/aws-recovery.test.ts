import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newInvitationLink, newResetLink } from '../functions/auth/recovery.ts';
import { indexWrites } from '../functions/users/user-index.ts';
import { keys } from '../shared/table.ts';
import type { StoredUser } from '../shared/user.ts';
import { auditWrites } from './support/audit.ts';
import { newSession, putNew, retriedCodes } from './support/auth-writes.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  canceled,
  conditionFailed,
  mockTable,
  passingErrors,
  secretWords,
  sent,
  signedIn,
  told,
} from './support/aws-errors.ts';
import { type Answer, call } from './support/call.ts';

// A pause between two tries is over at once.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const queue = mockClient(SQSClient);
const TableName = 'handbill-test';
const aText = expect.any(String);
const aHash = expect.stringMatching(/^[\w-]{43}$/);
const aPasswordHash = expect.stringMatching(/^\$2b\$04\$/);
const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const email = 'ann@example.com';
const errors = passingErrors();

/** The account of the tests, with the link that was made for it last. */
let user: StoredUser;

/** Lets a link be made, and the account be read as that has left it. */
const tokenFrom = async (make: () => Promise<string | undefined>): Promise<string> => {
  table.on(UpdateCommand).resolves({ Attributes: { id: user.id } });
  const link = await make();
  const { ':hash': resetHash, ':expiresAt': resetExpiresAt } =
    sent(table, UpdateCommand).at(-1)?.ExpressionAttributeValues ?? {};
  user = { ...user, resetHash, resetExpiresAt };
  table.reset();
  answerReads(table, [{ ...keys.user(user.id), ...user }]);
  return new URL(link ?? '').searchParams.get('token') ?? '';
};

/** What goes out in transactions, one after another. */
const transactions = () => sent(table, TransactWriteCommand).map((input) => input.TransactItems);

/** The updates of the account: limits have buckets of their own. */
const updates = () =>
  sent(table, UpdateCommand).filter(({ Key }) => Key?.['pk'] === keys.user(user.id).pk);

beforeEach(async () => {
  table.reset();
  queue.reset();
  queue.on(SendMessageCommand).resolves({ MessageId: '1' });
  ({ user } = await signedIn({ email }));
  vi.stubEnv('MAIL_FROM', 'handbill@example.com');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('POST /api/auth/forgot-password', () => {
  const forgot = (address = email) =>
    call('POST /api/auth/forgot-password', { body: { email: address } });
  const done = {
    status: 200,
    retryAfter: undefined,
    body: {
      success: true,
      data: {},
      message: 'If the address has an account, a link is on its way to it',
    },
  };

  it('asks nothing about the address, and does the same for known and unknown ones', async () => {
    answerReads(table, [
      { ...keys.user(user.id), ...user },
      { ...keys.email(email), userId: user.id },
    ]);
    const workFor = async (address: string) => {
      table.resetHistory();
      queue.resetHistory();
      expect(told(await forgot(address))).toEqual(done);
      const names = [...table.calls(), ...queue.calls()].map(
        ({ args }) => args[0].constructor.name,
      );
      const [message] = queue.commandCalls(SendMessageCommand);
      const { kind, data } = JSON.parse(message?.args[0].input.MessageBody ?? '{}');
      expect({ kind, data }).toEqual({ kind: 'reset-mail', data: { email: address } });
      return names;
    };
    const known = await workFor(email);
    expect(known).toEqual(await workFor('nobody@example.com'));
    expect(known).toContain('SendMessageCommand');
    expect([...sent(table, GetCommand), ...sent(table, BatchGetCommand)]).toEqual([]);
  });

  it.each([...errors, ['AccessDenied', accessDenied()] as const])(
    'keeps the job in the table after %s of the queue',
    async (_, error) => {
      queue.on(SendMessageCommand).rejects(error);
      table.on(PutCommand).resolves({});
      expect(told(await forgot())).toEqual(done);
      const [kept, ...others] = sent(table, PutCommand);
      expect(others).toEqual([]);
      expect(kept?.Item).toMatchObject({ pk: 'UNSENT', message: expect.stringContaining(email) });
    },
  );

  it.each(errors)('is a 200 also after %s of queue and table', async (_, error) => {
    queue.on(SendMessageCommand).rejects(error);
    table.onAnyCommand().rejects(error);
    expect(told(await forgot())).toEqual(done);
  });
});

describe('a new link', () => {
  const writes: readonly [string, () => Promise<string | undefined>, string, number, string][] = [
    ['/reset', () => newResetLink(7, email), '', 60 * 60_000, 'a new password'],
    [
      '/invite',
      () => newInvitationLink(7, email),
      ' AND attribute_not_exists(passwordHash)',
      7 * 86_400_000,
      'an invitation',
    ],
  ];

  it.each(writes)('to %s takes the place of the one before', async (path, make, more, ms) => {
    table.on(UpdateCommand).resolves({ Attributes: { id: 7 } });
    const before = Date.now();
    const link = (await make()) ?? '';
    expect(link).toMatch(new RegExp(`^https://handbill\\.test${path}\\?token=7\\.[\\w-]{43}$`));
    const [write, ...others] = sent(table, UpdateCommand);
    expect(others).toEqual([]);
    expect(write).toMatchObject({
      TableName,
      Key: keys.user(7),
      UpdateExpression: 'SET resetHash = :hash, resetExpiresAt = :expiresAt',
      ConditionExpression: `attribute_exists(pk) AND email = :email${more}`,
      ExpressionAttributeValues: { ':hash': aHash, ':expiresAt': aTime, ':email': email },
    });
    const expiresAt = Date.parse(write?.ExpressionAttributeValues?.[':expiresAt']);
    expect(expiresAt).toBeGreaterThanOrEqual(before + ms);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + ms);
    const secret = link.split('.').at(-1) ?? '';
    expect(JSON.stringify(table.calls().map(({ args }) => args[0].input))).not.toContain(secret);
  });

  it.each(writes)('to %s is none where the condition fails', async (_, make) => {
    table.on(UpdateCommand).rejects(conditionFailed({ id: 7 }));
    expect(await make()).toBeUndefined();
  });

  it.each(errors)('fails by %s as it is', async (_, error) => {
    table.on(UpdateCommand).rejects(error);
    await expect(newResetLink(7, email)).rejects.toBe(error);
  });
});

describe('POST /api/auth/reset-password', () => {
  const reset = (token: string) =>
    call('POST /api/auth/reset-password', { body: { token, password: 'battery staple' } });

  it('writes the password and ends sessions and tokens, if the link is still the newest', async () => {
    const token = await tokenFrom(() => newResetLink(7, email));
    table.on(TransactWriteCommand).resolves({});
    expect((await reset(token)).status).toBe(200);
    expect(transactions()).toEqual([
      [
        {
          Update: {
            TableName,
            Key: keys.user(7),
            UpdateExpression:
              'SET passwordHash = :passwordHash, sessionEpoch = sessionEpoch + :one, tokenEpoch = if_not_exists(tokenEpoch, :zero) + :one, version = version + :one, updatedAt = :now REMOVE resetHash, resetExpiresAt',
            ConditionExpression: 'attribute_exists(pk) AND resetHash = :hash AND email = :email',
            ExpressionAttributeValues: {
              ':passwordHash': aPasswordHash,
              ':hash': user.resetHash,
              ':email': email,
              ':one': 1,
              ':zero': 0,
              ':now': aTime,
            },
          },
        },
        ...auditWrites({
          action: 'password.reset',
          subject: 'user:7',
          actorId: 7,
          after: { password: 'changed', link: 'reset' },
        }),
      ],
    ]);
  });

  it('is a bad token where link or address has become another meanwhile', async () => {
    const token = await tokenFrom(() => newResetLink(7, email));
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'None', 'None'));
    expect(await reset(token)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'token' }] } },
    });
  });

  it('takes no invitation of an account that has a password, even if it was left there', async () => {
    const token = await tokenFrom(() => newInvitationLink(7, email));
    answerReads(table, [{ ...keys.user(7), ...user, passwordHash: 'a hash' }]);
    expect((await reset(token)).status).toBe(400);
    expect(transactions()).toEqual([]);
  });

  it('hashes no password for a token that is not good', async () => {
    await tokenFrom(() => newResetLink(7, email));
    expect((await reset(`7.${'x'.repeat(43)}`)).status).toBe(400);
    expect(transactions()).toEqual([]);
  });
});

describe('POST /api/auth/register with the token of an invitation', () => {
  const register = (token: string, name = 'Zoe Example') =>
    call('POST /api/auth/register', {
      body: { email, name, password: 'secret1', confirmPassword: 'secret1', token },
    });

  it('writes password, name, session and places in lists at once', async () => {
    const token = await tokenFrom(() => newInvitationLink(7, email));
    table.on(TransactWriteCommand).resolves({});
    expect((await register(token)).status).toBe(201);
    expect(sent(table, TransactWriteCommand)).toEqual([
      {
        ClientRequestToken: expect.stringMatching(/^[\da-f-]{36}$/),
        TransactItems: [
          {
            Update: {
              TableName,
              Key: keys.user(7),
              UpdateExpression:
                'SET #name = :name, passwordHash = :passwordHash, updatedAt = :now, #version = :next REMOVE resetHash, resetExpiresAt',
              ConditionExpression:
                'resetHash = :hash AND attribute_not_exists(passwordHash) AND #version = :seen AND sessionEpoch = :epoch',
              ExpressionAttributeNames: { '#name': 'name', '#version': 'version' },
              ExpressionAttributeValues: {
                ':name': 'Zoe Example',
                ':passwordHash': aPasswordHash,
                ':now': aTime,
                ':next': 2,
                ':hash': user.resetHash,
                ':seen': 1,
                ':epoch': 0,
              },
            },
          },
          putNew(newSession(7, 0)),
          ...Object.values(indexWrites(user, { ...user, name: 'Zoe Example' })),
          ...auditWrites({
            action: 'user.register',
            subject: 'user:7',
            actorId: 7,
            before: { name: user.name },
            after: {
              name: 'Zoe Example',
              password: 'changed',
              link: 'invitation',
              session: aText,
            },
          }),
        ],
      },
    ]);
    expect(transactions()[0]?.length).toBeGreaterThan(5);
  });

  it('looks again when the account has changed meanwhile', async () => {
    const token = await tokenFrom(() => newInvitationLink(7, email));
    table
      .on(TransactWriteCommand)
      .callsFakeOnce(() => {
        answerReads(table, [{ ...keys.user(7), ...user, version: 2, phone: '030 12' }]);
        throw canceled('ConditionalCheckFailed', 'None', 'None');
      })
      .resolves({});
    const { status, body } = await register(token);
    expect([status, body.user.version, body.user.phone]).toEqual([201, 3, '030 12']);
  });

  it('is a bad token when the link was used meanwhile', async () => {
    const token = await tokenFrom(() => newInvitationLink(7, email));
    table.on(TransactWriteCommand).callsFake(() => {
      const { resetHash: _, ...used } = user;
      answerReads(table, [{ ...keys.user(7), ...used, passwordHash: 'a hash' }]);
      throw canceled('ConditionalCheckFailed', 'None', 'None');
    });
    expect(await register(token)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'token' }] } },
    });
    expect(sent(table, TransactWriteCommand)).toHaveLength(1);
  });

  it('gives up after some tries while others are always faster', async () => {
    const token = await tokenFrom(() => newInvitationLink(7, email));
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'None', 'None'));
    expect(await register(token)).toMatchObject({ status: 503 });
    expect(sent(table, TransactWriteCommand)).toHaveLength(4);
  });

  it.each(retriedCodes)('sends the very same transaction again after %s', async (code) => {
    const token = await tokenFrom(() => newInvitationLink(7, email));
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('None', code, 'None'))
      .resolves({});
    expect((await register(token)).status).toBe(201);
    const [first, second] = sent(table, TransactWriteCommand);
    expect(second).toEqual(first);
  });
});

describe('POST /api/users/{id}/invitation', () => {
  it('queues the mail, and makes no link', async () => {
    const root = await signedIn({ id: 9, role: 'super_admin' });
    answerReads(table, [...root.items, { ...keys.user(7), ...user }]);
    table.on(PutCommand).resolves({});
    const answer = await call('POST /api/users/{id}/invitation', {
      token: root.token,
      params: { id: '7' },
    });
    expect(answer.status).toBe(200);
    expect(updates()).toEqual([]);
    const [message] = queue.commandCalls(SendMessageCommand);
    expect(JSON.parse(message?.args[0].input.MessageBody ?? '')).toEqual({
      id: aText,
      kind: 'invitation-mail',
      data: { userId: 7 },
    });
  });
});

const form = (token: string) =>
  new URLSearchParams({ token, password: 'secret1', confirmPassword: 'secret1' }).toString();

const requests: readonly [string, () => Promise<Answer>][] = [
  [
    'POST /api/auth/reset-password',
    async () => {
      const token = await tokenFrom(() => newResetLink(7, email));
      return failing(() =>
        call('POST /api/auth/reset-password', { body: { token, password: 'secret1' } }),
      );
    },
  ],
  [
    'POST /api/auth/register',
    async () => {
      const token = await tokenFrom(() => newInvitationLink(7, email));
      const passwords = { password: 'secret1', confirmPassword: 'secret1' };
      return failing(() =>
        call('POST /api/auth/register', { body: { email, name: 'Zoe', token, ...passwords } }),
      );
    },
  ],
];

let failure: Error;
const failing = (send: () => Promise<Answer>): Promise<Answer> => {
  table.on(TransactWriteCommand).rejects(failure);
  return send();
};

describe.each(requests)('%s', (_, send) => {
  it.each(errors)('is busy after %s', async (_name, error) => {
    failure = error;
    expect(told(await send())).toEqual(busy(aText));
  });

  it('does not tell what AWS says of a missing grant', async () => {
    failure = accessDenied();
    const answer = await send();
    expect(told(answer)).toEqual(broken(aText));
    for (const word of secretWords) expect(JSON.stringify(answer)).not.toContain(word);
  });
});

describe.each(['/reset', '/invite'] as const)('%s', (path) => {
  const make = path === '/reset' ? newResetLink : newInvitationLink;

  it.each(errors)(
    'is a page that says it is busy after %s, not one of a bad link',
    async (_, e) => {
      const token = await tokenFrom(() => make(7, email));
      table.on(TransactWriteCommand).rejects(e);
      const sentForm = await call(`POST ${path}`, { body: form(token) });
      table.onAnyCommand().rejects(e);
      const looked = await call(`GET ${path}`, { query: { token } });
      for (const { status, body } of [sentForm, looked]) {
        expect([status, body]).toEqual([503, expect.stringContaining('try again in a moment')]);
        expect(body).not.toContain('not valid');
      }
    },
  );
});
