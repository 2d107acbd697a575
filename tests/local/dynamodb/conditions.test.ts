import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  errorOf,
  increment,
  places,
  TableName,
  times,
  useStore,
} from '../../support/table/local-dynamodb.ts';

describe.each(places)('%s', (place) => {
  const store = useStore(place);

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
      await store.items.put(old);
      const Key = { pk: 'a', sk: '1' };
      expect(await item(store.items.write({ Item: { ...Key, n: 8 }, ...failing }))).toEqual(
        oldItem,
      );
      expect(
        await item(store.items.update({ Key, UpdateExpression: 'REMOVE n', ...failing })),
      ).toEqual(oldItem);
      expect(await item(store.items.remove({ Key, ...failing }))).toEqual(oldItem);
      expect(await store.items.get('a')).toEqual(old);
    });

    it('returns no item if not requested or missing', async () => {
      await store.items.put(old);
      const { ReturnValuesOnConditionCheckFailure: _, ...unasked } = failing;
      expect(await item(store.items.write({ Item: old, ...unasked }))).toBe(undefined);
      const missing = { TableName, Key: { pk: 'none', sk: '1' } };
      expect(
        await item(
          store.items.remove({
            ...missing,
            ...failing,
            ConditionExpression: 'attribute_exists(pk)',
          }),
        ),
      ).toBe(undefined);
    });

    it('returns the item that the condition was checked against', async () => {
      const results = await times(60, () =>
        store.items.update({
          ...increment('counter', 20),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
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
        store.items.write({
          Item: old,
          ReturnValuesOnConditionCheckFailure: 'ALL_NEW' as 'ALL_OLD',
        }),
      ).rejects.toMatchObject({ name: 'ValidationException' });
    });
  });
});
