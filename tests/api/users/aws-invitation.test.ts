import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { createInvitationLink } from '../../../functions/api/users/account/password-link.ts';
import { indexWrites } from '../../../functions/api/users/record/user-index.ts';

import { userKeys } from '../../../shared/auth/keys.ts';
import { answerReads, canceled, mockTable, sent, signedIn } from '../../support/aws/errors.ts';
import { auditWrites } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { newSession, putNew, retriedCodes } from '../../support/users/auth-writes.ts';
import { email, useLinks } from '../../support/users/recovery-links.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const links = useLinks(table);
const { queue, tokenFrom, transactions, updates } = links;
const TableName = 'handbill-test';
const aText = expect.any(String);
const aPasswordHash = expect.stringMatching(/^\$2b\$04\$/);
const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('POST /api/auth/register with an invitation token', () => {
  const register = (token: string, name = 'Zoe Example') =>
    call('POST /api/auth/register', {
      body: { email, name, password: 'secret1', confirmPassword: 'secret1', token },
    });

  it('writes password, name, session and index entries in one transaction', async () => {
    const token = await tokenFrom(() => createInvitationLink(7, email));
    table.on(TransactWriteCommand).resolves({});
    expect((await register(token)).status).toBe(201);
    expect(sent(table, TransactWriteCommand)).toEqual([
      {
        ClientRequestToken: expect.stringMatching(/^[\da-f-]{36}$/),
        TransactItems: [
          {
            Update: {
              TableName,
              Key: userKeys.record.at({ id: 7 }),
              UpdateExpression:
                'SET #name = :name, passwordHash = :passwordHash, updatedAt = :now, #version = :next, signInPlaces = :places REMOVE passwordTokenHash, passwordTokenExpiresAt',
              ConditionExpression:
                'passwordTokenHash = :hash AND attribute_not_exists(passwordHash) AND #version = :seen AND sessionEpoch = :epoch',
              ExpressionAttributeNames: { '#name': 'name', '#version': 'version' },
              ExpressionAttributeValues: {
                ':name': 'Zoe Example',
                ':passwordHash': aPasswordHash,
                ':now': aTime,
                ':next': 2,
                ':places': expect.stringMatching(/^[\w-]{8}$/),
                ':hash': links.user.passwordTokenHash,
                ':seen': 1,
                ':epoch': 0,
              },
            },
          },
          putNew(newSession(7, 0)),
          ...Object.values(indexWrites(links.user, { ...links.user, name: 'Zoe Example' })),
          ...auditWrites({
            action: 'user.register',
            subject: 'user:7',
            actorId: 7,
            before: { name: links.user.name },
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

  it('reads the account again after a concurrent change', async () => {
    const token = await tokenFrom(() => createInvitationLink(7, email));
    table
      .on(TransactWriteCommand)
      .callsFakeOnce(() => {
        answerReads(table, [
          { ...userKeys.record.at({ id: 7 }), ...links.user, version: 2, phone: '030 12' },
        ]);
        throw canceled('ConditionalCheckFailed', 'None', 'None');
      })
      .resolves({});
    const { status, body } = await register(token);
    expect([status, body.user.version, body.user.phone]).toEqual([201, 3, '030 12']);
  });

  it('rejects the token if the link was used concurrently', async () => {
    const token = await tokenFrom(() => createInvitationLink(7, email));
    table.on(TransactWriteCommand).callsFake(() => {
      const { passwordTokenHash: _, ...used } = links.user;
      answerReads(table, [{ ...userKeys.record.at({ id: 7 }), ...used, passwordHash: 'a hash' }]);
      throw canceled('ConditionalCheckFailed', 'None', 'None');
    });
    expect(await register(token)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'token' }] } },
    });
    expect(sent(table, TransactWriteCommand)).toHaveLength(1);
  });

  it('fails after repeated conflicts', async () => {
    const token = await tokenFrom(() => createInvitationLink(7, email));
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'None', 'None'));
    expect(await register(token)).toMatchObject({ status: 503 });
    expect(sent(table, TransactWriteCommand)).toHaveLength(4);
  });

  it.each(retriedCodes)('repeats the same transaction after %s', async (code) => {
    const token = await tokenFrom(() => createInvitationLink(7, email));
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
  const invite = async () => {
    const root = await signedIn({ id: 9, role: 'super_admin' });
    answerReads(table, [...root.items, { ...userKeys.record.at({ id: 7 }), ...links.user }]);
    return call('POST /api/users/{id}/invitation', { token: root.token, params: { id: '7' } });
  };

  it('enqueues the email in one transaction with the audit entry and creates no link', async () => {
    table.on(TransactWriteCommand).resolves({});
    expect((await invite()).status).toBe(200);
    expect(updates()).toEqual([]);
    expect(queue.commandCalls(SendMessageCommand)).toEqual([]);
    expect(transactions()).toEqual([
      [
        {
          ConditionCheck: {
            TableName,
            Key: userKeys.record.at({ id: 7 }),
            ConditionExpression: 'attribute_exists(pk) AND version = :seenVersion',
            ExpressionAttributeValues: { ':seenVersion': 1 },
          },
        },
        putNew({
          pk: 'OUTBOX',
          sk: aText,
          message: expect.stringMatching(/"kind":"invitation-email","data":\{"userId":7\}/),
          ttl: expect.any(Number),
        }),
        ...auditWrites({
          action: 'user.invite',
          subject: 'user:7',
          actorId: 9,
          after: { invited: email },
        }),
      ],
    ]);
  });

  it('retries after a concurrent change and fails after repeated conflicts', async () => {
    const changed = canceled('ConditionalCheckFailed', 'None', 'None', 'None');
    table.on(TransactWriteCommand).rejectsOnce(changed).resolves({});
    expect((await invite()).status).toBe(200);
    expect(transactions()).toHaveLength(2);
    table.on(TransactWriteCommand).rejects(changed);
    expect((await invite()).status).toBe(503);
    expect(transactions()).toHaveLength(2 + 8);
  });
});
