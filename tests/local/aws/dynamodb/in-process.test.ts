import {
  type AttributeValue,
  DynamoDBServiceException,
  ListTagsOfResourceCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  NumberValue,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DynamoDbEngine, startDynamoDb } from '../../../../infra/local/aws/dynamodb/engine.ts';
import {
  type Clients,
  clientsOf,
  createTable,
  errorOf,
  TableName,
} from '../../../support/table/local-dynamodb.ts';

/** Any command; the SDK’s types tell each apart. */
type Command = { readonly input: object };

let engine: DynamoDbEngine;
let byHttp: Clients;
let direct: Clients;

beforeAll(async () => {
  engine = await startDynamoDb({});
  byHttp = clientsOf(engine.endpoint);
  direct = clientsOf(engine.endpoint);
  engine.connect(direct.client);
  await createTable(byHttp.client);
});
afterAll(async () => {
  byHttp.client.destroy();
  direct.client.destroy();
  await engine.close();
});

const key = { pk: 'value', sk: '1' };

/** Returns what a client sees of a command: the output or the error, without what tells requests apart. */
const outcomeOf = async (doc: DynamoDBDocumentClient, command: Command): Promise<object> => {
  try {
    const { $metadata: _, ...output } = await doc.send(command as GetCommand);
    return output;
  } catch (error) {
    if (!(error instanceof DynamoDBServiceException)) {
      return { error: error instanceof Error ? error.message : error };
    }
    const { $metadata, $response: _, ...fields } = error;
    const { name, message } = error;
    const Class = error.constructor.name;
    return { ...fields, name, message, Class, status: $metadata.httpStatusCode };
  }
};

class Point {
  x = 1;
}

const values: Record<string, unknown> = {
  undefined: undefined,
  null: null,
  'an empty string': '',
  'a boolean': false,
  'an unsafe number': 2 ** 53,
  'an unsafe negative number': -(2 ** 53),
  NaN: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  'a tiny number': 1e-130,
  'a number that is too small': 1e-200,
  'a fraction': 0.1,
  'negative zero': -0,
  'a bigint': 12_345_678_901_234_567_890n,
  'a bigint of 39 digits': 10n ** 38n + 1n,
  'a wrapped number': NumberValue.from('1.50'),
  'a wrapped text that is no number': NumberValue.from('one'),
  bytes: new Uint8Array([0, 255]),
  'no bytes': new Uint8Array(0),
  'a buffer': Buffer.from('text'),
  'an empty set': new Set(),
  'a set of texts': new Set(['a', 'b']),
  'a set of numbers': new Set([1, 2.5]),
  'a set of bytes': new Set([new Uint8Array([1])]),
  'a set of equal bytes': new Set([new Uint8Array([1]), new Uint8Array([1])]),
  'a set with undefined': new Set(['a', undefined]),
  'a mixed set': new Set(['a', 1]),
  'a set of objects': new Set([{}]),
  'a list': [1, 'a', [null]],
  'a list with undefined': [1, undefined],
  'an empty list': [],
  'a map': { a: { b: 1 } },
  'a map with undefined': { a: undefined },
  'a Map': new Map([['a', 1]]),
  'an object without prototype': Object.assign(Object.create(null), { a: 1 }),
  'a class instance': new Point(),
  'a date': new Date(0),
  'a function': () => 1,
  'a symbol in a list': [Symbol('a').description],
  'a name like a property of objects': { constructor: 1, toString: 'x' },
  'text in any script': 'é 中 😀 \0',
  'too much text': 'x'.repeat(410_000),
};

describe.each([{}, { removeUndefinedValues: true }, { convertClassInstanceToMap: true }])(
  'with %o',
  (marshallOptions) => {
    it.each(Object.entries(values))('stores or refuses %s as over HTTP', async (_name, x) => {
      const outcomes = [];
      for (const { client } of [byHttp, direct]) {
        const doc = DynamoDBDocumentClient.from(client, { marshallOptions });
        await doc.send(new DeleteCommand({ TableName, Key: key }));
        const put = await outcomeOf(doc, new PutCommand({ TableName, Item: { ...key, x } }));
        const read = await outcomeOf(byHttp.doc, new GetCommand({ TableName, Key: key }));
        const got = await outcomeOf(doc, new GetCommand({ TableName, Key: key }));
        expect(got).toEqual(read);
        outcomes.push({ put, read });
      }
      expect(outcomes[1]).toEqual(outcomes[0]);
    });
  },
);

const indexed = { gsi1pk: 'group', gsi1sk: '1', bytes: new Uint8Array([1]), n: 1 };
const failing = {
  ConditionExpression: 'n > :n',
  ExpressionAttributeValues: { ':n': 5 },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
} as const;
const groupOf = {
  KeyConditionExpression: 'gsi1pk = :group',
  ExpressionAttributeValues: { ':group': 'group' },
};
const capacity = { ReturnConsumedCapacity: 'INDEXES' } as const;

/** Commands in order: each is sent by both ways to the same items. */
const commands: Record<string, (other: string) => Command> = {
  put: (sk) =>
    new PutCommand({ TableName, Item: { pk: 'p', sk, ...indexed }, ReturnValues: 'ALL_OLD' }),
  'put again': (sk) =>
    new PutCommand({
      TableName,
      Item: { pk: 'p', sk, ...indexed, n: 2 },
      ReturnValues: 'ALL_OLD',
      ...capacity,
    }),
  get: (sk) => new GetCommand({ TableName, Key: { pk: 'p', sk }, ...capacity }),
  'get nothing': () => new GetCommand({ TableName, Key: { pk: 'none', sk: '1' } }),
  query: () =>
    new QueryCommand({ TableName, IndexName: 'gsi1', ...groupOf, ...capacity, Limit: 1 }),
  count: () => new QueryCommand({ TableName, IndexName: 'gsi1', ...groupOf, Select: 'COUNT' }),
  scan: (sk) =>
    new ScanCommand({
      TableName,
      FilterExpression: 'sk = :sk AND n = :n',
      ExpressionAttributeValues: { ':sk': sk, ':n': 2 },
    }),
  update: (sk) =>
    new UpdateCommand({
      TableName,
      Key: { pk: 'p', sk },
      UpdateExpression: 'ADD n :one SET #list = :list REMOVE bytes',
      ExpressionAttributeNames: { '#list': 'list' },
      ExpressionAttributeValues: { ':one': 1, ':list': [new Set(['a'])] },
      ReturnValues: 'ALL_NEW',
      ...capacity,
    }),
  'batch get': (sk) =>
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [{ pk: 'p', sk }] } } }),
  'batch write': () =>
    new BatchWriteCommand({
      RequestItems: { [TableName]: [{ PutRequest: { Item: { pk: 'b', sk: '1' } } }] },
      ...capacity,
    }),
  'transact get': (sk) =>
    new TransactGetCommand({
      TransactItems: [
        { Get: { TableName, Key: { pk: 'p', sk } } },
        { Get: { TableName, Key: { pk: 'none', sk } } },
      ],
    }),
  'transact write': (sk) =>
    new TransactWriteCommand({
      TransactItems: [{ Put: { TableName, Item: { pk: 't', sk, ...indexed } } }],
      ...capacity,
    }),
  'a failed condition': (sk) =>
    new UpdateCommand({
      TableName,
      Key: { pk: 't', sk },
      UpdateExpression: 'REMOVE n',
      ...failing,
    }),
  'a canceled transaction': (sk) =>
    new TransactWriteCommand({
      TransactItems: [
        { Delete: { TableName, Key: { pk: 'p', sk } } },
        { Delete: { TableName, Key: { pk: 't', sk }, ...failing } },
        { Put: { TableName, Item: { pk: 't', sk: '' } } },
      ],
    }),
  'a missing table': () => new GetCommand({ TableName: 'nowhere', Key: key }),
  'a wrong key': () => new GetCommand({ TableName, Key: { pk: 'p' } }),
  'an unknown index': () => new QueryCommand({ TableName, IndexName: 'other', ...groupOf }),
  'a reserved word': () => new ScanCommand({ TableName, ProjectionExpression: 'name' }),
  'an unused value': () =>
    new ScanCommand({
      TableName,
      FilterExpression: 'attribute_exists(n)',
      ExpressionAttributeValues: { ':n': 1 },
    }),
  'an invalid number of items': () => new TransactGetCommand({ TransactItems: [] }),
  'an invalid setting': () =>
    new ScanCommand({ TableName, Limit: 0, Select: 'NOTHING' as 'COUNT' }),
  delete: (sk) => new DeleteCommand({ TableName, Key: { pk: 'p', sk }, ReturnValues: 'ALL_OLD' }),
};

describe('commands', () => {
  const sendAll = async ({ doc }: Clients): Promise<Record<string, unknown>> => {
    const outcomes: Record<string, unknown> = {};
    for (const [name, create] of Object.entries(commands)) {
      outcomes[name] = await outcomeOf(doc, create('1'));
    }
    await doc.send(new DeleteCommand({ TableName, Key: { pk: 't', sk: '1' } }));
    await doc.send(new DeleteCommand({ TableName, Key: { pk: 'b', sk: '1' } }));
    return outcomes;
  };

  it('have the same outputs and errors as over HTTP', async () => {
    const expected = await sendAll(byHttp);
    const outcomes = await sendAll(direct);
    expect(outcomes).toEqual(expected);
    const errors = Object.values(outcomes).filter((outcome) => 'Class' in (outcome as object));
    expect(errors).toHaveLength(9);
  });

  it('keep the bytes of a client without documents', async () => {
    const Item: Record<string, AttributeValue> = {
      pk: { S: 'plain' },
      sk: { S: '1' },
      b: { B: new Uint8Array([1, 2]) },
      bs: { BS: [new Uint8Array([3])] },
    };
    await direct.client.send(new PutItemCommand({ TableName, Item }));
    const command = { TableName, Item, ReturnValues: 'ALL_OLD' } as const;
    const { Attributes } = await direct.client.send(new PutItemCommand(command));
    expect(Attributes).toEqual(Item);
    expect((await byHttp.client.send(new PutItemCommand(command))).Attributes).toEqual(Item);
  });

  it('are not sent after an abort', async () => {
    const abortSignal = AbortSignal.abort();
    for (const { doc } of [byHttp, direct]) {
      const item = { ...key, pk: 'aborted' };
      const error = await errorOf(
        doc.send(new PutCommand({ TableName, Item: item }), { abortSignal }),
      );
      expect(error).toMatchObject({ name: 'AbortError' });
      expect((await byHttp.doc.send(new GetCommand({ TableName, Key: item }))).Item).toBe(
        undefined,
      );
    }
  });

  it('that are not supported name themselves', async () => {
    const ResourceArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/things';
    await expect(
      direct.client.send(new ListTagsOfResourceCommand({ ResourceArn })),
    ).rejects.toThrow('ListTagsOfResource is not supported locally');
  });
});

it('global indexes can be held back', async () => {
  const { doc } = direct;
  const item = { pk: 'held', sk: '1', gsi1pk: 'held', gsi1sk: '1' };
  const count = async () => {
    const query = { ...groupOf, ExpressionAttributeValues: { ':group': 'held' } };
    return (await doc.send(new QueryCommand({ TableName, IndexName: 'gsi1', ...query }))).Count;
  };
  const applyIndexes = engine.holdIndexes();
  await doc.send(new PutCommand({ TableName, Item: item }));
  expect(await count()).toBe(0);
  await applyIndexes();
  expect(await count()).toBe(1);
});
