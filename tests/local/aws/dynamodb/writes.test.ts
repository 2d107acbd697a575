import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import {
  errorOf,
  fulfilled,
  increment,
  places,
  reasonsOf,
  TableName,
  times,
  useStore,
} from '../../../support/table/local-dynamodb.ts';

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

  describe('TransactWriteItems', () => {
    it('applies Put, Update, Delete and ConditionCheck together, indexes included', async () => {
      await store.items.put({ pk: 'gone', gsi1pk: 'group', gsi1sk: 'gone' });
      await store.items.put({ pk: 'checked' });
      await store.items.transact([
        { Put: { TableName, Item: { pk: 'put', sk: '1', gsi1pk: 'group', gsi1sk: 'put' } } },
        { Update: increment('updated') },
        { Delete: { TableName, Key: { pk: 'gone', sk: '1' } } },
        {
          ConditionCheck: {
            TableName,
            Key: { pk: 'checked', sk: '1' },
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
      ]);
      const group = await store.items.group();
      expect(group.Items).toEqual([{ pk: 'put', sk: '1', gsi1pk: 'group', gsi1sk: 'put' }]);
      expect(await store.items.get('updated')).toEqual({ pk: 'updated', sk: '1', n: 1 });
      expect(await store.items.get('gone')).toBeUndefined();
      expect(await store.items.get('checked')).toEqual({ pk: 'checked', sk: '1' });
    });

    it('returns a reason per position, with the old item if requested', async () => {
      await store.items.put({ pk: 'taken', owner: 'ann' });
      await store.items.put({ pk: 'text', n: 'not a number' });
      const taken = (more: object) => ({
        Put: {
          TableName,
          Item: { pk: 'taken', sk: '1', owner: 'bob' },
          ConditionExpression: 'attribute_not_exists(pk)',
          ...more,
        },
      });
      const reasons = await reasonsOf(
        store.items.transact([
          { Update: increment('counter') },
          taken({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
          { Update: increment('text') },
          {
            Delete: {
              TableName,
              Key: { pk: 'missing', sk: '1' },
              ConditionExpression: 'attribute_exists(pk)',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
        ]),
      );
      expect(reasons).toEqual([
        { Code: 'None' },
        {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          Item: { pk: { S: 'taken' }, sk: { S: '1' }, owner: { S: 'ann' } },
        },
        {
          Code: 'ValidationError',
          Message: 'An operand in the update expression has an incorrect data type',
        },
        { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      ]);
      expect(await store.items.get('counter')).toBeUndefined();
      expect(await store.items.get('taken')).toEqual({ pk: 'taken', sk: '1', owner: 'ann' });
      expect(await reasonsOf(store.items.transact([taken({})]))).toEqual([
        { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      ]);
    });

    it('names the codes in the message', async () => {
      const check = {
        TableName,
        Key: { pk: 'a', sk: '1' },
        ConditionExpression: 'attribute_exists(pk)',
      };
      await expect(
        store.items.transact([{ Update: increment('b') }, { ConditionCheck: check }]),
      ).rejects.toThrow(
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]',
      );
    });

    it('does not repeat a known token, and rejects another request with it', async () => {
      const once = () =>
        store.items.transact([{ Update: increment('counter') }], { ClientRequestToken: 'token' });
      await once();
      await once();
      await Promise.all([once(), once()]);
      expect(await store.items.get('counter')).toEqual({ pk: 'counter', sk: '1', n: 1 });
      await expect(
        store.items.transact([{ Update: increment('other') }], { ClientRequestToken: 'token' }),
      ).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
    });

    it('runs requests with one token once, also concurrently', async () => {
      await times(10, () =>
        store.items.transact([{ Update: increment('counter') }], {
          ClientRequestToken: 'together',
        }),
      );
      expect(await store.items.get('counter')).toEqual({ pk: 'counter', sk: '1', n: 1 });
    });

    it('accepts one of several concurrent requests with one token', async () => {
      const results = await times(10, (index) =>
        store.items.transact([{ Update: increment(`counter${index}`) }], {
          ClientRequestToken: 'token',
        }),
      );
      expect(fulfilled(results)).toBe(1);
      expect((await store.items.scan()).Count).toBe(1);
    });

    it('expires a token after ten minutes', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const once = () =>
        store.items.transact([{ Update: increment('counter') }], { ClientRequestToken: 'token' });
      await once();
      vi.setSystemTime(Date.now() + 10 * 60 * 1000 - 1);
      await once();
      expect(await store.items.get('counter')).toMatchObject({ n: 1 });
      vi.setSystemTime(Date.now() + 1);
      await once();
      expect(await store.items.get('counter')).toMatchObject({ n: 2 });
    });

    it('stores no token of a canceled transaction', async () => {
      const limited = () =>
        store.items.transact([{ Update: increment('counter', 1) }], {
          ClientRequestToken: 'token',
        });
      await store.items.put({ pk: 'counter', n: 1 });
      await expect(limited()).rejects.toThrow('ConditionalCheckFailed');
      await store.items.put({ pk: 'counter', n: 0 });
      await limited();
      expect(await store.items.get('counter')).toMatchObject({ n: 1 });
    });

    it('accepts 100 items and rejects 101', async () => {
      const puts = (count: number) =>
        Array.from({ length: count }, (_, index) => ({
          Put: { TableName, Item: { pk: `many${count}`, sk: String(index) } },
        }));
      const count = async (pk: string) =>
        (
          await store.items.query({
            Select: 'COUNT',
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': pk },
          })
        ).Count;
      await store.items.transact(puts(100));
      await expect(store.items.transact(puts(101))).rejects.toMatchObject({
        name: 'ValidationException',
      });
      expect(await count('many100')).toBe(100);
      expect(await count('many101')).toBe(0);
    });

    it('rejects more than 4 MB, and an item of more than 400 KB in UTF-8', async () => {
      const puts = (count: number, content: string) =>
        Array.from({ length: count }, (_, index) => ({
          Put: { TableName, Item: { pk: 'big', sk: String(index), content } },
        }));
      await store.items.transact(puts(10, 'x'.repeat(400_000)));
      await expect(store.items.transact(puts(11, 'y'.repeat(400_000)))).rejects.toMatchObject({
        name: 'ValidationException',
      });
      const reasons = await reasonsOf(store.items.transact(puts(1, 'é'.repeat(300_000))));
      expect(reasons?.[0]).toMatchObject({ Code: 'ValidationError' });
      await expect(
        store.items.put({ pk: 'big', content: 'é'.repeat(300_000) }),
      ).rejects.toMatchObject({
        name: 'ValidationException',
      });
      expect(await store.items.get('big', '0')).toMatchObject({ content: 'x'.repeat(400_000) });
    });

    it('rejects two operations on one item, an empty list and mixed operations', async () => {
      const refused = async (
        transactItems: Parameters<typeof store.items.transact>[0],
        message: string,
      ) =>
        expect(await errorOf(store.items.transact(transactItems))).toMatchObject({
          name: 'ValidationException',
          message: expect.stringContaining(message),
        });
      const Delete = { TableName, Key: { pk: 'a', sk: '1' } };
      await refused([{ Update: increment('a') }, { Delete }], 'multiple operations on one item');
      await refused([], 'Member must have length greater than or equal to 1');
      await refused([{ Update: increment('a'), Delete }], 'can only contain one of');
      await refused([{}], 'can only contain one of');
      expect(await store.items.get('a')).toBeUndefined();
    });

    it('rejects requests with unknown tables, reserved words or unused values', async () => {
      const update = (more: object) =>
        store.items.transact([{ Update: { ...increment('a'), ...more } }]);
      await expect(update({ TableName: 'nowhere' })).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
      await expect(update({ UpdateExpression: 'SET name = :one' })).rejects.toMatchObject({
        name: 'ValidationException',
      });
      await expect(update({ UpdateExpression: 'REMOVE a' })).rejects.toMatchObject({
        name: 'ValidationException',
      });
    });

    it('returns a reason for a key that does not match the table', async () => {
      const Key = { pk: 'a' };
      expect(
        await reasonsOf(
          store.items.transact([{ Update: increment('b') }, { Delete: { TableName, Key } }]),
        ),
      ).toEqual([
        { Code: 'None' },
        {
          Code: 'ValidationError',
          Message: 'The provided key element does not match the schema',
        },
      ]);
    });

    it('charges two units per KB of the larger of old and new item', async () => {
      const capacity = async (TransactItems: Parameters<typeof store.items.transact>[0]) =>
        (await store.items.transact(TransactItems, { ReturnConsumedCapacity: 'TOTAL' }))
          .ConsumedCapacity;
      const put = (content: string) => ({
        Put: { TableName, Item: { pk: 'charged', sk: '1', content } },
      });
      const units = (count: number) => [
        { TableName, CapacityUnits: count, WriteCapacityUnits: count },
      ];
      expect(await capacity([put('small')])).toEqual(units(2));
      expect(await capacity([put('é'.repeat(600))])).toEqual(units(4));
      expect(await capacity([put('x'.repeat(2900))])).toEqual(units(6));
      expect(await capacity([put('small again'), { Update: increment('n') }])).toEqual(units(8));
      expect((await store.items.transact([put('unasked')])).ConsumedCapacity).toBeUndefined();
    });

    it('charges read units for a repeated request', async () => {
      const once = () =>
        store.items.transact(
          [{ Put: { TableName, Item: { pk: 'a', sk: '1', x: 'x'.repeat(3000) } } }],
          {
            ClientRequestToken: 'token',
            ReturnConsumedCapacity: 'TOTAL',
          },
        );
      expect((await once()).ConsumedCapacity).toMatchObject([{ WriteCapacityUnits: 6 }]);
      expect((await once()).ConsumedCapacity).toEqual([
        { TableName, CapacityUnits: 2, ReadCapacityUnits: 2 },
      ]);
    });
  });
});
