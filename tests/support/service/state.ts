import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { bucketName, clientOf, put } from '../s3/local-s3.ts';
import { purgeJobs, queuedJobs } from './jobs.ts';

export type Item = Readonly<Record<string, unknown>> & {
  readonly pk: string;
  readonly sk: string;
};

/** The stored state: table items, object keys of the bucket, and bodies of the queued jobs. */
export interface State {
  readonly items: readonly Item[];
  readonly objects: readonly string[];
  readonly jobs: readonly string[];
}

export const readItems = async (): Promise<Item[]> => {
  const items: Item[] = [];
  const pages = paginateScan(
    { client: documentClient() },
    { TableName: tableName(), ConsistentRead: true },
  );
  for await (const { Items = [] } of pages) items.push(...(Items as Item[]));
  return items;
};

export const readObjects = async (): Promise<string[]> => {
  const { Contents = [] } = await clientOf().send(
    new ListObjectsV2Command({ Bucket: bucketName() }),
  );
  return Contents.map(({ Key = '' }) => Key);
};

export const readState = async (): Promise<State> => ({
  items: await readItems(),
  objects: await readObjects(),
  jobs: await queuedJobs(),
});

/** Empties the bucket and the queue. */
export const forgetObjectsAndJobs = async ({ objects, jobs }: State): Promise<void> => {
  await removeObjects(objects);
  if (jobs.length > 0) purgeJobs();
};

const removeObjects = async (objects: readonly string[]): Promise<void> => {
  const client = clientOf();
  for (const Key of objects) {
    await client.send(new DeleteObjectCommand({ Bucket: bucketName(), Key }));
  }
};

/** Reads an object of the bucket. */
export const bytesOf = async (Key: string): Promise<Uint8Array> => {
  const { Body } = await clientOf().send(new GetObjectCommand({ Bucket: bucketName(), Key }));
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
};

const batchLimit = 25;

const writeItems = async (requests: readonly object[]): Promise<void> => {
  for (let at = 0; at < requests.length; at += batchLimit) {
    const RequestItems = { [tableName()]: requests.slice(at, at + batchLimit) as never };
    await documentClient().send(new BatchWriteCommand({ RequestItems }));
  }
};

/** Deletes all jobs and returns the other stored state with a function that restores it and the clock. */
export const keepState = async () => {
  const at = Date.now();
  const state: State = { ...(await readState()), jobs: [] };
  purgeJobs();
  const bytes = new Map<string, Uint8Array>();
  for (const key of state.objects) bytes.set(key, await bytesOf(key));
  const textsOf = ({ items }: State) =>
    new Map(items.map((item) => [`${item.pk} ${item.sk}`, JSON.stringify(item)]));
  const kept = textsOf(state);
  return {
    state,
    /** Restores the state; `known` is the current state, if already read. */
    restore: async (known?: State): Promise<void> => {
      vi.setSystemTime(at);
      const now = known ?? (await readState());
      const found = textsOf(now);
      const extra = now.items.filter(({ pk, sk }) => !kept.has(`${pk} ${sk}`));
      const others = state.items.filter(({ pk, sk }) => {
        const name = `${pk} ${sk}`;
        return found.get(name) !== kept.get(name);
      });
      await writeItems([
        ...extra.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
        ...others.map((Item) => ({ PutRequest: { Item } })),
      ]);
      await removeObjects(now.objects.filter((key) => !bytes.has(key)));
      for (const [key, one] of bytes) if (!now.objects.includes(key)) await put(key, one);
      if (now.jobs.length > 0) purgeJobs();
    },
  };
};

/** Counts by name, of a state or of the difference between two. */
export type Tally = Readonly<Record<string, number>>;

/** Partitions of side effects and temporary items, which do not show the result of a request. */
const incidental = /^(LIMIT|JOB|IDEMPOTENCY|DELETIONS|OUTBOX|VISITOR|STATS#DAYS)(#|$)/;

/** Checks for a deleted file, which expires by its TTL. */
const isOver = ({ sk, status }: Item): boolean => sk === 'FILE' && status === 'removed';

const isWord = (part: string): boolean => /^[A-Z_]+$/.test(part);

/** Returns the constant parts of a key, without ids, names and times. */
const kindOf = ({ pk, sk }: Item): string => {
  const partition = pk.split('#').map((part) => (isWord(part) ? part : '*'));
  const [first = ''] = sk.split('#');
  return `${partition.join('#')} ${isWord(first) ? first : '*'}`;
};

/** Excludes random values and values as large as ids and times. */
const isCounter = (name: string, value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) < 1e9 && name !== 'points' && name !== 'total';

const isKey = (name: string): boolean => /^(gsi1)?[ps]k$/.test(name);

/** Checks for a counter shard; the number of shards is irrelevant. */
const isShard = (item: Item): boolean =>
  Object.entries(item).every(([name, value]) => isKey(name) || isCounter(name, value));

const jobKind = (body: string): string => `job ${(JSON.parse(body) as { kind: string }).kind}`;

/** Counts the items of each kind, including jobs in the outbox, and sums their counters. */
export const tallyOf = ({ items, jobs }: Omit<State, 'objects'>): Tally => {
  const tally: Record<string, number> = {};
  const add = (name: string, value: number) => {
    tally[name] = (tally[name] ?? 0) + value;
  };
  for (const body of jobs) add(jobKind(body), 1);
  for (const item of items) {
    if (item.pk.startsWith('OUTBOX#')) add(jobKind(String(item['message'])), 1);
    if (incidental.test(item.pk) || isOver(item)) continue;
    const kind = kindOf(item);
    if (!isShard(item)) add(kind, 1);
    for (const [name, value] of Object.entries(item)) {
      if (isCounter(name, value)) add(`${kind}: ${name}`, value);
    }
  }
  return tally;
};

/** Returns the changed counts of a tally and their differences. */
export const difference = (before: Tally, after: Tally): Tally =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const)
      .filter(([, delta]) => delta !== 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
