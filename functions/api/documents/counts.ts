import { randomInt } from 'node:crypto';
import { incrementTotal, readTotal } from '../../../shared/counters/total.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import type { StoredDocument } from './document.ts';

/** What is counted of a user: documents that are seen without being everyone's, and documents in the trash. */
interface Counts {
  readonly seen: number;
  readonly trashed: number;
}

/** A user's documents come from few hands at once, where those of all come from many. */
const shards = 4;

const none: Counts = { seen: 0, trashed: 0 };

const listCounts = (document: StoredDocument | undefined): Map<number, Counts> => {
  if (!document) return new Map();
  const { authorId, sharedWith, visibility, deletedAt } = document;
  if (deletedAt !== undefined) return new Map([[authorId, { ...none, trashed: 1 }]]);
  if (visibility === 'everyone') return new Map();
  return new Map([authorId, ...sharedWith].map((userId) => [userId, { ...none, seen: 1 }]));
};

const isLive = (document: StoredDocument | undefined): boolean =>
  document !== undefined && document.deletedAt === undefined;

const isEveryones = (document: StoredDocument | undefined): boolean =>
  isLive(document) && document?.visibility === 'everyone';

const moved = (
  counted: Parameters<typeof incrementTotal>[0],
  before: boolean,
  after: boolean,
): Write | undefined => (before === after ? undefined : incrementTotal(counted, after ? 1 : -1));

const moveCounts = (userId: number, before: Counts, after: Counts): Write => ({
  Update: {
    TableName: tableName(),
    Key: keys.documentCounts(userId, randomInt(shards)),
    UpdateExpression: 'ADD seen :seen, trashed :trashed',
    ExpressionAttributeValues: {
      ':seen': after.seen - before.seen,
      ':trashed': after.trashed - before.trashed,
    },
  },
});

/** The writes that move the totals as a document goes from `before` to `after`, for the transaction that does so. */
export const countWrites = (
  before: StoredDocument | undefined,
  after: StoredDocument | undefined,
): Readonly<Record<'total' | 'everyonesTotal' | `count${number}`, Write | undefined>> => {
  const [old, fresh] = [listCounts(before), listCounts(after)];
  const ofUsers = [...new Set([...old.keys(), ...fresh.keys()])].flatMap((userId) => {
    const [was, is] = [old.get(userId) ?? none, fresh.get(userId) ?? none];
    const stays = was.seen === is.seen && was.trashed === is.trashed;
    return stays ? [] : [[`count${userId}`, moveCounts(userId, was, is)] as const];
  });
  return {
    total: moved('documents', isLive(before), isLive(after)),
    everyonesTotal: moved('documents-of-everyone', isEveryones(before), isEveryones(after)),
    ...Object.fromEntries(ofUsers),
  };
};

const readCounts = async (userId: number): Promise<Counts> => {
  const items = await batchGet(
    Array.from({ length: shards }, (_, shard) => keys.documentCounts(userId, shard)),
  );
  const sum = (name: keyof Counts) =>
    items.reduce((total, item) => total + ((item?.[name] as number | undefined) ?? 0), 0);
  return { seen: sum('seen'), trashed: sum('trashed') };
};

/** How many documents there are in all, for those who see all. */
export const countAll = (): Promise<number> => readTotal('documents');

/** How many documents a user sees: own ones, shared ones, and everyone's. */
export const countVisible = async (userId: number): Promise<number> => {
  const [{ seen }, everyones] = await Promise.all([
    readCounts(userId),
    readTotal('documents-of-everyone'),
  ]);
  return seen + everyones;
};

/** How many documents a user has in the trash. */
export const countTrashed = async (userId: number): Promise<number> =>
  (await readCounts(userId)).trashed;
