import { randomBytes } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';

import { documentKeys } from '../../../functions/api/documents/keys.ts';
import {
  answerReads,
  busy,
  canceled,
  passingErrors,
  sent,
  told,
} from '../../support/aws/errors.ts';
import { useMockedBucket, useMockedTable } from '../../support/aws/stores.ts';
import {
  all,
  asSeen,
  callsByAnn,
  counts,
  document,
  gone,
  id,
  itemsOf,
  keyOf,
  now,
  put,
  shelf,
  sk,
  total,
} from '../../support/documents/items.ts';
import { auditWrites } from '../../support/service/audit.ts';

// Pauses between attempts end immediately.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = useMockedTable(now);
const bucket = useMockedBucket();
const TableName = 'handbill-test';
const aText = expect.any(String);
const large = randomBytes(15_000).toString('base64');
const errors = passingErrors();

const asAnn = callsByAnn(table);

const transactions = () => sent(table, TransactWriteCommand);
const writes = () => transactions()[0]?.TransactItems ?? [];

describe('POST /api/documents', () => {
  const body = { title: 'May Plans', folder: 'F', content: 'Hello' };

  it('writes record, content, index entries, totals and audit in one transaction', async () => {
    const { status, body: made } = await asAnn('POST /api/documents', { body });
    expect(status).toBe(201);
    const { id: newId } = made.data;
    const texts = {
      id: expect.stringMatching(/^[\w-]{22}$/),
      place: 'table',
      parts: [{ name: 'content', bytes: 5 }],
    };
    const record = {
      ...document,
      id: newId,
      texts,
      version: 1,
      ...documentKeys.record.at({ id: newId }),
    };
    expect(transactions()).toEqual([
      {
        ClientRequestToken: expect.stringMatching(/^[\da-f-]{36}$/),
        TransactItems: [
          {
            Put: { TableName, Item: record, ConditionExpression: 'attribute_not_exists(pk)' },
          },
          put({ ...documentKeys.content.at({ id: newId }), id: aText, packed: expect.any(Buffer) }),
          put(all(newId)),
          ...shelf('OF#7', newId).map(put),
          total('documents', 1),
          counts(7, 1, 0),
          ...auditWrites({
            action: 'document.create',
            subject: `document:${newId}`,
            actorId: 7,
            after: {
              title: 'May Plans',
              type: 'text',
              folder: 'F',
              tags: [],
              size: 5,
              visibility: 'private',
              sharedWith: [],
              authorId: 7,
            },
          }),
        ],
      },
    ]);
    expect(brotliDecompressSync(writes()[1]?.Put?.Item?.['packed']).toString()).toBe('Hello');
    expect(bucket.calls()).toEqual([]);
  });

  it('uses another id if the first is in use', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('ConditionalCheckFailed', ...Array(12).fill('None')))
      .resolves({});
    const { status, body: made } = await asAnn('POST /api/documents', { body });
    expect([status, transactions().length]).toEqual([201, 2]);
    expect(transactions()[1]?.TransactItems?.[0]?.Put?.Item?.['id']).toBe(made.data.id);
  });

  it('schedules the deletion of the object before the upload and cancels it with the record', async () => {
    const { body: made } = await asAnn('POST /api/documents', {
      body: { ...body, content: large },
    });
    const [deletion] = sent(table, PutCommand);
    const [object] = bucket.commandCalls(PutObjectCommand).map(({ args }) => args[0].input);
    expect(object?.Key).toMatch(new RegExp(`^texts/DOCUMENT/${made.data.id}/[\\w-]{22}$`));
    expect(deletion?.Item?.['key']).toBe(object?.Key);
    expect(writes()[1]).toEqual({
      Delete: {
        TableName,
        Key: { pk: 'DELETIONS', sk: `2026-11-21T13:00:00.000Z#${object?.Key}` },
        ConditionExpression: 'attribute_exists(pk)',
      },
    });
  });

  it('stores nothing if the upload fails', async () => {
    bucket.on(PutObjectCommand).rejects(errors[5]?.[1]);
    const response = await asAnn('POST /api/documents', { body: { ...body, content: large } });
    expect([told(response), transactions()]).toEqual([busy(aText), []]);
  });
});

describe('PUT /api/documents/{id}', () => {
  it('writes the expected version and only the index entries that change', async () => {
    const { status } = await asAnn('PUT /api/documents/{id}', {
      body: { folder: null, tags: ['x'] },
    });
    expect(status).toBe(200);
    const { folder: _, ...rest } = document;
    const Item = {
      ...rest,
      ...documentKeys.record.at({ id }),
      tags: ['x'],
      version: 4,
      folder: undefined,
    };
    expect(writes()).toEqual([
      { Put: { ...asSeen, Item } },
      gone({ pk: 'DOCUMENTS#OF#7#FOLDER#F', sk: sk(id) }),
      ...['TYPE#text', 'TAG#x'].map((list) =>
        put({
          pk: `DOCUMENTS#OF#7#${list}`,
          sk: sk(id),
          ...{ id, authorId: 7, type: 'text', tags: ['x'], folder: undefined },
          gsi1pk: `DOCUMENTS#ALL#${list}`,
          gsi1sk: sk(id),
        }),
      ),
      ...auditWrites({
        action: 'document.update',
        subject: `document:${id}`,
        actorId: 7,
        before: { folder: 'F', tags: [] },
        after: { folder: null, tags: ['x'] },
      }),
    ]);
  });

  it('moves the entries of a document that becomes public to EVERYONE', async () => {
    const items = itemsOf({ sharedWith: [8] });
    await asAnn('PUT /api/documents/{id}', { items, body: { visibility: 'everyone' } });
    expect(writes().slice(1, -2)).toEqual([
      ...shelf('OF#7').map(keyOf).map(gone),
      gone({ pk: 'DOCUMENTS#SHARED#8', sk: sk(id) }),
      ...shelf('EVERYONE').map(put),
      total('documents-of-everyone', 1),
      counts(7, -1, 0),
      counts(8, -1, 0),
    ]);
  });

  it('retries 8 times after concurrent writes', async () => {
    const conflict = canceled('ConditionalCheckFailed', ...Array(3).fill('None'));
    table.on(TransactWriteCommand).rejectsOnce(conflict).rejectsOnce(conflict).resolves({});
    const body = { tags: ['x'] };
    expect((await asAnn('PUT /api/documents/{id}', { body })).status).toBe(200);
    expect(transactions()).toHaveLength(3);
    table.resetHistory();
    table.on(TransactWriteCommand).rejects(conflict);
    const response = await asAnn('PUT /api/documents/{id}', { body });
    expect([response.status, response.body.error.message]).toEqual([
      503,
      'The document is being modified. Try again.',
    ]);
    expect(transactions()).toHaveLength(8);
  });

  it('returns 404 and writes nothing if the document was deleted concurrently', async () => {
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      answerReads(table, itemsOf({ deletedAt: now, version: 4 }));
      throw canceled('ConditionalCheckFailed', ...Array(3).fill('None'));
    });
    const response = await asAnn('PUT /api/documents/{id}', { body: { tags: ['x'] } });
    expect([response.status, transactions().length]).toEqual([404, 1]);
  });

  it('uploads once, despite concurrent changes of other fields', async () => {
    const conflict = canceled('ConditionalCheckFailed', ...Array(4).fill('None'));
    table.on(TransactWriteCommand).rejectsOnce(conflict).rejectsOnce(conflict).resolves({});
    await asAnn('PUT /api/documents/{id}', { body: { content: large } });
    expect(transactions()).toHaveLength(3);
    expect(bucket.commandCalls(PutObjectCommand)).toHaveLength(1);
    // The item of the former content goes.
    expect(writes()[2]).toEqual(gone(documentKeys.content.at({ id })));
  });

  it('changes nothing if reading fails', async () => {
    bucket.on(GetObjectCommand).rejects(errors[6]?.[1]);
    const texts = {
      id: 'in-bucket',
      place: 'bucket' as const,
      parts: [{ name: 'content', bytes: 5 }],
    };
    const items = itemsOf({ texts });
    const response = await asAnn('PUT /api/documents/{id}', { items, body: { title: 'Next' } });
    expect([told(response), transactions()]).toEqual([busy(aText), []]);
  });
});
