import { createHash } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, vi } from 'vitest';
import { canceledWith } from './errors.ts';
import { createMockedItems, type Query, type Write } from './mocked-items.ts';

/** A command that a client sent: its name without `Command`, and its input. */
export interface Sent {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: each command has an input of its own
  readonly input: any;
}

const conditionCode = 'ConditionalCheckFailed';

type Respond = (input: Sent['input']) => object;

/** Returns the error of a command; `undefined` lets it succeed. */
type Failure = (one: Sent) => Error | undefined | Promise<Error | undefined>;

/** Returns the writes of a transaction, each by its kind and key, such as `Put EMAIL#ann@example.com EMAIL`. */
const writesOf = ({ input }: Sent): string[] =>
  (input.TransactItems ?? [])
    .flatMap((write: object) => Object.entries<Write>(write as Record<string, Write>))
    .map(([kind, { Item, Key }]: [string, Write]) => {
      const { pk, sk } = Item ?? Key ?? {};
      return `${kind} ${pk} ${sk}`;
    });

/**
 * Fails the conditions of the writes that match, in every transaction or in the first `times`. `first` runs before,
 * such as what changes the item.
 */
export const failConditions = (
  pattern: RegExp,
  {
    times = Number.POSITIVE_INFINITY,
    first,
    item,
  }: {
    readonly times?: number;
    readonly first?: () => unknown;
    /** The item that the failed write met. */
    readonly item?: () => Record<string, unknown> | undefined;
  } = {},
): Failure => {
  let count = 0;
  return async (one) => {
    const codes = writesOf(one).map((write) => (pattern.test(write) ? conditionCode : 'None'));
    if (!codes.includes(conditionCode) || count++ >= times) return undefined;
    await first?.();
    return canceledWith(codes, item?.());
  };
};

/**
 * Mocks all AWS clients of this file. The table, the bucket, the queue and the mail accept each write, whatever its
 * conditions but that of a new item, and return what was written. They are empty at the start of each test.
 */
export const useMockedService = () => {
  const unmockedFetch = fetch;
  const items = createMockedItems();
  const objects = new Map<string, Uint8Array>();
  const sent: Sent[] = [];
  let failure: Failure | undefined;
  let replaced: Record<string, Respond> = {};

  const object = (Key: string) => {
    const bytes = objects.get(Key);
    if (bytes) return bytes;
    throw Object.assign(new Error('Not found'), { name: 'NoSuchKey', $metadata: {} });
  };
  const put = (Key: string, bytes: Uint8Array) => {
    objects.set(Key, bytes);
    return { ETag: '"etag"' };
  };
  const responses: Readonly<Record<string, Respond>> = {
    Get: ({ Key }) => ({ Item: items.get(Key) }),
    BatchGet: ({ RequestItems }) => {
      const [[table, { Keys }] = ['', { Keys: [] }]] = Object.entries<{ Keys: [] }>(RequestItems);
      return { Responses: { [table]: Keys.flatMap((key) => items.get(key) ?? []) } };
    },
    Query: (query: Query) => items.query(query),
    Scan: () => ({ Items: items.all() }),
    Put: (write: Write) => ({ Attributes: items.write(write) }),
    Update: (write: Write) => ({ Attributes: items.write(write) }),
    Delete: (write: Write) => ({ Attributes: items.write(write) }),
    TransactWrite: ({ TransactItems }: { TransactItems: Record<string, Write>[] }) => {
      const writes = TransactItems.flatMap((write) => Object.entries<Write>(write));
      // With a stopped clock, two ids are equal every now and then.
      const taken = writes.map(([, write]) => items.taken(write));
      const codes = taken.map((item) => (item ? conditionCode : 'None'));
      if (codes.includes(conditionCode)) throw canceledWith(codes, taken.find(Boolean));
      for (const [kind, write] of writes) if (kind !== 'ConditionCheck') items.write(write);
      return {};
    },
    BatchWrite: ({ RequestItems }) => {
      for (const { DeleteRequest } of Object.values<{ DeleteRequest: Write }[]>(
        RequestItems,
      ).flat())
        items.write(DeleteRequest);
      return {};
    },
    PutObject: ({ Key, Body }) => put(Key, Body),
    GetObject: ({ Key }) => {
      const bytes = object(Key);
      return { ContentLength: bytes.length, Body: { transformToByteArray: async () => bytes } };
    },
    HeadObject: ({ Key }) => ({ ContentLength: object(Key).length, ETag: '"etag"' }),
    CopyObject: ({ Key, CopySource }) => {
      const bytes = object(CopySource.slice(CopySource.indexOf('/') + 1));
      put(Key, bytes);
      const ChecksumSHA256 = createHash('sha256').update(bytes).digest('base64');
      return { CopyObjectResult: { ChecksumSHA256 } };
    },
    ListObjectsV2: ({ Prefix }) => ({
      Contents: [...objects]
        .filter(([key]) => key.startsWith(Prefix))
        .map(([Key, { length: Size }]) => ({ Key, Size, LastModified: new Date() })),
    }),
    DeleteObject: ({ Key }) => ({ isDeleted: objects.delete(Key) }),
    DeleteObjects: ({ Delete }: { readonly Delete: { readonly Objects: { Key: string }[] } }) => {
      for (const { Key } of Delete.Objects) objects.delete(Key);
      return {};
    },
    SendMessageBatch: ({ Entries }) => ({ Successful: Entries }),
  };

  const send = async (command: { readonly input: unknown }) => {
    const one = { name: command.constructor.name.replace(/Command$/, ''), input: command.input };
    sent.push(one);
    const error = await failure?.(one);
    if (error) throw error;
    return (replaced[one.name] ?? responses[one.name])?.(one.input) ?? {};
  };
  const clients = [DynamoDBDocumentClient, DynamoDBClient, S3Client, SQSClient, SESv2Client].map(
    (client) => mockClient(client as typeof S3Client),
  );

  const keep = (): (() => void) => {
    const [restoreItems, kept] = [items.keep(), [...objects]];
    return () => {
      restoreItems();
      objects.clear();
      for (const [key, bytes] of kept) objects.set(key, bytes);
    };
  };

  const clear = () => {
    items.clear();
    objects.clear();
    sent.length = 0;
  };
  beforeEach(() => {
    clear();
    failure = undefined;
    replaced = {};
    for (const client of clients) {
      client.reset();
      client.send.callsFake(send as never);
    }
    // Takes the place of a form that a browser sends to the bucket.
    vi.stubGlobal('fetch', async (url: string, options: RequestInit) => {
      const { body } = options;
      if (!(body instanceof FormData)) return unmockedFetch(url, options);
      put(String(body.get('key')), await (body.get('file') as Blob).bytes());
      return { status: 201 };
    });
    return () => void vi.unstubAllGlobals();
  });

  return {
    items,
    /** Returns what makes the table and the bucket as they are now. */
    keep,
    /** Replaces the response to a command in this test. */
    respond: (name: string, respond: Respond) => void Object.assign(replaced, { [name]: respond }),
    /** The commands sent so far, in their order. */
    sent,
    /** Runs an action and returns its result with the commands that it sent. */
    watch: async <Result>(
      act: () => Promise<Result>,
      fail?: Failure,
    ): Promise<{ readonly result: Result; readonly sent: readonly Sent[] }> => {
      const from = sent.length;
      failure = fail;
      try {
        return { result: await act(), sent: sent.slice(from) };
      } finally {
        failure = undefined;
      }
    },
  };
};
