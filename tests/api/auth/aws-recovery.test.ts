import { SendMessageCommand } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import {
  createInvitationLink,
  createResetLink,
} from '../../../functions/api/users/account/password-link.ts';
import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
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
  told,
} from '../../support/aws/errors.ts';
import { auditWrites } from '../../support/service/audit.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { alertPut } from '../../support/users/auth-writes.ts';
import { email, useLinks } from '../../support/users/recovery-links.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const links = useLinks(table);
const { queue, tokenFrom, transactions } = links;
const TableName = 'handbill-test';
const aText = expect.any(String);
const aHash = expect.stringMatching(/^[\w-]{43}$/);
const aPasswordHash = expect.stringMatching(/^\$2b\$04\$/);
const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const errors = passingErrors();

describe('POST /api/auth/forgot-password', () => {
  const forgot = (address = email) =>
    call('POST /api/auth/forgot-password', { body: { email: address } });
  const done = {
    status: 200,
    retryAfter: undefined,
    body: {
      success: true,
      data: {},
      message: 'If the account exists, a link has been sent.',
    },
  };

  it('does the same for known and unknown addresses, without a lookup', async () => {
    answerReads(table, [
      { ...userKeys.record.at({ id: links.user.id }), ...links.user },
      { ...accountKeys.email.at({ email }), userId: links.user.id },
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
      expect({ kind, data }).toEqual({ kind: 'password-reset-email', data: { email: address } });
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
      expect(kept?.Item).toMatchObject({ pk: 'OUTBOX', message: expect.stringContaining(email) });
    },
  );

  it.each(errors)('returns 200 after %s of the queue and the table', async (_, error) => {
    queue.on(SendMessageCommand).rejects(error);
    table.onAnyCommand().rejects(error);
    expect(told(await forgot())).toEqual(done);
  });
});

describe('a new link', () => {
  const writes: readonly [string, () => Promise<string | undefined>, string, number, string][] = [
    ['/reset', () => createResetLink(7, email), '', 60 * 60_000, 'a new password'],
    [
      '/invite',
      () => createInvitationLink(7, email),
      ' AND attribute_not_exists(passwordHash)',
      7 * 86_400_000,
      'an invitation',
    ],
  ];

  it.each(writes)('to %s replaces the previous one', async (path, make, more, ms) => {
    table.on(UpdateCommand).resolves({ Attributes: { id: 7 } });
    const before = Date.now();
    const link = (await make()) ?? '';
    expect(link).toMatch(new RegExp(`^https://handbill\\.test${path}\\?token=7\\.[\\w-]{43}$`));
    const [write, ...others] = sent(table, UpdateCommand);
    expect(others).toEqual([]);
    expect(write).toMatchObject({
      TableName,
      Key: userKeys.record.at({ id: 7 }),
      UpdateExpression: 'SET passwordTokenHash = :hash, passwordTokenExpiresAt = :expiresAt',
      ConditionExpression: `attribute_exists(pk) AND email = :email${more}`,
      ExpressionAttributeValues: { ':hash': aHash, ':expiresAt': aTime, ':email': email },
    });
    const expiresAt = Date.parse(write?.ExpressionAttributeValues?.[':expiresAt']);
    expect(expiresAt).toBeGreaterThanOrEqual(before + ms);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + ms);
    const secret = link.split('.').at(-1) ?? '';
    expect(JSON.stringify(table.calls().map(({ args }) => args[0].input))).not.toContain(secret);
  });

  it.each(writes)('to %s is not created if the condition fails', async (_, make) => {
    table.on(UpdateCommand).rejects(conditionFailed({ id: 7 }));
    expect(await make()).toBeUndefined();
  });

  it.each(errors)('throws %s unchanged', async (_, error) => {
    table.on(UpdateCommand).rejects(error);
    await expect(createResetLink(7, email)).rejects.toBe(error);
  });
});

describe('POST /api/auth/reset-password', () => {
  const reset = (token: string) =>
    call('POST /api/auth/reset-password', { body: { token, password: 'battery staple' } });

  it('writes the password and ends sessions and tokens if the link is the latest', async () => {
    const token = await tokenFrom(() => createResetLink(7, email));
    table.on(TransactWriteCommand).resolves({});
    expect((await reset(token)).status).toBe(200);
    expect(transactions()).toEqual([
      [
        {
          Update: {
            TableName,
            Key: userKeys.record.at({ id: 7 }),
            UpdateExpression:
              'SET passwordHash = :passwordHash, sessionEpoch = sessionEpoch + :one, tokenEpoch = if_not_exists(tokenEpoch, :zero) + :one, version = version + :one, updatedAt = :now REMOVE passwordTokenHash, passwordTokenExpiresAt',
            ConditionExpression:
              'attribute_exists(pk) AND passwordTokenHash = :hash AND email = :email',
            ExpressionAttributeValues: {
              ':passwordHash': aPasswordHash,
              ':hash': links.user.passwordTokenHash,
              ':email': email,
              ':one': 1,
              ':zero': 0,
              ':now': aTime,
            },
          },
        },
        alertPut('password-reset'),
        ...auditWrites({
          action: 'password.reset',
          subject: 'user:7',
          actorId: 7,
          after: { password: 'changed', link: 'reset' },
        }),
      ],
    ]);
  });

  it('rejects the token if the link or the address has changed since', async () => {
    const token = await tokenFrom(() => createResetLink(7, email));
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'None', 'None'));
    expect(await reset(token)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'token' }] } },
    });
  });

  it('rejects an invitation to an account with a password', async () => {
    const token = await tokenFrom(() => createInvitationLink(7, email));
    answerReads(table, [
      { ...userKeys.record.at({ id: 7 }), ...links.user, passwordHash: 'a hash' },
    ]);
    expect((await reset(token)).status).toBe(400);
    expect(transactions()).toEqual([]);
  });

  it('hashes no password for an invalid token', async () => {
    await tokenFrom(() => createResetLink(7, email));
    expect((await reset(`7.${'x'.repeat(43)}`)).status).toBe(400);
    expect(transactions()).toEqual([]);
  });
});

const form = (token: string) =>
  new URLSearchParams({ token, password: 'secret1', confirmPassword: 'secret1' }).toString();

const requests: readonly [string, () => Promise<Answer>][] = [
  [
    'POST /api/auth/reset-password',
    async () => {
      const token = await tokenFrom(() => createResetLink(7, email));
      return failing(() =>
        call('POST /api/auth/reset-password', { body: { token, password: 'secret1' } }),
      );
    },
  ],
  [
    'POST /api/auth/register',
    async () => {
      const token = await tokenFrom(() => createInvitationLink(7, email));
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
  it.each(errors)('returns 503 after %s', async (_name, error) => {
    failure = error;
    expect(told(await send())).toEqual(busy(aText));
  });

  it('hides the AWS message about a missing grant', async () => {
    failure = accessDenied();
    const response = await send();
    expect(told(response)).toEqual(broken(aText));
    for (const word of secretWords) expect(JSON.stringify(response)).not.toContain(word);
  });
});

describe.each(['/reset', '/invite'] as const)('%s', (path) => {
  const make = path === '/reset' ? createResetLink : createInvitationLink;

  it.each(errors)('returns the busy page after %s, not the invalid link page', async (_, e) => {
    const token = await tokenFrom(() => make(7, email));
    table.on(TransactWriteCommand).rejects(e);
    const sentForm = await call(`POST ${path}`, { body: form(token) });
    table.onAnyCommand().rejects(e);
    const looked = await call(`GET ${path}`, { query: { token } });
    for (const { status, body } of [sentForm, looked]) {
      expect([status, body]).toEqual([503, expect.stringContaining('temporarily unavailable')]);
      expect(body).not.toContain('invalid or expired');
    }
  });
});
