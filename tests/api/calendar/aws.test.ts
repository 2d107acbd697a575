import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';

import { eventKeys } from '../../../functions/api/calendar/record/keys.ts';
import { answerReads, canceled, sent } from '../../support/aws/errors.ts';
import { useMockedTable } from '../../support/aws/stores.ts';
import { callAs, event, id, itemOf, now, owner, place, sk } from '../../support/calendar/items.ts';
import { gone, put, total } from '../../support/documents/items.ts';
import { auditWrites } from '../../support/service/audit.ts';

// Skips the delays between retries.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = useMockedTable(now);
const TableName = 'handbill-test';

const asAnn = (endpoint: string, options?: Parameters<typeof callAs>[2]) =>
  callAs(table, endpoint, options);

const transactions = () => sent(table, TransactWriteCommand);
const writes = () => transactions()[0]?.TransactItems ?? [];

const keyOf = ({ pk, sk: key }: { readonly pk: string; readonly sk: string }) => ({ pk, sk: key });
const asSeen = {
  TableName,
  ConditionExpression: 'attribute_exists(pk) AND version = :seen',
  ExpressionAttributeValues: { ':seen': 3 },
};
/** Matches the write of the notification job. */
const telling = (message: object) => ({
  Put: {
    TableName,
    ConditionExpression: 'attribute_not_exists(pk)',
    Item: {
      pk: 'OUTBOX',
      sk: expect.stringMatching(/^2026-11-21T12:00:00\.000Z#/),
      message: expect.toSatisfy((text: string) => {
        expect(JSON.parse(text)).toMatchObject({ kind: 'event-notification', data: message });
        return true;
      }),
      ttl: expect.any(Number),
    },
  },
});

describe('POST /api/calendar/events', () => {
  const body = {
    title: 'A meeting',
    start: '2026-11-23T09:00:00Z',
    end: '2026-11-23T10:00:00Z',
    attendees: [8],
  };

  it('writes the event, its index entries, the job and the audit entry in one transaction', async () => {
    const { status, body: made } = await asAnn('POST /api/calendar/events', { body, items: [] });
    expect(status).toBe(201);
    const { id: newId } = made.data;
    const record = { ...event, id: newId, version: 1, ...eventKeys.record.at({ id: newId }) };
    const [first, second, ...rest] = writes();
    expect(transactions()).toHaveLength(1);
    expect(first).toEqual({
      Put: { TableName, Item: record, ConditionExpression: 'attribute_not_exists(pk)' },
    });
    const message = { id: newId, title: 'A meeting', version: 1, by: 7 };
    expect(second).toEqual(
      telling({ ...message, recipients: [{ kind: 'invited', userIds: [8] }] }),
    );
    expect(rest).toEqual([
      put(place(7, newId)),
      put(place(8, newId)),
      ...auditWrites({
        action: 'event.create',
        subject: `event:${newId}`,
        actorId: 7,
        after: expect.objectContaining({ title: 'A meeting', ownerId: 7 }),
      }),
    ]);
  });

  it('counts a task and adds it to the open tasks', async () => {
    const task = { ...body, type: 'task', attendees: [], rrule: 'FREQ=DAILY' };
    const { body: made } = await asAnn('POST /api/calendar/events', { body: task, items: [] });
    const { id: newId } = made.data;
    expect(writes().slice(1, 4)).toEqual([
      put({
        pk: 'CALENDAR#7',
        sk: `SERIES#forever#${sk(newId)}`,
        id: newId,
        ownerId: 7,
        first: Date.UTC(2026, 10, 23, 9),
      }),
      put({
        pk: 'CALENDAR#7#TASKS',
        sk: `2026-11-23T10:00:00.000Z#${sk(newId)}`,
        id: newId,
        ownerId: 7,
      }),
      total('pending-tasks', 1),
    ]);
  });

  it('uses another id if the first is taken', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('ConditionalCheckFailed', ...Array(5).fill('None')))
      .resolves({});
    const { status, body: made } = await asAnn('POST /api/calendar/events', { body, items: [] });
    expect([status, transactions().length]).toEqual([201, 2]);
    expect(transactions()[1]?.TransactItems?.[0]?.Put?.Item?.['id']).toBe(made.data.id);
  });
});

describe('PUT /api/calendar/events/{id}', () => {
  it('writes the expected version and its index entries', async () => {
    const body = { start: '2026-11-24T09:00Z', end: '2026-11-24T10:00Z' };
    const { status } = await asAnn('PUT /api/calendar/events/{id}', { body });
    expect(status).toBe(200);
    const times = { start: '2026-11-24T09:00:00.000Z', end: '2026-11-24T10:00:00.000Z' };
    const [record, notice, ...rest] = writes();
    expect(record).toEqual({
      Put: { ...asSeen, Item: { ...itemOf(times), version: 4, sequence: 1 } },
    });
    expect(notice).toEqual(
      telling({ id, version: 4, by: 7, recipients: [{ kind: 'changed', userIds: [8] }] }),
    );
    expect(rest).toEqual([
      gone(keyOf(place(7))),
      gone(keyOf(place(8))),
      put(place(7, id, 24)),
      put(place(8, id, 24)),
      ...auditWrites({
        action: 'event.update',
        subject: `event:${id}`,
        actorId: 7,
        before: { start: event.start, end: event.end },
        after: times,
      }),
    ]);
  });

  it('writes no index entries or notifications if the time is unchanged', async () => {
    await asAnn('PUT /api/calendar/events/{id}', { body: { title: 'Other', start: event.start } });
    expect(writes()).toHaveLength(3);
    expect(writes()[0]?.Put?.Item).toMatchObject({ title: 'Other', version: 4, sequence: 0 });
  });

  it('retries after concurrent writes, up to 8 attempts', async () => {
    const conflict = canceled('ConditionalCheckFailed', 'None', 'None');
    table.on(TransactWriteCommand).rejectsOnce(conflict).rejectsOnce(conflict).resolves({});
    const body = { title: 'Other' };
    expect((await asAnn('PUT /api/calendar/events/{id}', { body })).status).toBe(200);
    expect(transactions()).toHaveLength(3);
    table.resetHistory();
    table.on(TransactWriteCommand).rejects(conflict);
    const response = await asAnn('PUT /api/calendar/events/{id}', { body });
    expect([response.status, response.body.error.message]).toEqual([
      503,
      'The event is being modified. Try again.',
    ]);
    expect(transactions()).toHaveLength(8);
  });

  it('returns 404 and writes nothing after a concurrent deletion', async () => {
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      answerReads(table, []);
      throw canceled('ConditionalCheckFailed', 'None', 'None');
    });
    const response = await asAnn('PUT /api/calendar/events/{id}', { body: { title: 'Other' } });
    expect([response.status, transactions().length]).toEqual([404, 1]);
  });
});

describe('DELETE /api/calendar/events/{id}', () => {
  it('deletes the expected version and its index entries', async () => {
    expect((await asAnn('DELETE /api/calendar/events/{id}')).status).toBe(200);
    const [record, notice, ...rest] = writes();
    expect(record).toEqual({ Delete: { ...asSeen, Key: eventKeys.record.at({ id }) } });
    expect(notice).toEqual(
      telling({ id, title: 'A meeting', recipients: [{ kind: 'cancelled', userIds: [8] }] }),
    );
    expect(rest.slice(0, 2)).toEqual([gone(keyOf(place(7))), gone(keyOf(place(8)))]);
  });
});

describe('PUT /api/calendar/events/{id}/attendance', () => {
  const response = (headers = {}) =>
    asAnn('PUT /api/calendar/events/{id}/attendance', {
      userId: 8,
      body: { status: 'accepted' },
      headers,
    });

  it('writes only the response, if it is unchanged', async () => {
    expect((await response()).status).toBe(200);
    const update = {
      TableName,
      Key: eventKeys.record.at({ id }),
      UpdateExpression: 'SET attendees[0] = :attendee, updatedAt = :now ADD version :one',
      ConditionExpression:
        'attribute_exists(pk) AND attendees[0].id = :id AND attendees[0].#status = :was',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':attendee': { id: 8, name: 'Bob', status: 'accepted' },
        ':id': 8,
        ':was': 'pending',
        ':now': now,
        ':one': 1,
      },
    };
    expect(writes().slice(0, 2)).toEqual([
      { Update: update },
      telling({ id, version: 4, by: 8, recipients: [{ kind: 'accepted', userIds: [7] }] }),
    ]);
    table.resetHistory();
    await response({ 'if-match': '"3"' });
    expect(writes()[0]?.Update).toMatchObject({
      ConditionExpression: `${update.ConditionExpression} AND version = :seen`,
      ExpressionAttributeValues: { ':seen': 3 },
    });
  });

  it('retries after a concurrent change of the attendees', async () => {
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      const attendees = [{ id: 9, name: 'Cid', status: 'pending' as const }, ...event.attendees];
      answerReads(table, [itemOf({ attendees, version: 4 }), owner]);
      throw canceled('ConditionalCheckFailed', 'None', 'None', 'None');
    });
    expect((await response()).status).toBe(200);
    expect(transactions()[1]?.TransactItems?.[0]?.Update?.UpdateExpression).toContain(
      'attendees[1]',
    );
  });
});
