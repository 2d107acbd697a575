import { BatchGetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoredDocument } from '../../../functions/api/documents/document.ts';
import { documentKeys } from '../../../functions/api/documents/keys.ts';
import { purgeTrash } from '../../../functions/api/documents/trash.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  canceled,
  passingErrors,
  sent,
  told,
} from '../../support/aws/errors.ts';
import { useMockedTable } from '../../support/aws/stores.ts';
import {
  all,
  asSeen,
  callsByAnn,
  counts,
  document,
  facets,
  gone,
  id,
  itemsOf,
  keyOf,
  now,
  put,
  shelf,
  sk,
  toTrash,
  total,
} from '../../support/documents/items.ts';
import { retriedCodes } from '../../support/users/auth-writes.ts';

// Pauses between attempts end immediately.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = useMockedTable(now);
const aText = expect.any(String);
const errors = passingErrors();

beforeEach(() => {
  table.on(QueryCommand).resolves({ Items: [] });
});

const asAnn = callsByAnn(table);

const transactions = () => sent(table, TransactWriteCommand);
const writes = () => transactions()[0]?.TransactItems ?? [];

describe('the trash', () => {
  it('removes a document from all scopes and counters and schedules its purge', async () => {
    const items = itemsOf({ sharedWith: [8] });
    expect((await asAnn('DELETE /api/documents/{id}', { items })).status).toBe(200);
    const Item = {
      ...document,
      ...documentKeys.record.at({ id }),
      sharedWith: [8],
      deletedAt: now,
      version: 4,
      gsi1pk: 'DOCUMENTS#PURGES',
      gsi1sk: `2026-12-21T12:00:00.000Z#${sk(id)}`,
    };
    expect(writes().slice(0, -2)).toEqual([
      { Put: { ...asSeen, Item } },
      gone(keyOf(all())),
      ...shelf('OF#7').map(keyOf).map(gone),
      gone({ pk: 'DOCUMENTS#SHARED#8', sk: sk(id) }),
      put(toTrash),
      total('documents', -1),
      counts(7, -1, 1),
      counts(8, -1, 0),
    ]);
  });

  it('restores all entries, except those of removed readers', async () => {
    const items = [
      ...itemsOf({ sharedWith: [8, 9], deletedAt: now }),
      { ...userKeys.record.at({ id: 9 }), id: 9, name: 'Nina' },
    ];
    expect((await asAnn('POST /api/documents/{id}/restore', { items })).status).toBe(200);
    const record = writes()[0]?.Put;
    expect(record).toMatchObject(asSeen);
    expect(record?.Item).toMatchObject({ sharedWith: [9], version: 4, deletedAt: undefined });
    expect(record?.Item).not.toHaveProperty('gsi1pk');
    expect(writes().slice(1, -2)).toEqual([
      gone(keyOf(toTrash)),
      put(all()),
      ...shelf('OF#7').map(put),
      put(expect.objectContaining({ pk: 'DOCUMENTS#SHARED#9', folder: 'F', words: ' may plans' })),
      total('documents', 1),
      counts(7, 1, -1),
      counts(9, 1, 0),
    ]);
  });

  it('deletes the record and its content in one transaction', async () => {
    const items = itemsOf({ deletedAt: now });
    expect((await asAnn('DELETE /api/documents/trash/{id}', { items })).status).toBe(200);
    expect(writes().slice(0, -2)).toEqual([
      { Delete: { ...asSeen, Key: documentKeys.record.at({ id }) } },
      gone(documentKeys.content.at({ id })),
      gone(keyOf(toTrash)),
      counts(7, 0, -1),
    ]);
  });
});

describe('purgeTrash', () => {
  const due = (items: readonly Record<string, unknown>[]) => {
    answerReads(table, items);
    table.on(QueryCommand).resolves({ Items: [{ id }] });
  };

  it('queries the index for due documents and deletes them', async () => {
    due(itemsOf({ deletedAt: '2026-10-22T12:00:00.000Z' }));
    await purgeTrash();
    expect(sent(table, QueryCommand)).toEqual([
      {
        TableName: 'handbill-test',
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :before',
        ExpressionAttributeValues: { ':pk': 'DOCUMENTS#PURGES', ':before': now },
        Limit: 25,
        ExclusiveStartKey: undefined,
      },
    ]);
    expect(writes()[0]).toEqual({ Delete: { ...asSeen, Key: documentKeys.record.at({ id }) } });
  });

  it.each([
    ['restored', itemsOf()],
    ['restored and deleted again', itemsOf({ deletedAt: '2026-10-22T12:00:00.001Z' })],
    ['deleted for good', []],
  ])('skips a document that was %s since it was indexed', async (_, items) => {
    due(items);
    await purgeTrash();
    expect(transactions()).toEqual([]);
  });
});

describe('POST /api/documents/{id}/share', () => {
  it('writes entries of each reader, counts and a job in one transaction', async () => {
    const items = [...itemsOf(), { ...userKeys.record.at({ id: 8 }), id: 8, name: 'Rea' }];
    const body = { userIds: [8] };
    expect((await asAnn('POST /api/documents/{id}/share', { items, body })).status).toBe(200);
    const [record, job, ...rest] = writes();
    expect(record?.Put).toMatchObject(asSeen);
    expect(JSON.parse(job?.Put?.Item?.['message'])).toEqual({
      id: aText,
      kind: 'document-shared',
      data: { id, userIds: [8], sharedBy: 7, sharedAt: now },
    });
    expect(rest.slice(0, -2)).toEqual([
      put({
        pk: 'DOCUMENTS#SHARED#8',
        sk: sk(id),
        id,
        authorId: 7,
        sortTitle: 'may plans\u0000',
        words: ' may plans',
        ...facets,
      }),
      counts(8, 1, 0),
    ]);
  });
});

describe('GET /api/documents', () => {
  const queries = () =>
    sent(table, QueryCommand).map(({ ExpressionAttributeValues, ...query }) => ({
      pk: ExpressionAttributeValues?.[':pk'],
      isConsistent: query.ConsistentRead ?? false,
      index: query.IndexName,
      limit: query.Limit,
    }));
  const consistent = { isConsistent: true, index: undefined, limit: 11 };

  it('reads own, public and shared documents with strong consistency', async () => {
    expect((await asAnn('GET /api/documents')).body.data).toMatchObject({ items: [], total: 0 });
    expect(queries()).toEqual([
      { pk: 'DOCUMENTS#OF#7', ...consistent },
      { pk: 'DOCUMENTS#EVERYONE', ...consistent },
      { pk: 'DOCUMENTS#SHARED#7', ...consistent },
    ]);
  });

  it('reads the ALL scope for managers', async () => {
    await asAnn('GET /api/documents', { permissions: ['documents:manage'] });
    expect(queries()).toEqual([{ pk: 'DOCUMENTS#ALL', ...consistent }]);
  });
});

const requests: readonly (readonly [string, unknown, Partial<StoredDocument>])[] = [
  ['POST /api/documents', { title: 'T' }, {}],
  ['PUT /api/documents/{id}', { title: 'T' }, {}],
  ['DELETE /api/documents/{id}', undefined, {}],
  ['POST /api/documents/{id}/unshare', { userIds: [8] }, { sharedWith: [8] }],
  ['POST /api/documents/{id}/restore', {}, { deletedAt: now }],
  ['DELETE /api/documents/trash/{id}', undefined, { deletedAt: now }],
];

describe.each(requests)('%s', (endpoint, body, fields) => {
  const send = () =>
    asAnn(endpoint, { ...(body !== undefined && { body }), items: itemsOf(fields) });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await send())).toEqual(busy(aText));
    expect(transactions()).toHaveLength(1);
  });

  it.each(retriedCodes)('retries after %s with the same token', async (code) => {
    table.on(TransactWriteCommand).rejectsOnce(canceled(code, 'None')).resolves({});
    expect((await send()).status).toBeLessThan(300);
    const tokens = transactions().map(({ ClientRequestToken }) => ClientRequestToken);
    expect([tokens.length, new Set(tokens).size]).toEqual([2, 1]);
  });

  it('returns 500 without details if a permission of the table is missing', async () => {
    table.on(TransactWriteCommand).rejects(accessDenied());
    expect(told(await send())).toEqual(broken(aText));
  });
});

it.each(['GET /api/documents', 'GET /api/documents/trash'])(
  '%s says that the service is busy where a query fails',
  async (endpoint) => {
    table.on(QueryCommand).rejects(errors[0]?.[1]);
    expect(told(await asAnn(endpoint))).toEqual(busy(aText));
  },
);

it('GET /api/documents/{id} reads record and content in one request', async () => {
  expect((await asAnn('GET /api/documents/{id}')).body.data.content).toBe('Hello');
  // The other one is about who calls.
  expect(sent(table, BatchGetCommand)).toHaveLength(2);
});
