import { BatchWriteCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { places, TableName, times, useStore } from '../../support/table/local-dynamodb.ts';

describe.each(places)('%s', (place) => {
  const store = useStore(place);

  describe('TransactGetItems', () => {
    const get = (pk: string, more: object = {}) => ({
      Get: { TableName, Key: { pk, sk: '1' }, ...more },
    });

    it('returns items and gaps by position', async () => {
      await store.items.put({ pk: 'a', x: 1, y: 2 });
      const { Responses, ConsumedCapacity } = await store.doc.send(
        new TransactGetCommand({
          TransactItems: [get('none'), get('a', { ProjectionExpression: 'x' })],
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      expect(Responses).toEqual([{}, { Item: { x: 1 } }]);
      expect(ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }]);
    });

    it('rejects a repeated item, 101 items and unknown tables', async () => {
      const send = (TransactItems: ReturnType<typeof get>[]) =>
        store.doc.send(new TransactGetCommand({ TransactItems }));
      const many = Array.from({ length: 101 }, (_, index) => get(`many${index}`));
      await expect(send([get('a'), get('a')])).rejects.toThrow('multiple operations on one item');
      await expect(send(many)).rejects.toThrow('less than or equal to 100');
      await expect(send([get('a', { TableName: 'nowhere' })])).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
    });
  });

  describe('queries', () => {
    it('return each item of an index once, forwards and backwards', async () => {
      await times(25, (index) =>
        store.items.put({ pk: `p${index}`, gsi1pk: 'group', gsi1sk: 'same' }),
      );
      for (const ScanIndexForward of [true, false]) {
        const seen: unknown[] = [];
        let start: Record<string, unknown> | undefined;
        do {
          const page = await store.items.group({
            Limit: 7,
            ScanIndexForward,
            ...(start && { ExclusiveStartKey: start }),
          });
          seen.push(...(page.Items ?? []).map(({ pk }) => pk));
          start = page.LastEvaluatedKey;
        } while (start);
        expect(seen.toSorted()).toEqual(Array.from({ length: 25 }, (_, i) => `p${i}`).toSorted());
      }
    });

    it('return items and index entries of a batch write together', async () => {
      await store.doc.send(
        new BatchWriteCommand({
          RequestItems: {
            [TableName]: Array.from({ length: 25 }, (_, index) => ({
              PutRequest: {
                Item: { pk: `b${index}`, sk: '1', gsi1pk: 'batch', gsi1sk: `${index}` },
              },
            })),
          },
        }),
      );
      const index = await store.items.scan({ IndexName: 'gsi1' });
      const table = await store.items.scan();
      expect(index.Count).toBe(25);
      expect(table.Count).toBe(25);
    });
  });
});
