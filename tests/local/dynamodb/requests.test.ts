import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { signAgain } from '../../support/aws/sign-again.ts';
import { places, TableName, useStore } from '../../support/table/local-dynamodb.ts';

describe.each(places)('%s', (place) => {
  const store = useStore(place);

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
