import { BatchGetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';

import { eventKeys } from '../../../functions/api/calendar/record/keys.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  canceled,
  passingErrors,
  sent,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { useMockedTable } from '../../support/aws/stores.ts';
import { callAs, itemOf, now, place } from '../../support/calendar/items.ts';
import { call } from '../../support/service/call.ts';

// Skips the delays between retries.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = useMockedTable(now);
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();

const asAnn = (endpoint: string, options?: Parameters<typeof callAs>[2]) =>
  callAs(table, endpoint, options);

describe('GET /api/calendar/events', () => {
  it('queries each duration bucket and recurring events', async () => {
    table.on(QueryCommand).resolves({ Items: [] });
    await asAnn('GET /api/calendar/events', { query: { start: '2026-11-01', end: '2026-12-01' } });
    const bounds = sent(table, QueryCommand).map((query) => [
      query.KeyConditionExpression,
      query.ConsistentRead,
      query.ExpressionAttributeValues?.[':pk'],
      query.ExpressionAttributeValues?.[':low'].slice(0, -1),
      query.ExpressionAttributeValues?.[':high'].slice(0, -1),
    ]);
    const condition = 'pk = :pk AND sk BETWEEN :low AND :high';
    const own = [condition, true, 'CALENDAR#7'];
    expect(bounds).toEqual([
      [...own, 'SERIES#2026-11-01T00:00:00.000Z', 'SERIES#forever~'],
      [...own, 'DAY#2026-10-30T23:00:00.000Z', 'DAY#2026-12-02T00:00:00.000Z'],
      [...own, 'MONTH#2026-10-01T00:00:00.000Z', 'MONTH#2026-12-02T00:00:00.000Z'],
      [...own, 'YEAR#2025-10-31T00:00:00.000Z', 'YEAR#2026-12-02T00:00:00.000Z'],
    ]);
  });

  it('omits events that were deleted or became invisible after the index read', async () => {
    const places = [
      { ...place(7), id: 1_001 },
      { ...place(7), id: 1_002 },
    ];
    table.on(QueryCommand).resolves({ Items: places, ScannedCount: 2 });
    const items = [{ ...itemOf(), ...eventKeys.record.at({ id: 1_002 }), id: 1_002, ownerId: 9 }];
    const { status, body } = await asAnn('GET /api/calendar/events', { items });
    expect([status, body.data.items]).toEqual([200, []]);
  });

  it('omits events that cannot be expanded and logs each once', async () => {
    const logged = vi.spyOn(getLogger(), 'error').mockImplementation(() => undefined);
    const places = [place(7), { ...place(7), id: 1_001 }];
    table.on(QueryCommand).resolves({ Items: places, ScannedCount: 2 });
    const broken = {
      ...itemOf({ rrule: 'FREQ=NEVER' }),
      ...eventKeys.record.at({ id: 1_001 }),
      id: 1_001,
    };
    const { status, body } = await asAnn('GET /api/calendar/events', { items: [itemOf(), broken] });
    expect([status, body.data.items]).toMatchObject([200, [{ id: 1_000 }]]);
    expect(logged.mock.calls).toEqual([
      ['Invalid event skipped', { event: 1_001, error: expect.any(Object) }],
    ]);
    logged.mockRestore();
  });
});

describe('DynamoDB errors', () => {
  const calls = [
    ['POST /api/calendar/events', { body: { title: 'T', start: '2026-11-23' } }],
    ['PUT /api/calendar/events/{id}', { body: { title: 'T' } }],
    ['DELETE /api/calendar/events/{id}', {}],
    ['PUT /api/calendar/events/{id}/attendance', { body: { status: 'accepted' }, userId: 8 }],
    ['PUT /api/calendar/events/{id}/occurrences/{start}', { body: { title: 'T' } }],
  ] as const;
  const items = [itemOf({ rrule: 'FREQ=DAILY' })];

  it.each(calls)('return an error from %s', async (endpoint, options) => {
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

  it('return an error from a window', async () => {
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
