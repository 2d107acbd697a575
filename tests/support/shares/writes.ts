import { randomBytes } from 'node:crypto';
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';

import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { shareId } from './items.ts';

type Update = UpdateCommandInput;

const TableName = 'handbill-test';
/** The time of all writes. */
export const now = '2026-11-21T12:00:00.000Z';
/** When an object without a record is deleted. */
export const inAnHour = '2026-11-21T13:00:00.000Z';
/** The key of the scheduled deletion of an object, which is canceled when its record is written. */
export const scheduledDeletion = {
  pk: 'DELETIONS',
  sk: expect.stringMatching(new RegExp(`^${inAnHour}#texts/SHARE/`)),
};
/** Content that is stored in the bucket. */
export const large = randomBytes(15_000).toString('base64');
export const anId = expect.stringMatching(/^[\w-]{22}$/);
const aViewId = expect.stringMatching(/^[\w-]{8}$/);

/** Each view id moves the previous ones by one index. */
const pushViewId = [
  'recentViewIds[0] = :viewId',
  ...Array.from({ length: 39 }, (_, at) => `recentViewIds[${at + 1}] = recentViewIds[${at}]`),
].join(', ');

const base = {
  TableName,
  Key: shareKeys.access.at({ id: shareId }),
  ExpressionAttributeNames: { '#views': 'views' },
  ReturnValues: 'ALL_NEW',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};
const isOpen =
  '(attribute_not_exists(expiresAt) OR expiresAt > :now) AND attribute_not_exists(takenDown) AND attribute_not_exists(ownerSuspended)';

/** A view before the last one. */
export const aView = {
  ...base,
  UpdateExpression: `SET #views = #views + :one, ${pushViewId}`,
  ConditionExpression: `attribute_exists(pk) AND (attribute_not_exists(viewsBeforeLast) OR #views < viewsBeforeLast) AND ${isOpen} AND attribute_not_exists(passwordId) AND NOT contains(recentViewIds, :viewId)`,
  ExpressionAttributeValues: { ':one': 1, ':viewId': aViewId, ':now': now },
};

/** A view by a form that may have been submitted before: in the last minute, or concurrently. */
const aliases = Array.from({ length: 7 }, (_, at) => `:alias${at}`);
export const aFormView = {
  ...aView,
  ConditionExpression: [
    aView.ConditionExpression,
    ...aliases.map((name) => `NOT contains(recentViewIds, ${name})`),
  ].join(' AND '),
  ExpressionAttributeValues: {
    ...aView.ExpressionAttributeValues,
    ...Object.fromEntries(aliases.map((name) => [name, aViewId])),
  },
};

/** The last view, which schedules the purge. */
export const aLastView = {
  ...base,
  UpdateExpression: `SET #views = #views + :one, ${pushViewId}, endedAt = :now, gsi1pk = :endPk, gsi1sk = :endSk`,
  ConditionExpression: `attribute_exists(pk) AND #views = viewsBeforeLast AND ${isOpen} AND attribute_not_exists(passwordId) AND NOT contains(recentViewIds, :viewId)`,
  ExpressionAttributeValues: {
    ...aView.ExpressionAttributeValues,
    ':endPk': 'SHARES#ENDS',
    ':endSk': `${now}#${shareId}`,
  },
};

/** A refund: `end` changes the end of the share, `state` is its expected state. */
export const aRefund = (end: string, state: string, values: Record<string, unknown> = {}) => ({
  ...base,
  UpdateExpression: `SET #views = #views - :one, ${pushViewId}${end}`,
  ConditionExpression: `attribute_exists(pk) AND contains(recentViewIds, :consumed) AND NOT contains(recentViewIds, :viewId) AND ${state}`,
  ExpressionAttributeValues: { ':one': 1, ':consumed': aViewId, ':viewId': aViewId, ...values },
});

/** Returns the view id of a write. */
export const viewIdIn = (input: Update | undefined) =>
  input?.ExpressionAttributeValues?.[':viewId'];
/** Whether a write refunds a view. */
export const isRefund = ({ UpdateExpression }: Update) => UpdateExpression?.includes('- :one');

/** The write that changes a user's share count. */
export const incremented = (Key: object, delta: number) => ({
  Update: {
    TableName,
    Key,
    UpdateExpression: 'ADD shares :delta',
    ExpressionAttributeValues: { ':delta': delta },
  },
});
/** The write that changes the total of all shares, in one of the shards. */
export const incrementedTotal = (delta: number) => ({
  Update: {
    TableName,
    Key: { pk: expect.stringMatching(/^TOTAL#shares/), sk: expect.any(String) },
    UpdateExpression: 'ADD #count :delta',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':delta': delta },
  },
});
