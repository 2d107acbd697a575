import { expect } from 'vitest';

const TableName = 'handbill-test';

/** Cancellation reasons of transactions that are retried. */
export const retriedCodes = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];

/** Returns the write of an item that must not exist. */
export const putNew = (Item: unknown) => ({
  Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' },
});

/** Returns the write of an email key that is free or no longer reserved for another user. */
export const putEmail = (email: string, userId: number) => ({
  Put: {
    TableName,
    Item: { pk: `EMAIL#${email}`, sk: 'EMAIL', userId },
    ConditionExpression: 'attribute_not_exists(pk) OR heldFor = :userId OR heldUntil <= :now',
    ExpressionAttributeValues: { ':userId': userId, ':now': expect.any(String) },
  },
});

/** Matches the item of a new session. */
export const newSession = (userId: number, epoch: number) =>
  expect.objectContaining({
    pk: `USER#${userId}`,
    sk: expect.stringMatching(/^SESSION#[\w-]{22}$/),
    userId,
    epoch,
    rotation: 0,
  });

/** Returns the write of a security alert to the outbox. */
export const alertPut = (event: string) =>
  putNew({
    pk: 'OUTBOX',
    sk: expect.any(String),
    message: expect.stringMatching(new RegExp(`"kind":"security-alert".*"event":"${event}"`)),
    ttl: expect.any(Number),
  });
