import {
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createTable,
  fulfilled,
  openStore,
  places,
  type Store,
  TableName,
  times,
} from '../../support/table/local-dynamodb.ts';

describe.each(places)('%s', (place) => {
  let store: Store;
  let client: DynamoDBClient;
  let doc: DynamoDBDocumentClient;
  let items: Store['items'];

  beforeEach(async () => {
    store = await openStore(place);
    ({ client, doc, items } = store);
  });

  afterEach(async () => {
    await store.close();
  });

  describe('tables', () => {
    it('are ACTIVE when created, and listed', async () => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      expect(Table).toMatchObject({
        TableStatus: 'ACTIVE',
        GlobalSecondaryIndexes: [{ IndexName: 'gsi1', IndexStatus: 'ACTIVE' }],
      });
      await createTable(client, 'another');
      const { TableNames } = await client.send(new ListTablesCommand({}));
      expect(TableNames).toEqual(['another', 'things']);
    });

    it('are created once', async () => {
      const results = await times(5, () => createTable(client, 'race'));
      expect(fulfilled(results)).toBe(1);
      await expect(createTable(client)).rejects.toMatchObject({ name: 'ResourceInUseException' });
    });

    it('leave nothing behind when deleted', async () => {
      await items.put({ pk: 'a', gsi1pk: 'group', gsi1sk: '1' });
      await client.send(
        new UpdateTimeToLiveCommand({
          TableName,
          TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
        }),
      );
      await client.send(new DeleteTableCommand({ TableName }));
      await expect(items.get('a')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
      await expect(client.send(new DeleteTableCommand({ TableName }))).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
      await createTable(client);
      expect((await doc.send(new ScanCommand({ TableName }))).Items).toEqual([]);
      expect((await doc.send(new ScanCommand({ TableName, IndexName: 'gsi1' }))).Items).toEqual([]);
      const { TimeToLiveDescription } = await client.send(
        new DescribeTimeToLiveCommand({ TableName }),
      );
      expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'DISABLED' });
    });

    it('reject an empty string as index key', async () => {
      await expect(items.put({ pk: 'a', gsi1pk: '', gsi1sk: '1' })).rejects.toMatchObject({
        name: 'ValidationException',
        message: expect.stringContaining('IndexKey: gsi1pk'),
      });
    });
  });
});
