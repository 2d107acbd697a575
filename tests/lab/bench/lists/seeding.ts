import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DeleteTableCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
  GetCommand,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import * as users from '../../../../functions/api/users/record/users.ts';
import { ensureTable } from '../../../../infra/local/table.ts';
import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { pickShards } from '../../../../shared/counters/counter.ts';
import { counterKeys } from '../../../../shared/counters/keys.ts';
import { batchGet, documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import { type Key, schema } from '../../../../shared/db/key.ts';
import { transact, type Write } from '../../../../shared/db/transaction.ts';
import { backOff } from '../../../../shared/runtime/backoff.ts';
import { progressBar } from '../support/progress-bar.ts';
import { itemsOf, passwordHash, seedUser, smallestSize } from './seed-users.ts';

/** Progress of seeding, stored in the table, so that an interrupted run can continue. */
interface Progress {
  /** Identifies the seeded data. */
  readonly shape: string;
  /** Number of seeded users. */
  readonly users: number;
  /** Time spent, over all runs. */
  readonly seedingMs: number;
  /** The totals are complete too. */
  readonly isWhole: boolean;
}

type BatchItems = NonNullable<BatchWriteCommandInput['RequestItems']>;

const progressKey: Key = { pk: 'SEED', sk: 'PROGRESS' };
/** Users between two updates of the progress. */
const stepUsers = 500;
/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const batchLimit = 25;
const batchesAtOnce = 8;
const maxTries = 8;

const callerEmail = 'caller@example.com';

/** Every name and role is among the first users. */
const shapeOf = (size: number): string => {
  const first = Array.from({ length: smallestSize - 1 }, (_, at) => seedUser(at + 1, size));
  return createHash('sha256')
    .update(JSON.stringify(first.map(itemsOf)))
    .digest('hex')
    .slice(0, 16);
};

const readProgress = async (): Promise<Progress | undefined> => {
  const { Item } = await documentClient().send(
    new GetCommand({ TableName: tableName(), Key: progressKey, ConsistentRead: true }),
  );
  return Item as Progress | undefined;
};

const writeBatch = async (items: readonly object[]): Promise<void> => {
  let RequestItems: BatchItems = {
    [tableName()]: items.map((Item) => ({ PutRequest: { Item: { ...Item } } })),
  };
  for (let attempt = 1; attempt <= maxTries; attempt++) {
    const response: BatchWriteCommandOutput = await documentClient().send(
      new BatchWriteCommand({ RequestItems }),
    );
    RequestItems = response.UnprocessedItems ?? {};
    if (Object.keys(RequestItems).length === 0) return;
    await backOff(attempt);
  }
  throw new Error(`${tableName()} kept leaving items unwritten`);
};

const writeAll = async (items: readonly object[]): Promise<void> => {
  let at = 0;
  const writer = async () => {
    while (at < items.length) {
      const batch = items.slice(at, at + batchLimit);
      at += batchLimit;
      await writeBatch(batch);
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, writer));
};

/** Returns the shards after `size` registrations, each set to its count. */
const totals = (size: number): Record<string, Write> => {
  const shards = new Map<string, { readonly key: Key; readonly count: number }>();
  for (let n = 0; n < size; n++) {
    const key = counterKeys.total.at({ shard: pickShards()(1) });
    shards.set(key.pk, { key, count: (shards.get(key.pk)?.count ?? 0) + 1 });
  }
  return Object.fromEntries(
    [...shards].map(([name, { key, count }]) => [
      name,
      { Put: { TableName: tableName(), Item: { ...key, users: count } } },
    ]),
  );
};

/** Creates the calling administrator through the service, and compares the seeded items with its writes. */
const ensureCaller = async (): Promise<StoredUser> => {
  const known = await users.findByEmail(callerEmail);
  if (known) return known;
  const client = await users.create(
    {
      email: callerEmail,
      name: 'Olga Operator',
      role: 'admin',
      passwordHash,
    },
    systemRecorder('user.create'),
  );
  const expected = itemsOf(client);
  if (!isDeepStrictEqual(await batchGet(expected), expected)) {
    throw new Error(
      'tests/lab/bench/lists/seed-users.ts seeds other items than users.create writes',
    );
  }
  return client;
};

const putProgress = (progress: Progress) => ({
  TableName: tableName(),
  Item: { ...progressKey, ...progress },
});

const seedUsers = async (size: number, from: Progress): Promise<Progress> => {
  let progress = from;
  // The caller is one of them.
  const last = size - 1;
  const steps = Math.ceil(last / stepUsers);
  const step = progressBar(`Seeding ${size} users`, steps);
  for (let done = 0; done < Math.ceil(from.users / stepUsers); done++) step();
  while (progress.users < last) {
    const started = performance.now();
    const first = progress.users + 1;
    const count = Math.min(stepUsers, last - progress.users);
    const batch = Array.from({ length: count }, (_, at) => seedUser(first + at, size));
    await writeAll(batch.flatMap(itemsOf));
    progress = {
      ...progress,
      users: progress.users + count,
      seedingMs: Math.round(progress.seedingMs + performance.now() - started),
    };
    await documentClient().send(new PutCommand(putProgress(progress)));
    step();
  }
  const whole = { ...progress, isWhole: true };
  await transact([...Object.values(totals(size)), { Put: putProgress(whole) }]);
  return whole;
};

const makeTable = async (): Promise<void> => {
  await ensureTable(tableName());
  // The local engine finds expired items by reading the whole table, which would slow down the measured calls.
  await documentClient().send(
    new UpdateTimeToLiveCommand({
      TableName: tableName(),
      TimeToLiveSpecification: { AttributeName: schema.ttl, Enabled: false },
    }),
  );
};

/** A seeded table, new or from an earlier run. */
export interface SeededTable {
  /** An administrator, who is one of the users. */
  readonly caller: StoredUser;
  /** Time spent on seeding, over all runs. */
  readonly seedingMs: number;
}

/**
 * Fills the table that TABLE_NAME names with `size` users, and continues interrupted runs. Recreates a table with other
 * seed data.
 */
export const seedTable = async (size: number): Promise<SeededTable> => {
  const shape = shapeOf(size);
  await makeTable();
  let progress = await readProgress();
  if (progress && progress.shape !== shape) {
    await documentClient().send(new DeleteTableCommand({ TableName: tableName() }));
    await makeTable();
    progress = undefined;
  }
  const client = await ensureCaller();
  progress ??= { shape, users: 0, seedingMs: 0, isWhole: false };
  if (!progress.isWhole) progress = await seedUsers(size, progress);
  return { caller: client, seedingMs: progress.seedingMs };
};
