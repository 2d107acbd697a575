import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { hashPassword } from '../../../functions/api/share/record/share-password.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import {
  answerReads,
  busy,
  conditionFailed,
  mockTable,
  passingErrors,
  sent,
  shareQuery,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { call } from '../../support/service/call.ts';
import {
  content,
  shareId as id,
  ownerItem,
  shareItems,
  shownShare,
} from '../../support/shares/items.ts';
import {
  aFormView,
  aLastView,
  aRefund,
  aView,
  isRefund,
  now,
  viewIdIn,
} from '../../support/shares/writes.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const queue = mockClient(SQSClient);
const bucket = mockClient(S3Client);
/** Returns the sent jobs, except activity events. */
const sentJobs = () =>
  queue
    .commandCalls(SendMessageCommand)
    .map(({ args: [{ input }] }) => ({ input, message: JSON.parse(input.MessageBody ?? '') }))
    .filter(({ message }) => message.kind !== 'activity');
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();
type Update = UpdateCommand['input'];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  table.reset();
  queue.reset();
  bucket.reset();
  queue.on(SendMessageCommand).resolves({});
});
afterEach(() => void vi.useRealTimers());

/** Mocks writes of the access item. The rate limiter gets no response, so it allows all requests. */
const gateWrites = () => table.on(UpdateCommand, { Key: shareKeys.access.at({ id }) });
const sentToGate = () => sent(table, UpdateCommand).filter(({ Key }) => Key?.['sk'] === 'VIEWS');

type Item = Record<string, unknown>;
const gateOf = (items: readonly Item[]): Item => items.find(({ sk }) => sk === 'VIEWS') ?? {};

/** Stores this share in the table; a write of the access item adds a view. */
const hold = (items: readonly Item[], change: Item = {}) => {
  answerReads(table, [...items, ownerItem]);
  const access = gateOf(items);
  const views = (access['views'] as number) + 1;
  gateWrites().callsFake(async () => ({ Attributes: { ...access, views, ...change } }));
};
const view = (query: Record<string, string> = {}) =>
  call('GET /api/share', { query: { id, ...query } });
const gone = {
  status: 410,
  body: { success: false, error: { code: 'GONE', details: [], message: aText, requestId: aText } },
};

describe('GET /api/share?id=', () => {
  it('makes one conditional write after one query for share, access item and content', async () => {
    hold(shareItems());
    const { status, body } = await view();
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...shownShare({ views: 1 }), content },
    });
    expect(sentToGate()).toEqual([aView]);
    expect(sent(table, QueryCommand)).toEqual([
      {
        TableName,
        ...shareQuery,
        ExpressionAttributeValues: {
          ':pk': shareKeys.record.partition({ id }).pk,
          ':share': shareKeys.record.at({ id }).sk,
          ':access': shareKeys.access.at({ id }).sk,
        },
        ConsistentRead: true,
        Limit: 3,
      },
    ]);
    // Includes the owner, who may be removed or suspended.
    const [owner, ...more] = sent(table, BatchGetCommand);
    expect(owner?.RequestItems?.[TableName]).toEqual({
      Keys: [userKeys.record.at({ id: 7 })],
      ConsistentRead: true,
    });
    expect(more).toEqual([]);
    expect(sentJobs()).toEqual([]);
  });

  it('makes the same write for a limited share before its last view', async () => {
    hold(shareItems({ viewLimit: 3 }));
    expect(await view()).toMatchObject({ status: 200, body: { views: 1, viewsLeft: 2 } });
    expect(sentToGate()).toEqual([aView]);
  });

  it('retries with the same view id as the last view, and schedules the purge after 120 s', async () => {
    const items = shareItems({ viewLimit: 3 }, { views: 1 });
    hold(items);
    gateWrites()
      .rejectsOnce(conditionFailed({ ...gateOf(items), views: 2 }))
      .resolves({ Attributes: { ...gateOf(items), views: 3, endedAt: now } });
    expect(await view()).toMatchObject({ status: 200, body: { views: 3, viewsLeft: 0, content } });
    const updates = sentToGate();
    expect(updates).toEqual([aView, aLastView]);
    expect(viewIdIn(updates[1])).toBe(viewIdIn(updates[0]));
    const [job] = sentJobs();
    expect(job?.input).toMatchObject({ DelaySeconds: 120 });
    expect(job?.message).toMatchObject({ kind: 'purge-share', data: { id } });
  });

  it('names the verified password and recognizes the last view beforehand', async () => {
    const password = await hashPassword('aB3dE6');
    const items = shareItems({ viewLimit: 1, password }, { passwordId: password.id });
    hold(items, { endedAt: now });
    expect(await view({ password: 'aB3dE6' })).toMatchObject({ status: 200, body: { views: 1 } });
    expect(sentToGate()).toEqual([
      {
        ...aLastView,
        ConditionExpression: aLastView.ConditionExpression.replace(
          'attribute_not_exists(passwordId)',
          'passwordId = :passwordId',
        ),
        ExpressionAttributeValues: {
          ...aLastView.ExpressionAttributeValues,
          ':passwordId': password.id,
        },
      },
    ]);
  });

  it.each([
    ['missing', undefined, 'Password required.'],
    ['wrong', 'wrong1', 'Incorrect password.'],
  ])('consumes nothing with a %s password', async (_, given, message) => {
    const password = await hashPassword('aB3dE6');
    const items = shareItems({ password }, { passwordId: password.id });
    hold(items);
    const response = await view(given === undefined ? {} : { password: given });
    expect(response).toMatchObject({ status: 401, body: { error: { message } } });
    expect(sentToGate()).toEqual([]);
  });

  it('rejects a password that was changed after it was verified', async () => {
    const password = await hashPassword('aB3dE6');
    const items = shareItems({ password }, { passwordId: password.id });
    hold(items);
    gateWrites().rejects(conditionFailed({ ...gateOf(items), passwordId: 'another' }));
    expect(await view({ password: 'aB3dE6' })).toMatchObject({ status: 401 });
  });

  it('creates a view id for each view', async () => {
    hold(shareItems());
    await Promise.all(Array.from({ length: 100 }, () => view()));
    expect(new Set(sentToGate().map(viewIdIn)).size).toBe(100);
  });

  it.each([0, 20, 39])('recognizes a view after a lost response and %i newer views', async (at) => {
    const items = shareItems({ viewLimit: 50 }, { views: 49 });
    hold(items);
    gateWrites().callsFake(async (input: Update) => {
      throw conditionFailed({
        ...gateOf(items),
        views: 50,
        recentViewIds: Array(40).fill('another1').with(at, viewIdIn(input)),
      });
    });
    expect(await view()).toMatchObject({ status: 200, body: { views: 50, content } });
    expect(sentToGate()).toHaveLength(1);
  });

  it.each([
    ['its views are used up', { views: 2 }],
    ['its time is over', { expiresAt: now }],
    ['it was taken down', { takenDown: true as const }],
    ['its owner is suspended', { ownerSuspended: true as const }],
  ])('returns 410 if %s, without consuming a view', async (_, access) => {
    hold(shareItems({ viewLimit: 2, ...('expiresAt' in access && access) }, access));
    expect(told(await view())).toEqual({ ...gone, retryAfter: undefined });
    expect(sentToGate()).toEqual([]);
    // Covers a change after the share was read.
    const items = shareItems({ viewLimit: 2 });
    hold(items);
    gateWrites().rejects(conditionFailed({ ...gateOf(items), ...access }));
    expect(told(await view())).toEqual({ ...gone, retryAfter: undefined });
    expect(sentToGate()).toEqual([aView]);
  });

  it('returns 404 without an access item', async () => {
    answerReads(table, []);
    gateWrites().rejects(conditionFailed());
    expect(await view()).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });

  it('returns 503 if the access item keeps changing', async () => {
    const items = shareItems({ viewLimit: 3 }, { views: 2 });
    hold(items);
    let views = 0;
    gateWrites().callsFake(async () => {
      throw conditionFailed({ ...gateOf(items), views: 1 + (++views % 2) });
    });
    expect(await view()).toMatchObject({ status: 503 });
    expect(sentToGate()).toHaveLength(6);
  });

  it.each(errors)('returns 503 after %s and refunds the view', async (_, error) => {
    hold(shareItems());
    gateWrites().rejects(error);
    expect(told(await view())).toEqual(busy(aText));
    const updates = sentToGate();
    const returns = updates.filter(isRefund);
    expect(returns[0]).toEqual(aRefund('', 'attribute_not_exists(endedAt)'));
    expect(returns[0]?.ExpressionAttributeValues?.[':consumed']).toBe(viewIdIn(updates[0]));
    expect(viewIdIn(returns[0])).not.toBe(viewIdIn(updates[0]));
    // The refund has its own timeout, because the view may have used up the first one.
    const bounds: unknown = table.commandCalls(UpdateCommand).at(-1)?.args.at(1);
    expect(bounds).toEqual({ abortSignal: expect.any(AbortSignal) });
  });
});

describe('a view that may have been consumed without a response', () => {
  const [, lost] = errors[0] as (typeof errors)[number];

  it('reopens the share if it was the last', async () => {
    const items = shareItems({ viewLimit: 3 }, { views: 2 });
    hold(items);
    const ended = { ...gateOf(items), views: 3, endedAt: now };
    gateWrites()
      .rejectsOnce(lost)
      .callsFake(async ({ ConditionExpression, ExpressionAttributeValues }: Update) => {
        if (ConditionExpression?.includes('endedAt = :endedAt')) return {};
        throw conditionFailed({
          ...ended,
          recentViewIds: [ExpressionAttributeValues?.[':consumed']],
        });
      });
    expect(await view()).toMatchObject({ status: 503 });
    expect(sentToGate()).toEqual([
      aLastView,
      aRefund('', 'attribute_not_exists(endedAt)'),
      aRefund(' REMOVE endedAt, gsi1pk, gsi1sk', 'endedAt = :endedAt AND #views = :expectedViews', {
        ':endedAt': now,
        ':expectedViews': 3,
      }),
    ]);
    expect(sentJobs()).toEqual([]);
  });

  it('is refunded once even if the response of the refund is lost', async () => {
    const items = shareItems({ viewLimit: 3 });
    hold(items);
    gateWrites()
      .rejectsOnce(lost)
      .callsFake(async (input: Update) => {
        const recentViewIds = [viewIdIn(input), input.ExpressionAttributeValues?.[':consumed']];
        throw conditionFailed({ ...gateOf(items), views: 0, recentViewIds });
      });
    expect(await view()).toMatchObject({ status: 503 });
    expect(sentToGate()).toHaveLength(2);
  });
});

it.each(errors)('consumes no view if the content can’t be read: %s', async (_, error) => {
  hold(shareItems({ viewLimit: 3 }));
  table.on(QueryCommand, shareQuery).rejects(error);
  expect(told(await view())).toEqual(busy(aText));
  expect(sentToGate()).toEqual([]);
  expect(sentJobs()).toEqual([]);
});

describe('POST /s/{id}/open', () => {
  const openPage = (body: string) =>
    call('POST /s/{id}/open', {
      params: { id },
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  it('reads share and access item and consumes one view for repeated submissions', async () => {
    hold([...shareItems({ viewLimit: 3 }), ...(await signedIn()).items]);
    expect((await openPage('claim=a-nonce')).status).toBe(303);
    expect((await openPage('claim=a-nonce')).status).toBe(303);
    expect((await openPage('claim=another')).status).toBe(303);
    const updates = sentToGate();
    expect(updates).toEqual([aFormView, aFormView, aFormView]);
    const [first, again, other] = updates.map(viewIdIn);
    expect([again === first, other === first]).toEqual([true, false]);
    expect(sent(table, BatchGetCommand)[0]?.RequestItems?.[TableName]?.Keys).toEqual([
      shareKeys.record.at({ id }),
      shareKeys.access.at({ id }),
    ]);
  });

  it.each([1, 7])('recognizes a submission by its alias %i', async (at) => {
    const items = shareItems({ viewLimit: 3 }, { views: 1 });
    hold([...items, ...(await signedIn()).items]);
    gateWrites().callsFake(async ({ ExpressionAttributeValues: values = {} }: Update) => {
      throw conditionFailed({ ...gateOf(items), recentViewIds: [values[`:alias${at - 1}`]] });
    });
    expect((await openPage('claim=a-nonce')).status).toBe(303);
    expect(sentToGate()).toEqual([aFormView]);
  });

  it.each(errors)('consumes no view if large content can’t be read: %s', async (_, error) => {
    const texts = { id: 'first-texts', place: 'bucket' as const, parts: [] };
    hold([...shareItems({ viewLimit: 1, texts }), ...(await signedIn()).items]);
    bucket.on(GetObjectCommand).rejects(error);
    const { status, headers } = await openPage('claim=a-nonce');
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(bucket.commandCalls(GetObjectCommand)).toHaveLength(1);
    expect([sentToGate(), sentJobs()]).toEqual([[], []]);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    hold([...shareItems({ viewLimit: 3 }), ...(await signedIn()).items]);
    gateWrites().rejects(error);
    const { status, headers, body } = await openPage('claim=a-nonce');
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(body).toContain('Temporarily unavailable');
    // A form submitted again is the same view, so nothing is refunded.
    expect(sentToGate().some(isRefund)).toBe(false);
  });
});

it('uses no transaction for a view', async () => {
  hold(shareItems({ viewLimit: 3 }));
  await view();
  expect(sent(table, TransactWriteCommand)).toEqual([]);
});
