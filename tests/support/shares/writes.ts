import { randomBytes } from 'node:crypto';
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { keys } from '../../../shared/db/table.ts';
import { shareId } from './items.ts';

type Update = UpdateCommandInput;

const TableName = 'handbill-test';
/** The time of every write here. */
export const now = '2026-11-21T12:00:00.000Z';
/** When an object is deleted that is doomed by then. */
export const inAnHour = '2026-11-21T13:00:00.000Z';
/** The key of an object that is doomed until its record is written. */
export const doomed = {
  pk: 'DELETIONS',
  sk: expect.stringMatching(new RegExp(`^${inAnHour}#texts/SHARE/`)),
};
/** A content that goes to the bucket. */
export const large = randomBytes(15_000).toString('base64');
export const anId = expect.stringMatching(/^[\w-]{22}$/);
const aClaim = expect.stringMatching(/^[\w-]{8}$/);

/** Every claim moves those before it on by one place. */
const pushViewIds = [
  'claims[0] = :claim',
  ...Array.from({ length: 39 }, (_, at) => `claims[${at + 1}] = claims[${at}]`),
].join(', ');

const base = {
  TableName,
  Key: keys.shareAccess(shareId),
  ExpressionAttributeNames: { '#views': 'views' },
  ReturnValues: 'ALL_NEW',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};
const isOpen =
  '(attribute_not_exists(expiresAt) OR expiresAt > :now) AND attribute_not_exists(takenDown) AND attribute_not_exists(ownerSuspended)';

/** Every view but the last. */
export const aView = {
  ...base,
  UpdateExpression: `SET #views = #views + :one, ${pushViewIds}`,
  ConditionExpression: `attribute_exists(pk) AND (attribute_not_exists(lastView) OR #views < lastView) AND ${isOpen} AND attribute_not_exists(passwordId) AND NOT contains(claims, :claim)`,
  ExpressionAttributeValues: { ':one': 1, ':claim': aClaim, ':now': now },
};

/** The same by a form, which may have been sent before: in the last minute, or at the same time. */
const others = Array.from({ length: 7 }, (_, at) => `:other${at}`);
export const aFormView = {
  ...aView,
  ConditionExpression: [
    aView.ConditionExpression,
    ...others.map((name) => `NOT contains(claims, ${name})`),
  ].join(' AND '),
  ExpressionAttributeValues: {
    ...aView.ExpressionAttributeValues,
    ...Object.fromEntries(others.map((name) => [name, aClaim])),
  },
};

/** The last one, which plans the end. */
export const aLastView = {
  ...base,
  UpdateExpression: `SET #views = #views + :one, ${pushViewIds}, endedAt = :now, gsi1pk = :endsPk, gsi1sk = :endsSk`,
  ConditionExpression: `attribute_exists(pk) AND #views = lastView AND ${isOpen} AND attribute_not_exists(passwordId) AND NOT contains(claims, :claim)`,
  ExpressionAttributeValues: {
    ...aView.ExpressionAttributeValues,
    ':endsPk': 'SHARES#ENDS',
    ':endsSk': `${now}#${shareId}`,
  },
};

/** The write that gives a view back: what becomes of the end, and of which gate. */
export const aReturn = (end: string, state: string, values: Record<string, unknown> = {}) => ({
  ...base,
  UpdateExpression: `SET #views = #views - :one, ${pushViewIds}${end}`,
  ConditionExpression: `attribute_exists(pk) AND contains(claims, :taken) AND NOT contains(claims, :claim) AND ${state}`,
  ExpressionAttributeValues: { ':one': 1, ':taken': aClaim, ':claim': aClaim, ...values },
});

/** The claim that a write makes. */
export const claimIn = (input: Update | undefined) => input?.ExpressionAttributeValues?.[':claim'];
/** Does this give a view back? */
export const isReturn = ({ UpdateExpression }: Update) => UpdateExpression?.includes('- :one');

/** The write that keeps count of a user's shares. */
export const moved = (Key: object, delta: number) => ({
  Update: {
    TableName,
    Key,
    UpdateExpression: 'ADD shares :delta',
    ExpressionAttributeValues: { ':delta': delta },
  },
});
/** The write that keeps count of all shares, in one of the shards. */
export const movedTotal = (delta: number) => ({
  Update: {
    TableName,
    Key: { pk: expect.stringMatching(/^TOTAL#shares/), sk: expect.any(String) },
    UpdateExpression: 'ADD #count :delta',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':delta': delta },
  },
});
