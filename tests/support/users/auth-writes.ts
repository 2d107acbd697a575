import { expect } from 'vitest';

const TableName = 'handbill-test';

/** Why a transaction may be cancelled and yet go through when it is sent again. */
export const retriedCodes = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];

/** The write of a record that must not be there yet. */
export const putNew = (Item: unknown) => ({
  Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' },
});

/** The write that takes an e-mail address which is free, or no longer reserved for another user. */
export const putEmail = (email: string, userId: number) => ({
  Put: {
    TableName,
    Item: { pk: `EMAIL#${email}`, sk: 'EMAIL', userId },
    ConditionExpression: 'attribute_not_exists(pk) OR heldFor = :userId OR heldUntil <= :now',
    ExpressionAttributeValues: { ':userId': userId, ':now': expect.any(String) },
  },
});

/** The record of a session that has just begun. */
export const newSession = (userId: number, epoch: number) =>
  expect.objectContaining({
    pk: `USER#${userId}`,
    sk: expect.stringMatching(/^SESSION#[\w-]{22}$/),
    userId,
    epoch,
    rotation: 0,
  });

/** The write that has an owner told of what happens to the account. */
export const alertPut = (event: string) =>
  putNew({
    pk: 'OUTBOX',
    sk: expect.any(String),
    message: expect.stringMatching(new RegExp(`"kind":"security-alert".*"event":"${event}"`)),
    ttl: expect.any(Number),
  });
