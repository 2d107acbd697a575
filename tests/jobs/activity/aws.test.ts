import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { visitKeys } from '../../../functions/jobs/activity/keys.ts';
import { trackActivity } from '../../../shared/activity/track.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import {
  accessDenied,
  answerReads,
  canceled,
  conditionFailed,
  mockTable,
  passingErrors,
  sent,
} from '../../support/aws/errors.ts';
import { deliver, type Told } from '../../support/dashboard/activity.ts';
import { ledgerOf, namesOf, partWrite } from '../../support/dashboard/activity-ledger.ts';

// Skips the pauses between attempts, but not the time budget of a batch.
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
  vi.spyOn(getMetrics(), 'addMetric');
  table.reset();
  queue.reset();
  table.on(TransactWriteCommand).resolves({});
  table.on(PutCommand).resolves({});
  table.on(UpdateCommand).resolves({});
  table.on(QueryCommand).resolves({ Items: [] });
  answerReads(table, []);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const transactions = () => sent(table, TransactWriteCommand).map((one) => one.TransactItems ?? []);
const metrics = () => vi.mocked(getMetrics().addMetric).mock.calls.map(([name]) => name);

const message = (id: string, fields: Partial<Told['data']> = {}): Told => ({
  id,
  data: { at: now, visitor: 'ann', counts: ['views'], ...fields },
});

const part = (span: string, number: string, ...messages: readonly Told[]) =>
  partWrite(span, number, messages, Date.parse(now));

/** Sets the parts of the ledger for any ten minutes. */
const answerLedger = (...parts: readonly (readonly Told[])[]): void =>
  void table.on(QueryCommand).resolves(ledgerOf(...parts));

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

describe('a batch of activity', () => {
  const one = message('1', { counts: ['pageViews', 'views'] });
  const two = message('2', { claim: 'share claim' });
  const three = message('3', {
    visitor: 'bob',
    at: '2026-11-20T23:59:59.999Z',
    counts: ['signIns'],
  });
  const batch = [one, two, three];
  const [nameOne] = namesOf(one);
  const [nameThree] = namesOf(three);

  it('writes the counters and the ledger in one transaction per ten minutes', async () => {
    const known = {
      ...visitKeys.visitor.at({ day: '2026-11-21', visitor: 'ann' }),
      halfHours: halfHours(22),
    };
    answerReads(table, [known]);
    table.on(UpdateCommand).resolves({
      Attributes: {
        ...known,
        halfHours: halfHours(22, 24),
        slot24: `${nameOne} 1`,
        firstEvent: '-',
      },
    });
    expect(await deliver(batch)).toEqual([]);
    expect(transactions()).toEqual([
      [
        part('2026-11-21T12:0', '000000', one, two),
        day('2026-11-21', { visits: 1, pageViews: 1, views: 2 }),
      ],
      [
        part('2026-11-20T23:5', '000000', three),
        day('2026-11-20', { visits: 1, uniqueVisitors: 1, signIns: 1 }),
      ],
    ]);
    expect(sent(table, QueryCommand)).toMatchObject([
      {
        ExpressionAttributeValues: { ':pk': 'ACTIVITY#2026-11-21T12:0' },
        ConsistentRead: true,
      },
      {
        ExpressionAttributeValues: { ':pk': 'ACTIVITY#2026-11-20T23:5' },
        ConsistentRead: true,
      },
    ]);
  });

  it('stores a visitor with the event that counted it', async () => {
    const known = {
      ...visitKeys.visitor.at({ day: '2026-11-21', visitor: 'ann' }),
      halfHours: halfHours(22),
    };
    answerReads(table, [known]);
    table.on(UpdateCommand).resolves({ Attributes: { ...known, halfHours: halfHours(22, 24) } });
    await deliver(batch);
    expect(sent(table, UpdateCommand)).toMatchObject([
      {
        TableName,
        Key: visitKeys.visitor.at({ day: '2026-11-21', visitor: 'ann' }),
        UpdateExpression: 'SET halfHours = :after, #slot = :slot',
        ConditionExpression: 'halfHours = :before',
        ExpressionAttributeNames: { '#slot': 'slot24' },
        ExpressionAttributeValues: {
          ':after': halfHours(22, 24),
          ':before': halfHours(22),
          ':slot': `${nameOne} 1`,
        },
      },
    ]);
    expect(sent(table, PutCommand)).toMatchObject([
      {
        TableName,
        Item: {
          ...visitKeys.visitor.at({ day: '2026-11-20', visitor: 'bob' }),
          halfHours: halfHours(47),
          slot47: `${nameThree} 1`,
          firstEvent: nameThree,
          ttl: nowSeconds + 5 * 86_400,
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    ]);
  });

  it('merges two visits by the half hour between them', async () => {
    const known = {
      ...visitKeys.visitor.at({ day: '2026-11-21', visitor: 'ann' }),
      halfHours: halfHours(23, 25),
    };
    answerReads(table, [known]);
    table.on(UpdateCommand).callsFake(async ({ ExpressionAttributeValues: values }) => ({
      Attributes: { ...known, halfHours: values[':after'], slot24: values[':slot'] },
    }));
    await deliver([one]);
    expect(transactions()[0]?.[1]).toEqual(
      day('2026-11-21', { visits: -1, pageViews: 1, views: 1 }),
    );
  });

  it('writes nothing for a visitor known to be active', async () => {
    answerReads(table, [
      { ...visitKeys.visitor.at({ day: '2026-11-21', visitor: 'ann' }), halfHours: halfHours(24) },
    ]);
    await deliver([two]);
    expect(transactions()).toEqual([
      [part('2026-11-21T12:0', '000000', two), day('2026-11-21', { views: 1 })],
    ]);
    expect([...sent(table, PutCommand), ...sent(table, UpdateCommand)]).toEqual([]);
  });

  it('counts a visitor stored by an earlier attempt only for the same event', async () => {
    const known = {
      ...visitKeys.visitor.at({ day: '2026-11-21', visitor: 'ann' }),
      halfHours: halfHours(24),
      slot24: `${nameOne} 1`,
      firstEvent: nameOne,
    };
    answerReads(table, [known]);
    await deliver([two]);
    await deliver([one]);
    expect(transactions().map(([, counted]) => counted)).toEqual([
      day('2026-11-21', { views: 1 }),
      day('2026-11-21', { visits: 1, uniqueVisitors: 1, pageViews: 1, views: 1 }),
    ]);
    expect([...sent(table, PutCommand), ...sent(table, UpdateCommand)]).toEqual([]);
  });

  it('recognizes its own write of a visitor after a lost response', async () => {
    const Item = { halfHours: halfHours(24), slot24: `${nameOne} 1`, firstEvent: nameOne };
    table.on(PutCommand).rejects(conditionFailed(Item));
    expect(await deliver([one])).toEqual([]);
    expect(transactions()[0]?.[1]).toEqual(
      day('2026-11-21', { visits: 1, uniqueVisitors: 1, pageViews: 1, views: 1 }),
    );
  });

  it('skips counted messages and adds the others to the next part', async () => {
    answerLedger([one], [message('4')]);
    expect(await deliver([one, two])).toEqual([]);
    expect(transactions()).toEqual([
      [
        part('2026-11-21T12:0', '000002', two),
        day('2026-11-21', { visits: 1, uniqueVisitors: 1, views: 1 }),
      ],
    ]);
  });

  it('writes nothing if every message was counted', async () => {
    answerLedger([one, two], [three]);
    expect(await deliver(batch)).toEqual([]);
    expect(table.calls().map(({ args }) => args[0].constructor)).toEqual([
      QueryCommand,
      QueryCommand,
    ]);
  });

  it('reads the ledger again after a concurrent write', async () => {
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      answerLedger([two]);
      throw canceled('ConditionalCheckFailed', 'None');
    });
    expect(await deliver([one, two])).toEqual([]);
    expect(transactions()[1]).toEqual([
      part('2026-11-21T12:0', '000001', one),
      day('2026-11-21', { visits: 1, uniqueVisitors: 1, pageViews: 1, views: 1 }),
    ]);
  });

  it('fails after repeated conflicts', async () => {
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'None'));
    expect([await deliver([one]), transactions().length]).toEqual([[0], 12]);
    expect(metrics()).toEqual(['JobsFailed']);
  });

  it('fails only the messages with a visitor that cannot be stored', async () => {
    const item = { halfHours: halfHours(22) };
    table.on(PutCommand).rejects(conditionFailed(item));
    table.on(UpdateCommand).rejects(conditionFailed(item));
    answerReads(table, [
      { ...visitKeys.visitor.at({ day: '2026-11-21', visitor: 'bob' }), halfHours: halfHours(24) },
    ]);
    const ofBob = message('4', { visitor: 'bob' });
    expect(await deliver([one, ofBob, two])).toEqual([0, 2]);
    expect(sent(table, UpdateCommand)).toHaveLength(7);
    expect(transactions()).toEqual([
      [part('2026-11-21T12:0', '000000', ofBob), day('2026-11-21', { views: 1 })],
    ]);
  });

  it.each([...passingErrors(), ['AccessDenied', accessDenied()] as const])(
    'is redelivered after %s',
    async (_, error) => {
      table.on(TransactWriteCommand).rejects(error);
      expect(await deliver(batch)).toEqual([0, 1, 2]);
      table.on(TransactWriteCommand).resolves({});
      for (const command of [PutCommand, GetCommand, QueryCommand]) {
        const before = transactions().length;
        table.on(command as typeof QueryCommand).rejects(error);
        expect(await deliver(batch), command.name).toEqual([0, 1, 2]);
        expect(transactions()).toHaveLength(before);
      }
    },
  );
});

describe('an activity message', () => {
  const client = { network: '192.0.2.1', userAgent: 'tests' };

  it('is short and sent once per request', async () => {
    queue.on(SendMessageCommand).resolves({});
    await trackActivity(client, { counts: ['pageViews', 'views'], share: 'abc' });
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

  it('contains the time of an earlier event, so that a view id stays within the same ten minutes', async () => {
    queue.on(SendMessageCommand).resolves({});
    await trackActivity(client, { counts: ['views'], claim: 'abc', at: Date.parse(now) - 1 });
    const [input] = queue.commandCalls(SendMessageCommand).map(({ args }) => args[0].input);
    expect(JSON.parse(input?.MessageBody ?? '').data.at).toBe('2026-11-21T11:59:59.999Z');
  });

  it.each(passingErrors())('is dropped and counted after %s', async (_, error) => {
    queue.on(SendMessageCommand).rejects(error);
    await trackActivity(client, { counts: ['views'] });
    expect(metrics()).toEqual(['JobsDropped']);
    expect(table.calls()).toEqual([]);
  });
});
