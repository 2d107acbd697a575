import {
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userKeys } from '../../../shared/auth/keys.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { notify } from '../../../shared/notifications/notify.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  canceled,
  conditionFailed,
  mockTable,
  passingErrors,
  sent,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { notice } from '../../support/notifications/notifications.ts';
import { call } from '../../support/service/call.ts';
import { putNew } from '../../support/users/auth-writes.ts';

// Skips the delays between retries.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();
const now = '2026-11-21T12:00:00.000Z';
const today = '20778';
/** Expires at the end of the day, 90 days later. */
const ttl = Date.parse('2027-02-20T00:00:00.000Z') / 1_000;
const zeros = Array(32).fill(0);

const id = 12;
const item = { ...notificationKeys.record.at({ userId: 7, id }), ...notice, id, createdAt: now };
const boxOf = (fields: object = {}) => ({
  ...notificationKeys.counters.at({ userId: 7 }),
  newestId: id,
  newestAt: now,
  kept: { [today]: 3 },
  unread: { [today]: 2 },
  marks: zeros,
  ...fields,
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  table.reset();
  table.on(TransactWriteCommand).resolves({});
  table.on(UpdateCommand).resolves({});
  table.on(QueryCommand).resolves({});
});
afterEach(() => void vi.useRealTimers());

const transactions = () => sent(table, TransactWriteCommand);
const writes = () => transactions()[0]?.TransactItems ?? [];

/** Mocks a table with Ann as the caller and these items. */
const asAnn = async (endpoint: string, items: readonly Record<string, unknown>[] = []) => {
  const ann = await signedIn();
  answerReads(table, [...ann.items, ...items]);
  return call(endpoint, { token: ann.token, params: { id: String(id) } });
};
const withAnn = async (items: readonly Record<string, unknown>[] = []) =>
  answerReads(table, [...(await signedIn()).items, ...items]);

describe('notify', () => {
  const marker = putNew({
    ...notificationKeys.receipt.at({ userId: 7, event: 'fire' }),
    ttl: Date.parse(now) / 1_000 + 19 * 86_400,
  });

  it('writes the first notification, its receipt and new counters in one transaction', async () => {
    await withAnn();
    await notify([7], notice, 'fire');
    const newId = writes()[1]?.Put?.Item?.['id'];
    expect(Number.isSafeInteger(newId)).toBe(true);
    expect(transactions()).toEqual([
      {
        ClientRequestToken: aText,
        TransactItems: [
          marker,
          putNew({
            ...notificationKeys.record.at({ userId: 7, id: newId }),
            ...notice,
            id: newId,
            createdAt: now,
            ttl,
          }),
          putNew({
            ...notificationKeys.counters.at({ userId: 7 }),
            newestId: newId,
            newestAt: now,
            kept: { [today]: 1 },
            unread: { [today]: 1 },
            marks: zeros,
            ttl,
          }),
        ],
      },
    ]);
  });

  it('updates existing counters conditionally and removes expired days', async () => {
    const past = { '20686': 4, '20687': 5 };
    await withAnn([boxOf({ kept: { ...past, [today]: 1 }, unread: { '20600': 1 } })]);
    await notify([7], notice, 'fire');
    expect(writes()[2]).toEqual({
      Update: {
        TableName,
        Key: notificationKeys.counters.at({ userId: 7 }),
        UpdateExpression:
          'SET newestId = :id, newestAt = :at, #ttl = :ttl, kept.#day = if_not_exists(kept.#day, :zero) + :one, unread.#day = if_not_exists(unread.#day, :zero) + :one REMOVE kept.#past0, unread.#past0, kept.#past1, unread.#past1',
        ConditionExpression: 'attribute_exists(pk) AND newestId < :id AND newestAt <= :at',
        ExpressionAttributeNames: {
          '#ttl': 'ttl',
          '#day': today,
          '#past0': '20686',
          '#past1': '20600',
        },
        ExpressionAttributeValues: {
          ':id': writes()[1]?.Put?.Item?.['id'],
          ':at': now,
          ':ttl': ttl,
          ':zero': 0,
          ':one': 1,
        },
      },
    });
  });

  it('exceeds the id and time of a writer with a fast clock', async () => {
    const newestAt = '2026-11-22T00:00:00.001Z';
    await withAnn([boxOf({ newestId: Number.MAX_SAFE_INTEGER - 1, newestAt })]);
    await notify([7], notice, 'fire');
    expect(writes()[1]?.Put?.Item).toMatchObject({
      id: Number.MAX_SAFE_INTEGER,
      createdAt: newestAt,
      ttl: ttl + 86_400,
    });
    expect(writes()[2]?.Update?.ExpressionAttributeNames).toMatchObject({ '#day': '20779' });
  });

  it('retries with new counters after a concurrent notification', async () => {
    await withAnn([boxOf()]);
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('None', 'None', 'ConditionalCheckFailed'))
      .rejectsOnce(canceled('None', 'ConditionalCheckFailed', 'None'))
      .resolves({});
    await notify([7], notice, 'fire');
    expect(transactions()).toHaveLength(3);
  });

  it('writes nothing for a known receipt or an unknown user', async () => {
    await withAnn([boxOf()]);
    table
      .on(TransactWriteCommand)
      .rejects(canceled('ConditionalCheckFailed', 'None', 'ConditionalCheckFailed'));
    await notify([7, 8], notice, 'fire');
    expect(transactions()).toHaveLength(1);
  });

  it('fails after 8 concurrent writes', async () => {
    await withAnn([boxOf()]);
    table.on(TransactWriteCommand).rejects(canceled('None', 'None', 'ConditionalCheckFailed'));
    await expect(notify([7], notice, 'fire')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(transactions()).toHaveLength(8);
  });

  it.each(errors)('fails after %s, once the other users are notified', async (_, error) => {
    await withAnn([{ ...userKeys.record.at({ id: 8 }), id: 8 }]);
    table.on(TransactWriteCommand).rejectsOnce(error).resolves({});
    await expect(notify([7, 8], notice, 'fire')).rejects.toBe(error);
    expect(transactions()).toHaveLength(2);
  });
});

describe('PUT /api/notifications/{id}/read', () => {
  const read = (items: readonly Record<string, unknown>[] = [item, boxOf()]) =>
    asAnn('PUT /api/notifications/{id}/read', items);

  it('updates the count with the notification, unless read-all includes it', async () => {
    expect((await read()).status).toBe(200);
    expect(writes()).toEqual([
      {
        Update: {
          TableName,
          Key: notificationKeys.record.at({ userId: 7, id }),
          UpdateExpression: 'SET #readAt = :readAt',
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(readAt)',
          ExpressionAttributeNames: { '#readAt': 'readAt' },
          ExpressionAttributeValues: { ':readAt': now },
        },
      },
      {
        Update: {
          TableName,
          Key: notificationKeys.counters.at({ userId: 7 }),
          UpdateExpression: 'SET unread.#day = unread.#day - :one',
          ConditionExpression: 'attribute_exists(pk) AND marks[0] < :id',
          ExpressionAttributeNames: { '#day': today },
          ExpressionAttributeValues: { ':one': 1, ':id': id },
        },
      },
    ]);
  });

  it.each([
    ['by itself', [{ ...item, readAt: now }, boxOf()]],
    ['with all others', [item, boxOf({ marks: zeros.with(0, id).with(1, Date.parse(now)) })]],
  ])('writes nothing for a notification that was read %s', async (_, items) => {
    expect((await read(items)).body.data).toMatchObject({ id, read: true, readAt: now });
    expect(transactions()).toEqual([]);
  });

  it.each([0, 1])('retries after a concurrent change in write %i', async (at) => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled(...['None', 'None'].with(at, 'ConditionalCheckFailed')))
      .resolves({});
    expect((await read()).status).toBe(200);
    expect(transactions()).toHaveLength(2);
  });

  it('returns 503 after repeated concurrent changes', async () => {
    table.on(TransactWriteCommand).rejects(canceled('None', 'ConditionalCheckFailed'));
    expect((await read()).status).toBe(503);
    expect(transactions()).toHaveLength(8);
  });

  it('returns 404 for an expired notification', async () => {
    const createdAt = '2026-08-22T23:59:59.999Z';
    expect((await read([{ ...item, createdAt }, boxOf()])).status).toBe(404);
    expect((await read([boxOf()])).status).toBe(404);
    expect(transactions()).toEqual([]);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await read())).toEqual(busy(aText));
  });

  it('returns 500 without permission to write', async () => {
    table.on(TransactWriteCommand).rejects(accessDenied());
    expect(told(await read())).toEqual(broken(aText));
  });
});

describe('DELETE /api/notifications/{id}', () => {
  const remove = (items: readonly Record<string, unknown>[] = [item, boxOf()]) =>
    asAnn('DELETE /api/notifications/{id}', items);
  const deletion = (ConditionExpression: string) => ({
    Delete: { TableName, Key: notificationKeys.record.at({ userId: 7, id }), ConditionExpression },
  });

  it('removes an unread notification from both counts, unless it is read concurrently', async () => {
    expect((await remove()).status).toBe(200);
    expect(writes()).toEqual([
      deletion('attribute_exists(pk) AND attribute_not_exists(readAt)'),
      {
        Update: {
          TableName,
          Key: notificationKeys.counters.at({ userId: 7 }),
          UpdateExpression: 'SET kept.#day = kept.#day - :one, unread.#day = unread.#day - :one',
          ConditionExpression: 'attribute_exists(pk) AND marks[0] < :id',
          ExpressionAttributeNames: { '#day': today },
          ExpressionAttributeValues: { ':one': 1, ':id': id },
        },
      },
    ]);
  });

  it('removes a read notification from the total', async () => {
    expect((await remove([{ ...item, readAt: now }, boxOf()])).status).toBe(200);
    expect(writes()).toEqual([
      deletion('attribute_exists(pk)'),
      {
        Update: {
          TableName,
          Key: notificationKeys.counters.at({ userId: 7 }),
          UpdateExpression: 'SET kept.#day = kept.#day - :one',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeNames: { '#day': today },
          ExpressionAttributeValues: { ':one': 1 },
        },
      },
    ]);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await remove())).toEqual(busy(aText));
  });
});

describe('PUT /api/notifications/read-all', () => {
  const readAll = () => asAnn('PUT /api/notifications/read-all');

  it('updates the counters in one write', async () => {
    expect((await readAll()).status).toBe(200);
    const shifted = Array.from({ length: 30 }, (_, at) => `marks[${at + 2}] = marks[${at}]`);
    expect(sent(table, UpdateCommand)).toEqual([
      {
        TableName,
        Key: notificationKeys.counters.at({ userId: 7 }),
        UpdateExpression: `SET unread = :none, marks[0] = newestId, marks[1] = :now, ${shifted.join(', ')}`,
        ConditionExpression: 'attribute_exists(pk) AND marks[0] < newestId',
        ExpressionAttributeValues: { ':none': {}, ':now': Date.parse(now) },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    ]);
    expect(transactions()).toEqual([]);
  });

  it('returns 200 if nothing is unread or the first response was lost', async () => {
    table.on(UpdateCommand).rejects(conditionFailed(boxOf()));
    expect((await readAll()).status).toBe(200);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(UpdateCommand).rejects(error);
    expect(told(await readAll())).toEqual(busy(aText));
  });
});

/** Ids start with their time: the lowest of 90 days ago, minus the clock tolerance, and the highest possible id. */
const oldestSk = 'NOTIFICATION#0211628851200000';
const newestSk = 'NOTIFICATION#9007199254740991';

describe('GET /api/notifications', () => {
  const list = async (query: Readonly<Record<string, string>>, box = boxOf()) => {
    const ann = await signedIn();
    answerReads(table, [...ann.items, box]);
    table
      .on(QueryCommand)
      .callsFake(async (input) => (isOfMessages(input) ? {} : { Items: [item], ScannedCount: 1 }));
    return call('GET /api/notifications', { token: ann.token, query });
  };
  /** Matches the query for pending deliveries, which precedes the list. */
  const isOfMessages = ({ ExpressionAttributeValues }: QueryCommandInput) =>
    ExpressionAttributeValues?.[':prefix'] === 'DELIVERY#';
  const queries = () => sent(table, QueryCommand).filter((input) => !isOfMessages(input));

  it('reads one item more than a page, consistently', async () => {
    expect((await list({ pageSize: '3' })).body.data).toMatchObject({ total: 3, items: [{ id }] });
    expect(queries()).toEqual([
      {
        TableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
        FilterExpression: 'createdAt >= :storedFrom',
        ExpressionAttributeValues: {
          ':pk': 'USER#7',
          ':oldest': oldestSk,
          ':newest': newestSk,
          ':storedFrom': '2026-08-23T00:00:00.000Z',
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: 4,
      },
    ]);
  });

  it('reads unread notifications only after the last mark', async () => {
    const box = boxOf({ marks: zeros.with(0, 5).with(1, Date.parse(now)) });
    expect((await list({ unread: 'true' }, box)).body.data).toMatchObject({ total: 2 });
    expect(queries()).toEqual([
      {
        TableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
        FilterExpression:
          'createdAt >= :storedFrom AND id > :upTo AND attribute_not_exists(readAt)',
        ExpressionAttributeValues: {
          ':pk': 'USER#7',
          ':oldest': oldestSk,
          ':newest': newestSk,
          ':storedFrom': '2026-08-23T00:00:00.000Z',
          ':upTo': 5,
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: 11,
      },
    ]);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    const ann = await signedIn();
    answerReads(table, ann.items);
    table.on(QueryCommand).rejects(error);
    expect(told(await call('GET /api/notifications', { token: ann.token }))).toEqual(busy(aText));
  });
});
