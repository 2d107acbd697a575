import { randomInt } from 'node:crypto';
import { incrementTotal, readTotal } from '../../../shared/counters/total.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import type { StoredDocument } from './document.ts';
import { documentKeys } from './keys.ts';

/** A user's counts: visible documents that are not public, and documents in the trash. */
interface Counts {
  readonly seen: number;
  readonly trashed: number;
}

/** Few writes change a user's counters concurrently, in contrast to the totals. */
const shards = 4;

const none: Counts = { seen: 0, trashed: 0 };

const getCounts = (document: StoredDocument | undefined): Map<number, Counts> => {
  if (!document) return new Map();
  const { authorId, sharedWith, visibility, deletedAt } = document;
  if (deletedAt !== undefined) return new Map([[authorId, { ...none, trashed: 1 }]]);
  if (visibility === 'everyone') return new Map();
  return new Map([authorId, ...sharedWith].map((userId) => [userId, { ...none, seen: 1 }]));
};

const isActive = (document: StoredDocument | undefined): boolean =>
  document !== undefined && document.deletedAt === undefined;

const isPublic = (document: StoredDocument | undefined): boolean =>
  isActive(document) && document?.visibility === 'everyone';

const totalWrite = (
  kind: Parameters<typeof incrementTotal>[0],
  before: boolean,
  after: boolean,
): Write | undefined => (before === after ? undefined : incrementTotal(kind, after ? 1 : -1));

const incrementCounts = (userId: number, before: Counts, after: Counts): Write => ({
  Update: {
    TableName: tableName(),
    Key: documentKeys.counts.at({ userId, shard: randomInt(shards) }),
    UpdateExpression: 'ADD seen :seen, trashed :trashed',
    ExpressionAttributeValues: {
      ':seen': after.seen - before.seen,
      ':trashed': after.trashed - before.trashed,
    },
  },
});

/** Creates the writes that update the counts for a change of a document, for the transaction of that change. */
export const countWrites = (
  before: StoredDocument | undefined,
  after: StoredDocument | undefined,
): Readonly<Record<'total' | 'publicTotal' | `count${number}`, Write | undefined>> => {
  const [oldCounts, newCounts] = [getCounts(before), getCounts(after)];
  const userCounts = [...new Set([...oldCounts.keys(), ...newCounts.keys()])].flatMap((userId) => {
    const [from, to] = [oldCounts.get(userId) ?? none, newCounts.get(userId) ?? none];
    const isUnchanged = from.seen === to.seen && from.trashed === to.trashed;
    return isUnchanged ? [] : [[`count${userId}`, incrementCounts(userId, from, to)] as const];
  });
  return {
    total: totalWrite('documents', isActive(before), isActive(after)),
    publicTotal: totalWrite('documents-of-everyone', isPublic(before), isPublic(after)),
    ...Object.fromEntries(userCounts),
  };
};

const readCounts = async (userId: number): Promise<Counts> => {
  const items = await batchGet(
    Array.from({ length: shards }, (_, shard) => documentKeys.counts.at({ userId, shard })),
  );
  const sum = (name: keyof Counts) =>
    items.reduce((total, item) => total + ((item?.[name] as number | undefined) ?? 0), 0);
  return { seen: sum('seen'), trashed: sum('trashed') };
};

/** Counts all documents, for managers. */
export const countAll = (): Promise<number> => readTotal('documents');

/** Counts the documents that a user sees: the user's own, shared and public ones. */
export const countVisible = async (userId: number): Promise<number> => {
  const [{ seen }, publicCount] = await Promise.all([
    readCounts(userId),
    readTotal('documents-of-everyone'),
  ]);
  return seen + publicCount;
};

/** Counts a user's documents in the trash. */
export const countTrashed = async (userId: number): Promise<number> =>
  (await readCounts(userId)).trashed;
