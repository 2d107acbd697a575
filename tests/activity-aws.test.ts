import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteActivity } from '../functions/activity/note.ts';
import { keys } from '../shared/table.ts';
import { measures } from '../shared/telemetry.ts';
import { deliver, type Told } from './support/activity.ts';
import {
  accessDenied,
  answerReads,
  canceled,
  conditionFailed,
  mockTable,
  passingErrors,
  sent,
} from './support/aws-errors.ts';

// A pause between two tries is over at once; the time of a batch is not.
vi.mock('node:timers/promises', async () => {
  const { setTimeout: wait } =
    await vi.importActual<typeof import('node:timers/promises')>('node:timers/promises');
  return {
    setTimeout: (ms: number, ...rest: [undefined?, object?]) =>
      ms < 5_000 ? undefined : wait(ms, ...rest),
  };
});

const table = mockTable();
const queue = mockClient(SQSClient);
const TableName = 'handbill-test';
const now = '2026-11-21T12:00:00.000Z';
const nowSeconds = Date.parse(now) / 1_000;

const halfHours = (...places: number[]) =>
  Array.from({ length: 48 }, (_, at) => (places.includes(at) ? '1' : '0')).join('');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  vi.spyOn(measures(), 'addMetric');
  table.reset();
  queue.reset();
  table.on(TransactWriteCommand).resolves({});
  table.on(UpdateCommand).resolves({});
  answerReads(table, []);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const transactions = () => sent(table, TransactWriteCommand).map((one) => one.TransactItems ?? []);
const metrics = () => vi.mocked(measures().addMetric).mock.calls.map(([name]) => name);

const message = (id: string, fields: Partial<Told['data']> = {}): Told => ({
  id,
  data: { at: now, visitor: 'ann', counts: ['views'], ...fields },
});

const marker = (name: string) => ({
  Put: {
    TableName,
    Item: { pk: `COUNTED#${name}`, sk: 'COUNTED', ttl: nowSeconds + 19 * 86_400 },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

const day = (date: string, counters: Readonly<Record<string, number>>) => ({
  Update: {
    TableName,
    Key: { pk: expect.stringMatching(/^STATS#DAYS#[0-3]$/), sk: date },
    UpdateExpression: expect.stringMatching(/^ADD /),
    ExpressionAttributeNames: Object.fromEntries(
      Object.keys(counters).map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(counters).map(([name, delta]) => [`:${name}`, delta]),
    ),
  },
});

describe('a batch of what happened', () => {
  const batch = [
    message('1', { counts: ['pageViews', 'views'] }),
    message('2', { claim: 'share claim' }),
    message('3', { visitor: 'bob', at: '2026-11-20T23:59:59.999Z', counts: ['signIns'] }),
  ];

  it('is one transaction: markers, visitors and days, each with its condition', async () => {
    const known = { ...keys.visitorOfDay('2026-11-21', 'ann'), halfHours: halfHours(22) };
    answerReads(table, [known]);
    expect(await deliver(batch)).toEqual([]);
    expect(transactions()).toEqual([
      [
        marker('1'),
        marker('share claim'),
        marker('3'),
        {
          Update: {
            TableName,
            Key: keys.visitorOfDay('2026-11-21', 'ann'),
            UpdateExpression: 'SET halfHours = :after',
            ConditionExpression: 'halfHours = :before',
            ExpressionAttributeValues: { ':after': halfHours(22, 24), ':before': halfHours(22) },
          },
        },
        {
          Put: {
            TableName,
            Item: {
              ...keys.visitorOfDay('2026-11-20', 'bob'),
              halfHours: halfHours(47),
              ttl: nowSeconds + 5 * 86_400,
            },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        day('2026-11-21', { visits: 1, pageViews: 1, views: 2 }),
        day('2026-11-20', { visits: 1, uniqueVisitors: 1, signIns: 1 }),
      ],
    ]);
    expect(sent(table, BatchGetCommand)).toHaveLength(1);
  });

  it('writes nothing of a visitor who is known to be active', async () => {
    answerReads(table, [{ ...keys.visitorOfDay('2026-11-21', 'ann'), halfHours: halfHours(24) }]);
    await deliver([message('1')]);
    expect(transactions()).toEqual([[marker('1'), day('2026-11-21', { views: 1 })]]);
  });

  it('leaves out what has a marker, and counts the others', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(
        canceled('None', 'ConditionalCheckFailed', 'None', 'None', 'None', 'None', 'None'),
      )
      .resolves({});
    expect(await deliver(batch)).toEqual([]);
    const [, again] = transactions();
    expect(again?.slice(0, 2)).toEqual([marker('1'), marker('3')]);
    expect(again?.at(-2)).toEqual(
      day('2026-11-21', { visits: 1, uniqueVisitors: 1, pageViews: 1, views: 1 }),
    );
  });

  it('is done where every message has a marker', async () => {
    const all = ['ConditionalCheckFailed', 'ConditionalCheckFailed', 'ConditionalCheckFailed'];
    table.on(TransactWriteCommand).rejects(canceled(...all, 'None', 'None', 'None', 'None'));
    expect([await deliver(batch), transactions().length]).toEqual([[], 1]);
  });

  it('reads a visitor again who was active elsewhere meanwhile', async () => {
    const known = { ...keys.visitorOfDay('2026-11-21', 'ann'), halfHours: halfHours(24) };
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      answerReads(table, [known]);
      throw canceled('None', 'ConditionalCheckFailed', 'None');
    });
    expect(await deliver([message('1')])).toEqual([]);
    expect(transactions()[1]).toEqual([marker('1'), day('2026-11-21', { views: 1 })]);
  });

  it('fails where its visitors change each time', async () => {
    table.on(TransactWriteCommand).rejects(canceled('None', 'ConditionalCheckFailed', 'None'));
    expect([await deliver([message('1')]), transactions().length]).toEqual([[0], 8]);
    expect(metrics()).toEqual(['JobsFailed']);
  });

  it.each([...passingErrors(), ['AccessDenied', accessDenied()] as const])(
    'is delivered again after %s',
    async (_, error) => {
      table.on(TransactWriteCommand).rejects(error);
      expect(await deliver(batch)).toEqual([0, 1, 2]);
      table.on(BatchGetCommand).rejects(error);
      expect(await deliver(batch)).toEqual([0, 1, 2]);
    },
  );
});

describe('a view that is counted into its share', () => {
  const viewed = [message('1', { share: 'abc' }), message('2')];

  it('takes a claim that its message names', async () => {
    await deliver(viewed);
    await deliver(viewed);
    const updates = sent(table, UpdateCommand);
    expect(updates).toHaveLength(2);
    expect(updates[0]).toMatchObject({
      Key: keys.shareViews('abc'),
      UpdateExpression: expect.stringContaining('#views = #views + :one, claims[0] = :claim'),
      ConditionExpression:
        'attribute_exists(pk) AND attribute_not_exists(lastView) AND NOT contains(claims, :claim)',
      ExpressionAttributeValues: { ':one': 1, ':claim': expect.stringMatching(/^[\w-]{8}$/) },
    });
    expect(updates[1]?.ExpressionAttributeValues).toEqual(updates[0]?.ExpressionAttributeValues);
  });

  it('is done where the share is gone, has a limit, or knows the claim', async () => {
    table.on(UpdateCommand).rejects(conditionFailed(undefined));
    expect(await deliver(viewed)).toEqual([]);
  });

  it.each(passingErrors())('is delivered again alone after %s', async (_, error) => {
    table.on(UpdateCommand).rejects(error);
    expect(await deliver(viewed)).toEqual([0]);
    expect(transactions()).toHaveLength(1);
  });
});

describe('what a request tells the queue', () => {
  const caller = { network: '192.0.2.1', userAgent: 'tests' };

  it('is one short message', async () => {
    queue.on(SendMessageCommand).resolves({});
    await noteActivity(caller, { counts: ['pageViews', 'views'], share: 'abc' });
    const [input] = queue.commandCalls(SendMessageCommand).map(({ args }) => args[0].input);
    expect(JSON.parse(input?.MessageBody ?? '')).toEqual({
      id: expect.any(String),
      kind: 'activity',
      data: {
        at: now,
        visitor: expect.stringMatching(/^[\w-]{22}$/),
        counts: ['pageViews', 'views'],
        share: 'abc',
      },
    });
  });

  it.each(passingErrors())('is dropped and counted after %s', async (_, error) => {
    queue.on(SendMessageCommand).rejects(error);
    await noteActivity(caller, { counts: ['views'] });
    expect(metrics()).toEqual(['JobsDropped']);
    expect(table.calls()).toEqual([]);
  });
});
