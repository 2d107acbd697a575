import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  errorOf,
  increment,
  openStore,
  places,
  type Store,
  TableName,
  times,
} from '../../support/table/local-dynamodb.ts';

describe.each(places)('%s', (place) => {
  let store: Store;
  let doc: DynamoDBDocumentClient;
  let items: Store['items'];

  beforeEach(async () => {
    store = await openStore(place);
    ({ doc, items } = store);
  });

  afterEach(async () => {
    await store.close();
  });

  describe('ReturnValuesOnConditionCheckFailure', () => {
    const failing = {
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } as const;
    const old = { pk: 'a', sk: '1', n: 7 };
    const oldItem = { pk: { S: 'a' }, sk: { S: '1' }, n: { N: '7' } };
    const item = async (promise: Promise<unknown>) => {
      const error = await errorOf(promise);
      expect(error).toBeInstanceOf(ConditionalCheckFailedException);
      return (error as ConditionalCheckFailedException).Item;
    };

    it('returns the item of a failed put, update and delete', async () => {
      await items.put(old);
      const Key = { pk: 'a', sk: '1' };
      expect(
        await item(doc.send(new PutCommand({ TableName, Item: { ...Key, n: 8 }, ...failing }))),
      ).toEqual(oldItem);
      expect(
        await item(
          doc.send(new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE n', ...failing })),
        ),
      ).toEqual(oldItem);
      expect(await item(doc.send(new DeleteCommand({ TableName, Key, ...failing })))).toEqual(
        oldItem,
      );
      expect(await items.get('a')).toEqual(old);
    });

    it('returns no item if not requested or missing', async () => {
      await items.put(old);
      const { ReturnValuesOnConditionCheckFailure: _, ...unasked } = failing;
      expect(await item(doc.send(new PutCommand({ TableName, Item: old, ...unasked })))).toBe(
        undefined,
      );
      const missing = { TableName, Key: { pk: 'none', sk: '1' } };
      expect(
        await item(
          doc.send(
            new DeleteCommand({
              ...missing,
              ...failing,
              ConditionExpression: 'attribute_exists(pk)',
            }),
          ),
        ),
      ).toBe(undefined);
    });

    it('returns the item that the condition was checked against', async () => {
      const results = await times(60, () =>
        doc.send(
          new UpdateCommand({
            ...increment('counter', 20),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      const seen = results.flatMap((result) =>
        result.status === 'rejected'
          ? [(result.reason as ConditionalCheckFailedException).Item?.['n']]
          : [],
      );
      expect(seen).toEqual(Array.from({ length: 40 }, () => ({ N: '20' })));
    });

    it('rejects another value', async () => {
      await expect(
        doc.send(
          new PutCommand({
            TableName,
            Item: old,
            ReturnValuesOnConditionCheckFailure: 'ALL_NEW' as 'ALL_OLD',
          }),
        ),
      ).rejects.toMatchObject({ name: 'ValidationException' });
    });
  });
});
