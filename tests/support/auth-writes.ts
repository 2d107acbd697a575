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

/** The record of a session that has just begun. */
export const newSession = (userId: number, epoch: number) =>
  expect.objectContaining({
    pk: `USER#${userId}`,
    sk: expect.stringMatching(/^SESSION#[\w-]{22}$/),
    userId,
    epoch,
    rotation: 0,
  });
