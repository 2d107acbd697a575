import { expect } from 'vitest';
import type { StoredFile } from '../../../functions/api/files/record/file.ts';

import { fileKeys } from '../../../functions/api/files/record/keys.ts';

const TableName = 'handbill-test';

/** The time of every write here. */
export const now = '2026-11-21T12:00:00.000Z';
export const id = 1_000;

/** A file of Ann's, whose id is 7, of one word and in no folder. */
export const file: StoredFile = {
  id,
  ownerId: 7,
  name: 'notes',
  type: 'document',
  mimeType: 'text/plain',
  size: 5,
  visibility: 'private',
  sharedWith: [],
  isFavorite: false,
  status: 'ready',
  object: 'files/first-object',
  checksum: '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969',
  createdAt: now,
  updatedAt: now,
  version: 3,
};

/** The same as it is being uploaded. */
export const uploading: StoredFile = {
  ...file,
  type: 'other',
  mimeType: 'text/html',
  status: 'uploading',
  object: 'uploads/first-object',
  uploadBy: '2026-11-21T12:15:00.000Z',
  completeBy: '2026-11-21T18:00:00.000Z',
};

export const itemOf = (stored: StoredFile) => ({ ...fileKeys.record.at({ id }), ...stored });

export const put = (Item: object) => ({ Put: { TableName, Item } });
export const gone = (Key: object) => ({ Delete: { TableName, Key } });
export const keyOf = ({ pk, sk }: { readonly pk: string; readonly sk: string }) => ({ pk, sk });

const sk = (fileId: number) => String(fileId).padStart(16, '0');

/** Where such a file stands. */
export const places = (fileId = id) => {
  const base = { id: fileId, ownerId: 7 };
  const last = sk(fileId);
  const sortName = 'notes\u0000';
  const all = (kind: string, key: string) => ({ gsi1pk: `FILES#ALL#${kind}`, gsi1sk: key });
  const byName = `${sortName}#${last}`;
  return [
    { pk: 'FILES#ALL', sk: last, ...base },
    { pk: 'FILES#OF#7', sk: last, ...base },
    { pk: 'FILES#OF#7#NAME', sk: byName, ...base, ...all('NAME', byName) },
    { pk: 'FILES#OF#7#TYPE#document', sk: last, ...base, ...all('TYPE#document', last) },
    { pk: 'FILES#OF#7#IN#', sk: last, ...base },
    { pk: 'FILES#OF#7#IN##NAME', sk: `1#${byName}`, ...base },
    {
      pk: 'FILES#OF#7#WORD#n',
      sk: `notes#${last}`,
      ...base,
      sortName,
      words: ' notes',
      ...all('WORD#n', `notes#${last}`),
    },
  ];
};

/** Where such an upload stands, and when it ends. */
export const uploadPlace = (fileId = id) => ({
  pk: 'FILES#UPLOADS#7',
  sk: sk(fileId),
  id: fileId,
  ownerId: 7,
  gsi1pk: 'FILES#UPLOADS',
  gsi1sk: `2026-11-21T18:00:00.000Z#${sk(fileId)}`,
});

/** The writes that move totals. */
export const total = (delta: number) => ({
  Update: {
    TableName,
    Key: { pk: expect.stringMatching(/^TOTAL#files#\d+$/), sk: 'TOTAL' },
    UpdateExpression: 'ADD #count :delta',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':delta': delta },
  },
});
export const count = (delta: number) => ({
  Update: {
    TableName,
    Key: { pk: 'USER#7', sk: expect.stringMatching(/^FILES#[0-3]$/) },
    UpdateExpression: 'ADD seen :delta',
    ExpressionAttributeValues: { ':delta': delta },
  },
});

const usageKey = { pk: 'USER#7', sk: 'FILES#USAGE' };

/** The write that moves Ann's usage; `most` is what it may have been before. */
export const usage = (used: number, files: number, most?: number) => ({
  Update: {
    TableName,
    Key: usageKey,
    UpdateExpression: 'ADD used :used, files :files',
    ...(most !== undefined && {
      ConditionExpression: 'attribute_not_exists(used) OR used <= :max',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    ExpressionAttributeValues: {
      ':used': used,
      ':files': files,
      ...(most !== undefined && { ':max': most }),
    },
  },
});

/** The condition of every change: the record is there, and as it was seen. */
export const asSeen = {
  TableName,
  ConditionExpression: 'attribute_exists(pk) AND version = :seen',
  ExpressionAttributeValues: { ':seen': 3 },
};
