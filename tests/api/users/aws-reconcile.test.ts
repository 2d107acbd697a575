import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { reconcileUser } from '../../../functions/api/users/reconcile.ts';

import { userKeys } from '../../../shared/auth/keys.ts';
import { accessDenied, answerReads, mockTable, sent } from '../../support/aws/errors.ts';

const table = mockTable();
const queue = mockClient(SQSClient);

const TableName = 'handbill-test';
const userId = 7;
const { pk } = userKeys.record.at({ id: userId });
const session = userKeys.session.at({ userId, id: 's1' });
const token = userKeys.apiToken.at({ userId, hash: 't1' });

const deletes = (...all: readonly { pk: string; sk: string }[]) =>
  all.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
const batches = () =>
  sent(table, BatchWriteCommand).map(({ RequestItems }) => RequestItems?.[TableName]);
const jobs = () =>
  queue
    .commandCalls(SendMessageCommand)
    .map(({ args: [{ input }] }) => JSON.parse(input.MessageBody ?? '').data);
/** Lists the partitions, or key ranges, that were queried. */
const asked = () =>
  sent(table, QueryCommand).map(({ ExpressionAttributeValues: values }) =>
    values?.[':prefix'] ? `${values[':pk']} ${values[':prefix']}` : values?.[':pk'],
  );

const rest = {
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
};
const shares = { ':pk': pk, ':prefix': 'SHARE#' };

beforeEach(() => {
  table.reset();
  queue.reset();
  queue.on(SendMessageCommand).resolves({});
  answerReads(table, []);
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(QueryCommand, rest).resolves({ Items: [session, token] });
});

describe('data of a removed user', () => {
  it('deletes a record after the records it refers to', async () => {
    table.on(BatchWriteCommand).resolves({});
    await reconcileUser({ userId });
    expect(asked()).toEqual(
      expect.arrayContaining([
        `${pk} SHARE#`,
        'DOCUMENTS#OF#7',
        'DOCUMENTS#EVERYONE#AUTHOR#7',
        'DOCUMENTS#TRASH#7',
        'DOCUMENTS#SHARED#7',
      ]),
    );
    expect(asked().at(-1)).toBe(pk);
    expect(batches()).toEqual([deletes(session, token)]);
    expect(jobs()).toEqual([]);
  });

  it('requests unprocessed keys again', async () => {
    table
      .on(BatchWriteCommand)
      .resolvesOnce({ UnprocessedItems: { [TableName]: deletes(token) } })
      .resolves({ UnprocessedItems: {} });
    await reconcileUser({ userId });
    expect(batches()).toEqual([deletes(session, token), deletes(token)]);
    expect(jobs()).toEqual([]);
  });

  it('leaves the keys to a job if they stay unprocessed six times', async () => {
    table.on(BatchWriteCommand).resolves({ UnprocessedItems: { [TableName]: deletes(token) } });
    await reconcileUser({ userId, transferTo: 9 });
    expect(batches()).toHaveLength(6);
    expect(jobs()).toEqual([{ userId, transferTo: 9 }]);
  });

  it('keeps the list of shares that could not be removed', async () => {
    table.on(QueryCommand, { ExpressionAttributeValues: shares }).rejects(accessDenied());
    await expect(reconcileUser({ userId })).rejects.toThrow('is not authorized');
    expect(asked()).toContain('DOCUMENTS#TRASH#7');
    expect(asked()).toContain('DOCUMENTS#SHARED#7');
    expect(asked()).not.toContain(pk);
    expect(batches()).toEqual([]);
  });
});
