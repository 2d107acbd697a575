import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  DeleteCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoredEvent } from '../../../../functions/api/calendar/record/event.ts';
import { eventKeys } from '../../../../functions/api/calendar/record/keys.ts';
import { write } from '../../../../functions/api/calendar/record/store.ts';
import { deliverReminders } from '../../../../functions/api/calendar/reminders/delivery.ts';
import { sendReminders } from '../../../../functions/api/calendar/reminders/reminders.ts';
import { systemAudit } from '../../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { notificationKeys } from '../../../../shared/notifications/keys.ts';
import {
  accessDenied,
  answerReads,
  canceled,
  passingErrors,
  sent,
  signedIn,
} from '../../../support/aws/errors.ts';
import { useMockedTable } from '../../../support/aws/stores.ts';

// Skips the delays between retries.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const now = '2026-11-21T12:00:00.000Z';
const TableName = 'handbill-test';
const table = useMockedTable(now);
const queue = mockClient(SQSClient);

const id = 1_000;
const event: StoredEvent = {
  id,
  ownerId: 7,
  title: 'Lunch',
  type: 'meeting',
  priority: 'medium',
  status: 'pending',
  attendees: [
    { id: 8, name: 'Bob', status: 'declined' },
    { id: 9, name: 'Cat', status: 'pending' },
  ],
  reminders: [10],
  allDay: false,
  start: '2026-11-21T12:10:00.000Z',
  end: '2026-11-21T13:00:00.000Z',
  timezone: 'UTC',
  exdates: [],
  overrides: [],
  sequence: 0,
  createdAt: now,
  updatedAt: now,
  version: 3,
};
const daily = { ...event, rrule: 'FREQ=DAILY' };
const asItem = (stored: StoredEvent) => ({ ...eventKeys.record.at({ id }), ...stored });
const reminder = (at: string) => ({
  ...eventKeys.reminder.at({ id }),
  id,
  at,
  gsi1pk: 'EVENTS#REMINDERS',
  gsi1sk: `${at}#0000000000001000`,
});
const tomorrow = '2026-11-22T12:00:00.000Z';
const seen = (at: string) => ({
  ConditionExpression: '#at = :seen',
  ExpressionAttributeNames: { '#at': 'at' },
  ExpressionAttributeValues: { ':seen': at },
});
const versionCondition = (version: number) => ({
  ConditionCheck: {
    TableName,
    Key: eventKeys.record.at({ id }),
    ConditionExpression: 'version = :seen',
    ExpressionAttributeValues: { ':seen': version },
  },
});

const transactions = () =>
  sent(table, TransactWriteCommand).map(({ TransactItems = [] }) => TransactItems);
const queries = (partition: string) =>
  sent(table, QueryCommand).filter(
    ({ ExpressionAttributeValues: values }) => values?.[':pk'] === partition,
  );

/** Returns the event from the index and these items from the table. */
const found = (...items: readonly object[]) => {
  table
    .on(QueryCommand)
    .callsFake(async ({ ExpressionAttributeValues: values }: QueryCommandInput) => ({
      Items: values?.[':pk'] === 'EVENTS#REMINDERS' ? [reminder(now)] : [],
      ScannedCount: 1,
    }));
  answerReads(table, items as Record<string, unknown>[]);
};

beforeEach(() => {
  queue.reset();
  queue.on(SendMessageBatchCommand).resolves({});
  table.on(DeleteCommand).resolves({});
});

describe('sendReminders', () => {
  it('queries the index for due reminders, 25 at a time', async () => {
    found();
    await sendReminders();
    expect(queries('EVENTS#REMINDERS')).toEqual([
      {
        TableName,
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :before',
        ExpressionAttributeValues: {
          ':pk': 'EVENTS#REMINDERS',
          ':before': new Date(Date.parse(now) + 1).toISOString(),
        },
        Limit: 25,
      },
    ]);
    expect(transactions()).toEqual([]);
  });

  it('processes all due reminders', async () => {
    const ids = Array.from({ length: 510 }, (_, at) => at + 1);
    answerReads(table, []);
    table
      .on(QueryCommand)
      .callsFake(async ({ ExclusiveStartKey: last, Limit }: QueryCommandInput) => {
        const from =
          ids.findIndex((one) => eventKeys.reminder.partition({ id: one }).pk === last?.['pk']) + 1;
        const Items = ids
          .slice(from, from + (Limit ?? 0))
          .map((one) => ({ ...reminder(now), ...eventKeys.reminder.at({ id: one }), id: one }));
        return {
          Items,
          LastEvaluatedKey: from + Items.length < ids.length ? Items.at(-1) : undefined,
        };
      });
    await sendReminders();
    const asked = sent(table, BatchGetCommand).map(
      ({ RequestItems }) => RequestItems?.[TableName]?.Keys?.[0],
    );
    expect(asked).toEqual(ids.map((id) => eventKeys.record.at({ id })));
  });

  const job = (due: readonly object[]) => ({
    Put: {
      TableName,
      ConditionExpression: 'attribute_not_exists(pk)',
      Item: {
        pk: 'OUTBOX',
        sk: expect.stringMatching(/^2026-11-21T12:00:00\.000Z#[\da-f-]{36}$/),
        ttl: expect.any(Number),
        message: expect.stringContaining(
          JSON.stringify({ kind: 'event-reminder', data: { id, due } }).slice(1, -1),
        ),
      },
    },
  });

  it('queues the job and deletes the reminder of a single event if neither has changed', async () => {
    found(asItem(event), reminder(now));
    await sendReminders();
    expect(transactions()).toEqual([
      [
        versionCondition(3),
        { Delete: { TableName, Key: eventKeys.reminder.at({ id }), ...seen(now) } },
        job([{ start: event.start, minutes: 10 }]),
      ],
    ]);
    // The job is sent immediately.
    expect(queries('OUTBOX')).toHaveLength(1);
  });

  it('schedules the next reminder of a recurring event', async () => {
    found(asItem(daily), reminder(now));
    await sendReminders();
    expect(transactions()).toEqual([
      [
        versionCondition(3),
        { Put: { TableName, Item: reminder(tomorrow), ...seen(now) } },
        job([{ start: event.start, recurrenceId: event.start, minutes: 10 }]),
      ],
    ]);
  });

  it('schedules the next reminder without a job if the occurrence is over or done', async () => {
    found(asItem({ ...daily, status: 'done' }), reminder(now));
    await sendReminders();
    expect(transactions()).toEqual([
      [versionCondition(3), { Put: { TableName, Item: reminder(tomorrow), ...seen(now) } }],
    ]);
    expect(queries('OUTBOX')).toEqual([]);
  });

  it.each<[string, readonly object[]]>([
    ['rescheduled', [asItem(event), reminder(tomorrow)]],
    ['deleted', [asItem(event)]],
    ['of a deleted event', [reminder(now)]],
  ])('skips a reminder that is %s while the index lags', async (_, items) => {
    found(...items);
    await sendReminders();
    expect(transactions()).toEqual([]);
  });

  it.each([
    ['the event has changed', canceled('ConditionalCheckFailed', 'None', 'None')],
    [
      'a concurrent run has changed the reminder',
      canceled('None', 'ConditionalCheckFailed', 'None'),
    ],
  ])('retries if %s', async (_, error) => {
    found(asItem(event), reminder(now));
    table.on(TransactWriteCommand).rejectsOnce(error).resolves({});
    await sendReminders();
    expect(transactions()).toHaveLength(2);
  });

  it.each(passingErrors())('fails after %s and keeps the reminder due', async (_, error) => {
    found(asItem(event), reminder(now));
    table.on(TransactWriteCommand).rejects(error);
    await expect(sendReminders()).rejects.toThrow();
  });

  it('processes the other reminders after a failure', async () => {
    const other = { ...reminder(now), ...eventKeys.reminder.at({ id: 1_001 }), id: 1_001 };
    found(
      asItem(event),
      reminder(now),
      { ...event, ...eventKeys.record.at({ id: 1_001 }), id: 1_001 },
      other,
    );
    table.on(QueryCommand).callsFake(async ({ IndexName }: QueryCommandInput) => ({
      Items: IndexName ? [reminder(now), other] : [],
    }));
    const error = accessDenied();
    table.on(TransactWriteCommand).rejectsOnce(error).resolves({});
    await expect(sendReminders()).rejects.toThrow(error);
    expect(transactions()).toHaveLength(2);
  });
});

describe('reminder of a changed event', () => {
  const change = systemAudit('event.update');
  const later = { ...event, start: '2026-11-21T15:00:00.000Z', end: '2026-11-21T16:00:00.000Z' };
  const moved = { ...later, version: 4 };
  const ofReminder = () =>
    (transactions()[0] ?? []).filter((one) => {
      const { Item, Key } = { ...one.Put, ...one.Delete };
      return (Item ?? Key)?.['sk'] === 'REMINDER';
    });

  it('is scheduled with the event', async () => {
    await write(undefined, later, change);
    expect(ofReminder()).toEqual([
      {
        Put: {
          TableName,
          Item: reminder('2026-11-21T14:50:00.000Z'),
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
    ]);
  });

  it('moves, unless it has changed concurrently', async () => {
    answerReads(table, [reminder(tomorrow)]);
    await write(event, moved, change);
    expect(ofReminder()).toEqual([
      { Put: { TableName, Item: reminder('2026-11-21T14:50:00.000Z'), ...seen(tomorrow) } },
    ]);
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed'));
    expect(await write(event, moved, change)).toBe(false);
  });

  it('is deleted if no reminder is left', async () => {
    answerReads(table, [reminder(tomorrow)]);
    await write(event, { ...event, reminders: [], version: 4 }, change);
    expect(ofReminder()).toEqual([
      { Delete: { TableName, Key: eventKeys.reminder.at({ id }), ...seen(tomorrow) } },
    ]);
  });

  it('is deleted with the event', async () => {
    await write(event, undefined, change);
    expect(ofReminder()).toEqual([{ Delete: { TableName, Key: eventKeys.reminder.at({ id }) } }]);
  });

  it('stays the same after other changes', async () => {
    await write(event, { ...event, title: 'Dinner', status: 'done', version: 4 }, change);
    expect(ofReminder()).toEqual([]);
    expect(table.calls()).toHaveLength(1);
  });
});

describe('deliverReminders', () => {
  const due = [{ start: event.start, minutes: 10 }];
  const happening = `event-reminder#${id}#${event.start}#10`;
  const people = async () => {
    const { items } = await signedIn();
    const [ann = {}] = items;
    return [7, 8, 9].map((userId) => ({
      ...ann,
      ...userKeys.record.at({ id: userId }),
      id: userId,
    }));
  };

  it('writes a receipt, a notification and an email for each user', async () => {
    vi.stubEnv('MAIL_FROM', 'handbill@example.com');
    answerReads(table, [asItem(event), ...(await people())]);
    await deliverReminders({ id, due });
    vi.unstubAllEnvs();
    expect(transactions()).toHaveLength(2);
    for (const [at, userId] of [7, 9].entries()) {
      expect(transactions()[at]).toEqual([
        {
          Put: {
            TableName,
            Item: {
              ...notificationKeys.receipt.at({ userId, event: happening }),
              ttl: expect.any(Number),
            },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        expect.objectContaining({ Put: expect.anything() }),
        expect.anything(),
        {
          Put: expect.objectContaining({
            Item: expect.objectContaining({
              message: expect.stringContaining(
                JSON.stringify({
                  kind: 'event-reminder-email',
                  data: { id, userId, ...due[0] },
                }).slice(1, -1),
              ),
            }),
          }),
        },
      ]);
    }
  });

  it('writes nothing for users who were already notified', async () => {
    answerReads(table, [asItem(event), ...(await people())]);
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'None', 'None'));
    await deliverReminders({ id, due });
    expect(transactions()).toHaveLength(2);
  });

  it('retries after a concurrent notification', async () => {
    answerReads(table, [asItem({ ...event, attendees: [] }), ...(await people())]);
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('None', 'None', 'ConditionalCheckFailed'))
      .resolves({});
    await deliverReminders({ id, due });
    expect(transactions()).toHaveLength(2);
  });

  it('notifies the other users after a failure and fails the job', async () => {
    answerReads(table, [asItem(event), ...(await people())]);
    const error = accessDenied();
    table.on(TransactWriteCommand).rejectsOnce(error).resolves({});
    await expect(deliverReminders({ id, due })).rejects.toThrow(error);
    expect(transactions()).toHaveLength(2);
  });

  it.each<[string, Partial<StoredEvent> | undefined]>([
    ['was deleted', undefined],
    ['was moved', { start: '2026-11-21T12:11:00.000Z' }],
    ['became recurring', { rrule: 'FREQ=DAILY' }],
    ['was completed', { status: 'done' }],
  ])('notifies no one of an event that %s', async (_, fields) => {
    answerReads(table, [...(fields ? [asItem({ ...event, ...fields })] : []), ...(await people())]);
    await deliverReminders({ id, due });
    expect(transactions()).toEqual([]);
  });
});
