import {
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  createTable,
  fulfilled,
  places,
  TableName,
  times,
  useStore,
} from '../../support/table/local-dynamodb.ts';

describe.each(places)('%s', (place) => {
  const store = useStore(place);

  describe('tables', () => {
    it('are ACTIVE when created, and listed', async () => {
      const { Table } = await store.client.send(new DescribeTableCommand({ TableName }));
      expect(Table).toMatchObject({
        TableStatus: 'ACTIVE',
        GlobalSecondaryIndexes: [{ IndexName: 'gsi1', IndexStatus: 'ACTIVE' }],
      });
      await createTable(store.client, 'another');
      const { TableNames } = await store.client.send(new ListTablesCommand({}));
      expect(TableNames).toEqual(['another', 'things']);
    });

    it('are created once', async () => {
      const results = await times(5, () => createTable(store.client, 'race'));
      expect(fulfilled(results)).toBe(1);
      await expect(createTable(store.client)).rejects.toMatchObject({
        name: 'ResourceInUseException',
      });
    });

    it('leave nothing behind when deleted', async () => {
      await store.items.put({ pk: 'a', gsi1pk: 'group', gsi1sk: '1' });
      await store.client.send(
        new UpdateTimeToLiveCommand({
          TableName,
          TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
        }),
      );
      await store.client.send(new DeleteTableCommand({ TableName }));
      await expect(store.items.get('a')).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
      await expect(store.client.send(new DeleteTableCommand({ TableName }))).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
      await createTable(store.client);
      expect((await store.items.scan()).Items).toEqual([]);
      expect((await store.items.scan({ IndexName: 'gsi1' })).Items).toEqual([]);
      const { TimeToLiveDescription } = await store.client.send(
        new DescribeTimeToLiveCommand({ TableName }),
      );
      expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'DISABLED' });
    });

    it('reject an empty string as index key', async () => {
      await expect(store.items.put({ pk: 'a', gsi1pk: '', gsi1sk: '1' })).rejects.toMatchObject({
        name: 'ValidationException',
        message: expect.stringContaining('IndexKey: gsi1pk'),
      });
    });
  });
});
