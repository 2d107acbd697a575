import { BatchGetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoredEvent } from '../functions/calendar/event.ts';
import { keys } from '../shared/table.ts';
import { auditWrites } from './support/audit.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  canceled,
  mockTable,
  passingErrors,
  sent,
  signedIn,
  told,
} from './support/aws-errors.ts';
import { call } from './support/call.ts';
import { gone, put, total } from './support/document-items.ts';

// A pause between two tries is over at once.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const TableName = 'handbill-test';
const now = '2026-11-21T12:00:00.000Z';
const aText = expect.any(String);
const id = 1_000;
const errors = passingErrors();

/** An event of Ann's, whose id is 7; Bob, whose id is 8, is invited to it. */
const event: StoredEvent = {
  id,
  ownerId: 7,
  title: 'A meeting',
  type: 'meeting',
  priority: 'medium',
  status: 'pending',
  allDay: false,
  timezone: 'UTC',
  start: '2026-11-23T09:00:00.000Z',
  end: '2026-11-23T10:00:00.000Z',
  exdates: [],
  overrides: [],
  attendees: [{ id: 8, name: 'Bob', status: 'pending' }],
  reminders: [],
  sequence: 0,
  createdAt: now,
  updatedAt: now,
  version: 3,
};
const bob = { ...keys.user(8), id: 8, name: 'Bob', status: 'active' };

const itemOf = (fields: Partial<StoredEvent> = {}) => ({ ...keys.event(id), ...event, ...fields });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  table.reset();
  table.on(TransactWriteCommand).resolves({});
});
afterEach(() => void vi.useRealTimers());

/** Somebody calls, by default Ann; the table holds her, Bob and these items. */
const asAnn = async (
  endpoint: string,
  {
    body,
    items = [itemOf()],
    userId = 7,
    query = {},
    headers = {},
  }: {
    readonly body?: unknown;
    readonly items?: readonly Record<string, unknown>[];
    readonly userId?: number;
    readonly query?: Record<string, string>;
    readonly headers?: Record<string, string>;
  } = {},
) => {
  const extraPermissions = ['calendar:create', 'calendar:update', 'calendar:delete'];
  const ann = await signedIn({ id: userId, name: userId === 7 ? 'Ann' : 'Bob', extraPermissions });
  answerReads(table, [...ann.items, bob, ...items]);
  const params = { id: String(id), start: '2026-11-24' };
  const options = { token: ann.token, params, query, headers };
  return call(endpoint, { ...options, ...(body !== undefined && { body }) });
};

const transactions = () => sent(table, TransactWriteCommand);
const writes = () => transactions()[0]?.TransactItems ?? [];

const sk = (eventId = id) => String(eventId).padStart(16, '0');
/** Where such an event stands in somebody's calendar. */
const place = (userId: number, eventId = id, day = 23) => ({
  pk: `CALENDAR#${userId}`,
  sk: `DAY#2026-11-${day}T09:00:00.000Z#${sk(eventId)}`,
  id: eventId,
  ownerId: 7,
  over: Date.UTC(2026, 10, day, 10),
});
const keyOf = ({ pk, sk: key }: { readonly pk: string; readonly sk: string }) => ({ pk, sk: key });
const asSeen = {
  TableName,
  ConditionExpression: 'attribute_exists(pk) AND version = :seen',
  ExpressionAttributeValues: { ':seen': 3 },
};
/** The write of the job that tells users. */
const telling = (message: object) => ({
  Put: {
    TableName,
    ConditionExpression: 'attribute_not_exists(pk)',
    Item: {
      pk: 'UNSENT',
      sk: expect.stringMatching(/^2026-11-21T12:00:00\.000Z#/),
      message: expect.toSatisfy((text: string) => {
        expect(JSON.parse(text)).toMatchObject({ kind: 'event-told', data: message });
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

  it('writes the record, its places, the job and the audit at once', async () => {
    const { status, body: made } = await asAnn('POST /api/calendar/events', { body, items: [] });
    expect(status).toBe(201);
    const { id: newId } = made.data;
    const record = { ...event, id: newId, version: 1, ...keys.event(newId) };
    const [first, second, ...rest] = writes();
    expect(transactions()).toHaveLength(1);
    expect(first).toEqual({
      Put: { TableName, Item: record, ConditionExpression: 'attribute_not_exists(pk)' },
    });
    const message = { id: newId, title: 'A meeting', version: 1, by: 7 };
    expect(second).toEqual(telling({ ...message, told: [{ what: 'invited', userIds: [8] }] }));
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

  it('counts a task, and gives it its place among those that are open', async () => {
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

  it('takes another id where the first is taken', async () => {
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
  it('writes the record as it was seen, and moves its places', async () => {
    const body = { start: '2026-11-24T09:00Z', end: '2026-11-24T10:00Z' };
    const { status } = await asAnn('PUT /api/calendar/events/{id}', { body });
    expect(status).toBe(200);
    const times = { start: '2026-11-24T09:00:00.000Z', end: '2026-11-24T10:00:00.000Z' };
    const [record, notice, ...rest] = writes();
    expect(record).toEqual({
      Put: { ...asSeen, Item: { ...itemOf(times), version: 4, sequence: 1 } },
    });
    expect(notice).toEqual(
      telling({ id, version: 4, by: 7, told: [{ what: 'changed', userIds: [8] }] }),
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

  it('writes no place and tells nobody where it stays at its time', async () => {
    await asAnn('PUT /api/calendar/events/{id}', { body: { title: 'Other', start: event.start } });
    expect(writes()).toHaveLength(3);
    expect(writes()[0]?.Put?.Item).toMatchObject({ title: 'Other', version: 4, sequence: 0 });
  });

  it('reads again and writes again where somebody else was faster, 8 times', async () => {
    const conflict = canceled('ConditionalCheckFailed', 'None', 'None');
    table.on(TransactWriteCommand).rejectsOnce(conflict).rejectsOnce(conflict).resolves({});
    const body = { title: 'Other' };
    expect((await asAnn('PUT /api/calendar/events/{id}', { body })).status).toBe(200);
    expect(transactions()).toHaveLength(3);
    table.resetHistory();
    table.on(TransactWriteCommand).rejects(conflict);
    const answer = await asAnn('PUT /api/calendar/events/{id}', { body });
    expect([answer.status, answer.body.error.message]).toEqual([
      503,
      'The event keeps changing: try again',
    ]);
    expect(transactions()).toHaveLength(8);
  });

  it('is a 404 where it was deleted meanwhile, and writes nothing more', async () => {
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      answerReads(table, []);
      throw canceled('ConditionalCheckFailed', 'None', 'None');
    });
    const answer = await asAnn('PUT /api/calendar/events/{id}', { body: { title: 'Other' } });
    expect([answer.status, transactions().length]).toEqual([404, 1]);
  });
});

describe('DELETE /api/calendar/events/{id}', () => {
  it('removes the record as it was seen, with its places', async () => {
    expect((await asAnn('DELETE /api/calendar/events/{id}')).status).toBe(200);
    const [record, notice, ...rest] = writes();
    expect(record).toEqual({ Delete: { ...asSeen, Key: keys.event(id) } });
    expect(notice).toEqual(
      telling({ id, title: 'A meeting', told: [{ what: 'cancelled', userIds: [8] }] }),
    );
    expect(rest.slice(0, 2)).toEqual([gone(keyOf(place(7))), gone(keyOf(place(8)))]);
  });
});

describe('PUT /api/calendar/events/{id}/attendance', () => {
  const answer = (headers = {}) =>
    asAnn('PUT /api/calendar/events/{id}/attendance', {
      userId: 8,
      body: { status: 'accepted' },
      headers,
    });

  it('writes the one answer, if that is still as it was seen', async () => {
    expect((await answer()).status).toBe(200);
    const update = {
      TableName,
      Key: keys.event(id),
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
      telling({ id, version: 4, by: 8, told: [{ what: 'accepted', userIds: [7] }] }),
    ]);
    table.resetHistory();
    await answer({ 'if-match': '"3"' });
    expect(writes()[0]?.Update).toMatchObject({
      ConditionExpression: `${update.ConditionExpression} AND version = :seen`,
      ExpressionAttributeValues: { ':seen': 3 },
    });
  });

  it('looks again where the attendees have changed meanwhile', async () => {
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      const attendees = [{ id: 9, name: 'Cid', status: 'pending' as const }, ...event.attendees];
      answerReads(table, [itemOf({ attendees, version: 4 })]);
      throw canceled('ConditionalCheckFailed', 'None', 'None', 'None');
    });
    expect((await answer()).status).toBe(200);
    expect(transactions()[1]?.TransactItems?.[0]?.Update?.UpdateExpression).toContain(
      'attendees[1]',
    );
  });
});

describe('GET /api/calendar/events', () => {
  it('asks for what reaches into the window, of each length, and for what recurs', async () => {
    table.on(QueryCommand).resolves({ Items: [] });
    await asAnn('GET /api/calendar/events', { query: { start: '2026-11-01', end: '2026-12-01' } });
    const bounds = sent(table, QueryCommand).map((query) => [
      query.KeyConditionExpression,
      query.ConsistentRead,
      query.ExpressionAttributeValues?.[':pk'],
      query.ExpressionAttributeValues?.[':low'].slice(0, -17),
      query.ExpressionAttributeValues?.[':high'].slice(0, -17),
    ]);
    const condition = 'pk = :pk AND sk BETWEEN :low AND :high';
    const own = [condition, true, 'CALENDAR#7'];
    expect(bounds).toEqual([
      [...own, 'SERIES#2026-11-01T00:00:00.000Z', 'SERIES#forever~'],
      [...own, 'DAY#2026-10-30T23:00:00.000Z', 'DAY#2026-12-01T00:00:00.000Z'],
      [...own, 'MONTH#2026-10-01T00:00:00.000Z', 'MONTH#2026-12-01T00:00:00.000Z'],
      [...own, 'YEAR#2025-10-31T00:00:00.000Z', 'YEAR#2026-12-01T00:00:00.000Z'],
    ]);
  });

  it('leaves out what was deleted, or is no longer for the caller, since its place was read', async () => {
    const places = [
      { ...place(7), id: 1_001 },
      { ...place(7), id: 1_002 },
    ];
    table.on(QueryCommand).resolves({ Items: places, ScannedCount: 2 });
    const items = [{ ...itemOf(), ...keys.event(1_002), id: 1_002, ownerId: 9 }];
    const { status, body } = await asAnn('GET /api/calendar/events', { items });
    expect([status, body.data.items]).toEqual([200, []]);
  });
});

describe('failures of the table', () => {
  const calls = [
    ['POST /api/calendar/events', { body: { title: 'T', start: '2026-11-23' } }],
    ['PUT /api/calendar/events/{id}', { body: { title: 'T' } }],
    ['DELETE /api/calendar/events/{id}', {}],
    ['PUT /api/calendar/events/{id}/attendance', { body: { status: 'accepted' }, userId: 8 }],
    ['PUT /api/calendar/events/{id}/occurrences/{start}', { body: { title: 'T' } }],
  ] as const;
  const items = [itemOf({ rrule: 'FREQ=DAILY' })];

  it.each(calls)('of %s are told as such', async (endpoint, options) => {
    for (const [, error] of errors) {
      table.on(TransactWriteCommand).rejects(error);
      expect(told(await asAnn(endpoint, { ...options, items }))).toEqual(busy(aText));
    }
    table.on(TransactWriteCommand).rejects(accessDenied());
    expect(told(await asAnn(endpoint, { ...options, items }))).toEqual(broken(aText));
    const conflicts = canceled('TransactionConflict', 'None', 'None');
    table.on(TransactWriteCommand).rejectsOnce(conflicts).resolves({});
    expect((await asAnn(endpoint, { ...options, items })).status).toBeLessThan(300);
  });

  it('of a window are told as such', async () => {
    for (const [, error] of errors) {
      table.on(QueryCommand).rejects(error);
      expect(told(await asAnn('GET /api/calendar/events'))).toEqual(busy(aText));
    }
    table.on(QueryCommand).resolves({ Items: [place(7)], ScannedCount: 1 });
    const ann = await signedIn();
    answerReads(table, ann.items);
    const answered = table.on(BatchGetCommand);
    answered.callsFake(async ({ RequestItems }) => {
      if (RequestItems[TableName].Keys[0].pk.startsWith('EVENT#')) throw errors[0]?.[1];
      return { Responses: { [TableName]: ann.items } };
    });
    expect(told(await call('GET /api/calendar/events', { token: ann.token }))).toEqual(busy(aText));
  });
});
