import { brotliCompressSync } from 'node:zlib';
import { expect } from 'vitest';
import type { StoredDocument } from '../../../functions/api/documents/document.ts';

import { documentKeys } from '../../../functions/api/documents/keys.ts';
import { answerReads, type MockedTable, signedIn } from '../aws/errors.ts';
import { call } from '../service/call.ts';

const TableName = 'handbill-test';
/** The time of every write here. */
export const now = '2026-11-21T12:00:00.000Z';

/** A document of Ann's, whose id is 7, of two words and in a folder. */
export const id = 1_000;
export const document: StoredDocument = {
  id,
  authorId: 7,
  title: 'May Plans',
  type: 'text',
  folder: 'F',
  tags: [],
  size: 5,
  visibility: 'private',
  sharedWith: [],
  texts: { id: 'first-texts', place: 'table', parts: [{ name: 'content', bytes: 5 }] },
  createdAt: now,
  updatedAt: now,
  version: 3,
};
/** The items of the document, as the table holds them. */
export const itemsOf = (fields: Partial<StoredDocument> = {}) => [
  { ...documentKeys.record.at({ id }), ...document, ...fields },
  { ...documentKeys.content.at({ id }), id: 'first-texts', packed: brotliCompressSync('Hello') },
];

/** The writes of an item, as it is in a transaction. */
export const put = (Item: object) => ({ Put: { TableName, Item } });
export const gone = (Key: object) => ({ Delete: { TableName, Key } });
/** The writes that move totals. */
export const total = (counted: string, delta: number) => ({
  Update: {
    TableName,
    Key: { pk: expect.stringMatching(new RegExp(`^TOTAL#${counted}#\\d+$`)), sk: 'TOTAL' },
    UpdateExpression: 'ADD #count :delta',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':delta': delta },
  },
});
export const counts = (userId: number, seen: number, trashed: number) => ({
  Update: {
    TableName,
    Key: { pk: `USER#${userId}`, sk: expect.stringMatching(/^DOCUMENTS#[0-3]$/) },
    UpdateExpression: 'ADD seen :seen, trashed :trashed',
    ExpressionAttributeValues: { ':seen': seen, ':trashed': trashed },
  },
});

/** What filters combine. */
export const facets = { type: 'text', tags: [], folder: 'F' };

/** An id as a sort key. */
export const sk = (documentId: number) => String(documentId).padStart(16, '0');
/** Where such a document stands, by the shelf, apart from that of all. */
export const shelf = (name: string, documentId = id) => {
  const base = { id: documentId, authorId: 7 };
  const last = sk(documentId);
  const sortTitle = 'may plans\u0000';
  const all = (kind: string, key: string) => ({ gsi1pk: `DOCUMENTS#ALL#${kind}`, gsi1sk: key });
  const word = (one: string) => ({
    ...{ pk: `DOCUMENTS#${name}#WORD#${one[0]}`, sk: `${one}#${last}` },
    ...base,
    sortTitle,
    words: ' may plans',
    ...all(`WORD#${one[0]}`, `${one}#${last}`),
  });
  const byTitle = `${sortTitle}#${last}`;
  return [
    { pk: `DOCUMENTS#${name}`, sk: last, ...base },
    { pk: `DOCUMENTS#${name}#TITLE`, sk: byTitle, ...base, ...all('TITLE', byTitle) },
    { pk: `DOCUMENTS#${name}#FOLDER#F`, sk: last, ...base, ...facets, ...all('FOLDER#F', last) },
    { pk: `DOCUMENTS#${name}#TYPE#text`, sk: last, ...base, ...facets, ...all('TYPE#text', last) },
    ...(name === 'EVERYONE' ? [{ pk: 'DOCUMENTS#EVERYONE#AUTHOR#7', sk: last, ...base }] : []),
    word('may'),
    word('plans'),
  ];
};
export const keyOf = ({ pk, sk: key }: { readonly pk: string; readonly sk: string }) => ({
  pk,
  sk: key,
});
/** On the shelf of all. */
export const all = (documentId = id) => ({
  pk: 'DOCUMENTS#ALL',
  sk: sk(documentId),
  id: documentId,
  authorId: 7,
});
/** The condition of every change: the record is there, and as it was seen. */
export const asSeen = {
  TableName,
  ConditionExpression: 'attribute_exists(pk) AND version = :seen',
  ExpressionAttributeValues: { ':seen': 3 },
};
/** In the trash of its author. */
export const toTrash = {
  pk: 'DOCUMENTS#TRASH#7',
  sk: `${now}#${sk(id)}`,
  id,
  authorId: 7,
};

/** Lets Ann call, who may write documents; the table holds her and these items. */
export const callsByAnn =
  (table: MockedTable) =>
  async (
    endpoint: string,
    {
      body,
      items = itemsOf(),
      permissions = ['documents:create', 'documents:update', 'documents:delete'],
    }: {
      readonly body?: unknown;
      readonly items?: readonly Record<string, unknown>[];
      readonly permissions?: readonly string[];
    } = {},
  ) => {
    const ann = await signedIn({ extraPermissions: permissions });
    answerReads(table, [...ann.items, ...items]);
    const params = { id: String(id) };
    return call(endpoint, { token: ann.token, params, ...(body !== undefined && { body }) });
  };
