import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { checkinKeys } from '../../../functions/api/checkin/keys.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  conditionFailed,
  mockTable,
  passingErrors,
  type SignedIn,
  secretWords,
  sent,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { call } from '../../support/service/call.ts';

const table = mockTable();
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();
const Key = { pk: 'USER#7', sk: 'CHECKIN' };
const yesterday = {
  ...Key,
  total: 100,
  streak: 4,
  lastDay: '2026-11-20',
  history: [{ day: '2026-11-20', points: 30 }],
  writeId: 'of-yesterday',
};

let ann: SignedIn;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00Z') });
  table.reset();
  ann = await signedIn();
  answerReads(table, [...ann.items, yesterday]);
});
afterEach(() => {
  vi.useRealTimers();
});

const checkIn = () => call('POST /api/checkin', { token: ann.token });

/** Returns the item after the update being sent. */
const written = ({ ExpressionAttributeValues: values = {} }: UpdateCommand['input']) => ({
  ...Key,
  total: values[':total'],
  streak: values[':streak'],
  lastDay: values[':today'],
  history: values[':history'],
  writeId: values[':writeId'],
});

describe('POST /api/checkin', () => {
  it('reads strongly consistent and updates the item if it is unchanged', async () => {
    table.on(UpdateCommand).callsFake(async (input) => ({ Attributes: written(input) }));
    const { status, body } = await checkIn();
    expect(status).toBe(200);
    const { points } = body;
    expect(points).toBeGreaterThanOrEqual(20);
    expect(points).toBeLessThanOrEqual(50);
    expect(body).toEqual({
      success: true,
      points,
      totalPoints: 100 + points,
      streak: 5,
      message: `You earned ${points} points. Total: ${100 + points}. Streak: 5 days.`,
    });
    expect(sent(table, GetCommand)).toEqual([{ TableName, Key, ConsistentRead: true }]);
    expect(sent(table, UpdateCommand)).toEqual([
      {
        TableName,
        Key,
        UpdateExpression:
          'SET #total = :total, streak = :streak, lastDay = :today, #history = :history, writeId = :writeId',
        ConditionExpression: 'lastDay = :expectedDay',
        ExpressionAttributeNames: { '#total': 'total', '#history': 'history' },
        ExpressionAttributeValues: {
          ':total': 100 + points,
          ':streak': 5,
          ':today': '2026-11-21',
          ':history': [
            { day: '2026-11-21', points },
            { day: '2026-11-20', points: 30 },
          ],
          ':writeId': expect.stringMatching(/^[\da-f-]{36}$/),
          ':expectedDay': '2026-11-20',
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    ]);
  });

  it('creates the item only if there is none', async () => {
    answerReads(table, ann.items);
    table.on(UpdateCommand).callsFake(async (input) => ({ Attributes: written(input) }));
    const { body } = await checkIn();
    expect(body).toMatchObject({ totalPoints: body.points, streak: 1 });
    const [update] = sent(table, UpdateCommand);
    expect(update?.ConditionExpression).toBe('attribute_not_exists(pk)');
    expect(update?.ExpressionAttributeValues).not.toHaveProperty(':expectedDay');
  });

  it('awards once and succeeds if the response of the write is lost', async () => {
    table.on(UpdateCommand).callsFake(async (input) => {
      throw conditionFailed(written(input));
    });
    const { status, body } = await checkIn();
    const { points } = body;
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { success: true, points, totalPoints: 100 + points, streak: 5 },
    });
    expect(sent(table, UpdateCommand)).toHaveLength(1);
  });

  it('returns 409 with the current totals after a concurrent check-in', async () => {
    const other = {
      ...yesterday,
      total: 140,
      streak: 5,
      lastDay: '2026-11-21',
      writeId: 'another',
    };
    table.on(UpdateCommand).rejects(conditionFailed(other));
    const message = 'Already checked in today. Next check-in: 2026-11-22T00:00:00.000Z.';
    const { status, body } = await checkIn();
    expect({ status, body }).toEqual({
      status: 409,
      body: {
        success: false,
        error: { code: 'CONFLICT', message, details: [], requestId: aText },
        points: 0,
        totalPoints: 140,
        streak: 5,
        message,
      },
    });
    expect(sent(table, UpdateCommand)).toHaveLength(1);
  });

  it('retries with the stored item after a concurrent change', async () => {
    const late = { ...yesterday, total: 120, writeId: 'a late one of yesterday' };
    answerReads(table, [...ann.items, { ...yesterday, lastDay: '2026-11-19' }]);
    table
      .on(UpdateCommand)
      .rejectsOnce(conditionFailed(late))
      .callsFake(async (input) => ({ Attributes: written(input) }));
    const { body } = await checkIn();
    expect(body).toMatchObject({ totalPoints: 120 + body.points, streak: 5 });
    const [first, second] = sent(table, UpdateCommand);
    expect(second?.ExpressionAttributeValues).toMatchObject({
      ':expectedDay': '2026-11-20',
      ':writeId': first?.ExpressionAttributeValues?.[':writeId'],
    });
  });

  it('returns 503 if the item keeps changing', async () => {
    table.on(UpdateCommand).rejects(conditionFailed({ ...yesterday, writeId: 'another' }));
    expect(await checkIn()).toMatchObject({
      status: 503,
      body: { error: { code: 'SERVICE_UNAVAILABLE' } },
    });
    expect(sent(table, UpdateCommand)).toHaveLength(5);
  });

  it.each(errors)('returns 503 if the read or write fails with %s', async (name, error) => {
    table.on(UpdateCommand).rejects(error);
    expect(told(await checkIn())).toEqual(busy(aText));
    // The SDK retries all other errors.
    const attempts = name === 'TransactionConflictException' ? 5 : 1;
    expect(sent(table, UpdateCommand)).toHaveLength(attempts);
    table.on(GetCommand).rejects(error);
    expect(told(await checkIn())).toEqual(busy(aText));
    expect(sent(table, UpdateCommand)).toHaveLength(attempts);
  });

  it('neither returns nor logs the message of a missing IAM permission', async () => {
    const logged = vi.spyOn(getLogger(), 'error');
    table.on(UpdateCommand).rejects(accessDenied());
    const response = await checkIn();
    expect(told(response)).toEqual(broken(aText));
    expect(logged).toHaveBeenCalledOnce();
    const text = JSON.stringify([response, logged.mock.calls]);
    for (const word of [...secretWords, ann.token]) expect(text).not.toContain(word);
  });
});

describe('GET /api/checkin', () => {
  it('reads strongly consistent and writes nothing', async () => {
    const { status, body } = await call('GET /api/checkin', { token: ann.token });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        checkedIn: false,
        totalPoints: 100,
        streak: 4,
        nextCheckinAt: '2026-11-21T12:00:00.000Z',
        history: [{ day: '2026-11-20', points: 30 }],
      },
    });
    expect(sent(table, GetCommand)).toEqual([
      { TableName, Key: checkinKeys.record.at({ userId: 7 }), ConsistentRead: true },
    ]);
    expect(sent(table, UpdateCommand)).toEqual([]);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(GetCommand).rejects(error);
    expect(told(await call('GET /api/checkin', { token: ann.token }))).toEqual(busy(aText));
  });
});

it('sends Retry-After if concurrent check-ins continue', async () => {
  const ann = await signedIn();
  answerReads(table, ann.items);
  table
    .on(UpdateCommand)
    .rejects(
      conditionFailed({ total: 1, streak: 1, lastDay: '2020-01-01', history: [], writeId: 'x' }),
    );
  expect(await call('POST /api/checkin', { token: ann.token })).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.any(String) },
  });
});
