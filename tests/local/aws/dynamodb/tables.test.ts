import { once } from 'node:events';
import { connect } from 'node:net';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { signAgain } from '../../../support/aws/sign-again.ts';
import {
  createTable,
  fulfilled,
  places,
  TableName,
  times,
  useStore,
} from '../../../support/table/local-dynamodb.ts';

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

  describe('time to live', () => {
    const now = Date.UTC(2030, 0, 1);
    const seconds = now / 1000;
    const setTtl = (Enabled: boolean, AttributeName = 'ttl') =>
      store.client.send(
        new UpdateTimeToLiveCommand({
          TableName,
          TimeToLiveSpecification: { Enabled, AttributeName },
        }),
      );
    const described = async () =>
      (await store.client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription;
    const remaining = async () =>
      ((await store.items.scan()).Items ?? []).map(({ pk }) => pk).sort();

    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'], now });
    });

    it('is described, enabled and disabled', async () => {
      expect(await described()).toEqual({ TimeToLiveStatus: 'DISABLED' });
      await setTtl(true);
      expect(await described()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
      await expect(setTtl(true)).rejects.toThrow('TimeToLive is already enabled');
      await expect(setTtl(false, 'other')).rejects.toThrow('different AttributeName');
      await setTtl(false);
      await expect(setTtl(false)).rejects.toThrow('TimeToLive is already disabled');
      expect(await described()).toEqual({ TimeToLiveStatus: 'DISABLED' });
    });

    it('deletes only expired store.items, also from the index', async () => {
      await setTtl(true);
      const fiveYears = 5 * 365 * 24 * 60 * 60;
      await store.items.put({ pk: 'expired', ttl: seconds - 1, gsi1pk: 'group', gsi1sk: '1' });
      await store.items.put({ pk: 'now', ttl: seconds });
      await store.items.put({ pk: 'later', ttl: seconds + 1 });
      await store.items.put({ pk: 'text', ttl: String(seconds - 1) });
      await store.items.put({ pk: 'nested', inner: { ttl: seconds - 1 } });
      await store.items.put({ pk: 'ancient', ttl: seconds - fiveYears });
      await store.items.put({ pk: 'without' });
      await store.engine.sweep();
      expect(await remaining()).toEqual(['ancient', 'later', 'nested', 'now', 'text', 'without']);
      const index = await store.items.scan({ IndexName: 'gsi1' });
      expect(index.Items).toEqual([]);

      vi.setSystemTime(now + 2000);
      await store.engine.sweep();
      expect(await remaining()).toEqual(['ancient', 'nested', 'text', 'without']);
    });

    it('keeps an item that is renewed during the sweep', async () => {
      await setTtl(true);
      await times(100, (index) => store.items.put({ pk: `item${index}`, ttl: seconds - 1 }));
      const renewals = times(100, (index) =>
        store.items.update({
          Key: { pk: `item${index}`, sk: '1' },
          UpdateExpression: 'SET #ttl = :later',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':later': seconds + 100 },
        }),
      );
      await store.engine.sweep();
      const renewed = fulfilled(await renewals);
      expect(await remaining()).toHaveLength(renewed);
    });

    it('does nothing on a table where it is disabled', async () => {
      await setTtl(true);
      await setTtl(false);
      await store.items.put({ pk: 'expired', ttl: seconds - 1 });
      await store.engine.sweep();
      expect(await remaining()).toEqual(['expired']);
    });
  });

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

  describe('invalid requests', () => {
    const call = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.PutItem',
    };
    const send = async (body: string, headers: Record<string, string> = {}) => {
      const { host } = new URL(store.engine.endpoint);
      const signed = await signAgain({ host, ...call, ...headers }, Buffer.from(body));
      const { host: _, ...rest } = signed as Record<string, string>;
      return fetch(store.engine.endpoint, { method: 'POST', body, headers: rest });
    };
    const key = { pk: { S: 'a' }, sk: { S: '1' } };
    const nested = (depth: number): string =>
      `${'{"M":{"m":'.repeat(depth)}{"S":""}${'}}'.repeat(depth)}`;
    const bodies: Record<string, string> = {
      nothing: '',
      'no JSON': '{"TableName":',
      'JSON that is no object': '[1]',
      null: 'null',
      'an empty object': '{}',
      'a number for the table': '{"TableName":1}',
      'null for an attribute': JSON.stringify({ TableName, Item: { ...key, x: null }, Key: key }),
      'a list for an attribute': JSON.stringify({ TableName, Item: { ...key, x: [] }, Key: [] }),
      'an attribute without type': JSON.stringify({ TableName, Item: { ...key, x: {} } }),
      'a number that is none': JSON.stringify({ TableName, Item: { ...key, x: { N: 'x' } } }),
      'null in a list': JSON.stringify({ TableName, Item: { ...key, x: { L: [null] } } }),
      'null in a set': JSON.stringify({ TableName, Item: { ...key, x: { NS: [null] } } }),
      'null among names and values': JSON.stringify({
        TableName,
        Item: key,
        Key: key,
        ConditionExpression: '#a = :a',
        ExpressionAttributeNames: { '#a': null },
        ExpressionAttributeValues: { ':a': null },
      }),
      'an expression that does not end': JSON.stringify({
        TableName,
        Item: key,
        Key: key,
        ConditionExpression: '((',
      }),
      'null among transaction items': '{"TransactItems":[null]}',
      'null in a transaction item': '{"TransactItems":[{"Put":null,"Get":null}]}',
      'an empty operation': '{"TransactItems":[{"Put":{},"Get":{}}]}',
      'text for the items': '{"TransactItems":"x","RequestItems":"x"}',
      'null for a table’s requests': `{"RequestItems":{"${TableName}":null}}`,
      'null among a table’s requests': `{"RequestItems":{"${TableName}":[null]}}`,
      'a prototype': `{"TableName":"${TableName}","Item":{"__proto__":{"S":"x"}},"Key":{"__proto__":null}}`,
    };
    const operations = [
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'GetItem',
      'Query',
      'BatchWriteItem',
      'BatchGetItem',
      'TransactWriteItems',
      'TransactGetItems',
      'CreateTable',
      'DescribeTable',
      'UpdateTimeToLive',
    ];

    it.each(Object.entries(bodies))('rejects %s', async (_name, body) => {
      for (const operation of operations) {
        const response = await send(body, { 'x-amz-target': `DynamoDB_20120810.${operation}` });
        const text = await response.text();
        // Some operations accept a body because they ignore its invalid part.
        expect([200, 400], `${operation}: ${text}`).toContain(response.status);
        expect(JSON.parse(text)).toBeTypeOf('object');
        if (response.status === 400) expect(JSON.parse(text).__type).toMatch(/#\w+Exception$/);
      }
      expect(await store.items.get('alive')).toBeUndefined();
    });

    it('rejects deeply nested values without a crash', async () => {
      const item = `{"pk":{"S":"a"},"sk":{"S":"1"},"deep":${nested(50_000)}}`;
      const response = await send(`{"TableName":"${TableName}","Item":${item}}`);
      expect(response.status).toBe(400);
    });

    it('rejects unknown operations', async () => {
      const response = await send('{}', { 'x-amz-target': 'DynamoDB_20120810.ExecuteStatement' });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        __type: 'com.amazon.coral.service#UnknownOperationException',
      });
    });

    it('rejects more than 16 MB', async () => {
      const { status } = await send('x'.repeat(16 * 1024 * 1024 + 1));
      expect(status).toBe(413);
      expect(await store.items.get('alive')).toBeUndefined();
    });

    it('rejects web pages by credentials, CORS and host name', async () => {
      const unsigned = await fetch(store.engine.endpoint, {
        method: 'POST',
        body: '{}',
        headers: call,
      });
      expect(unsigned.status).toBe(403);
      expect(await unsigned.json()).toMatchObject({
        __type: 'com.amazon.coral.service#MissingAuthenticationTokenException',
      });
      const preflight = await fetch(store.engine.endpoint, {
        method: 'OPTIONS',
        headers: { origin: 'https://example.com' },
      });
      expect(preflight.headers.get('access-control-allow-origin')).toBe(null);
      const socket = connect(Number(new URL(store.engine.endpoint).port), '127.0.0.1');
      socket.end('POST / HTTP/1.1\r\nHost: example.com\r\nContent-Length: 0\r\n\r\n');
      const [response] = await once(socket, 'data');
      expect(String(response)).toMatch(/^HTTP\/1\.1 421 /);
      socket.destroy();
    });
  });
});
