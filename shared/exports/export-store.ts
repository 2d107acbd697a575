import { batchGet, tableName } from '../db/dynamodb.ts';
import { type Item, itemParser } from '../db/item-parser.ts';
import { queryItems, startAt } from '../db/query.ts';
import { createItemWrite, deleteItemWrite, type Step, type Write } from '../db/transaction.ts';
import { AppError } from '../runtime/errors.ts';
import { scheduleDeletionWrite } from '../storage/scheduled-deletions.ts';
import { parseExport, type StoredExport } from './export-record.ts';
import { exportKeys } from './keys.ts';

/** The most exports of a user that are kept. An older one goes when another is asked for. */
export const maxKept = 20;

/** What every change of a user's exports writes. */
interface StoredChanges {
  readonly changes: number;
  /** When the own data was last asked for (ISO 8601), unless that was ended before it was begun, or failed and was not too much. */
  readonly ownDataAt?: string;
}

const parseChanges = itemParser<StoredChanges>('changes of exports', ['changes']);

/** A user's exports, newest first, and their changes so far. */
export interface UserExports {
  readonly exports: readonly StoredExport[];
  readonly changes: StoredChanges;
}

export const exportNotFound = () => new AppError('NOT_FOUND', 'Export not found.');

/** Returns the key of the object that an export makes. */
export const toObjectKey = ({ userId, id }: Pick<StoredExport, 'userId' | 'id'>): string =>
  `exports/${userId}/${id}`;

const toChanges = (item: Item | undefined): StoredChanges =>
  item ? parseChanges(item) : { changes: 0 };

/** Lists a user's exports, newest first. Strongly consistent. */
export const listExports = async (userId: number): Promise<readonly StoredExport[]> => {
  const query = { ...startAt(exportKeys.record.prefix({ userId })), ScanIndexForward: false };
  const now = Date.now() / 1_000;
  // The table deletes expired items late.
  return (await queryItems(query, maxKept, undefined))
    .map(parseExport)
    .filter(({ ttl }) => ttl > now);
};

/** Reads a user's exports for a change of them. */
export const readExports = async (userId: number): Promise<UserExports> => {
  const [item] = await batchGet([exportKeys.changes.at({ userId })]);
  return { changes: toChanges(item), exports: await listExports(userId) };
};

/** Reads an export; `undefined` if there is none. */
export const findExport = async (userId: number, id: number): Promise<StoredExport | undefined> => {
  const [item] = await batchGet([exportKeys.record.at({ userId, id })]);
  return parseExport(item);
};

/** Creates the write that puts an export into the list of what is due. */
export const dueWrite = ({ userId, id }: StoredExport, at: string): Write =>
  createItemWrite(exportKeys.due.at({ at, userId, id }), { userId, id });

/** Creates the write that takes an export off the list of what is due. */
export const removeDueWrite = (due: { at: string; userId: number; id: number }): Write =>
  deleteItemWrite(exportKeys.due.at(due));

/** Creates the writes of a new export. */
export const createWrites = (created: StoredExport): readonly Write[] => [
  createItemWrite(exportKeys.record.at(created), created),
  ...(created.dueAt === undefined ? [] : [dueWrite(created, created.dueAt)]),
];

/** The condition that an export is as it was read: nothing else changes what it doesn't name. */
const asRead = ({ status, tries }: StoredExport) => ({
  ConditionExpression: '#status = :status AND tries = :tries',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':status': status, ':tries': tries },
});

/** Creates the steps that change an export from what was read, and its entry in the list of what is due. */
export const changeSteps = (
  before: StoredExport,
  after: StoredExport,
): readonly Step<'changed'>[] => {
  const { userId, id, dueAt } = before;
  return [
    {
      write: {
        Put: {
          TableName: tableName(),
          Item: { ...after, ...exportKeys.record.at({ userId, id }) },
          ...asRead(before),
        },
      },
      refused: 'changed',
    },
    ...(dueAt === undefined || dueAt === after.dueAt
      ? []
      : [{ write: removeDueWrite({ at: dueAt, userId, id }) }]),
    ...(after.dueAt === undefined || dueAt === after.dueAt
      ? []
      : [{ write: dueWrite(after, after.dueAt) }]),
  ];
};

/** Creates the steps that delete an export as it was read, its file and its entry in the list. */
export const removeSteps = (removed: StoredExport): readonly Step<'changed'>[] => {
  const { userId, id, dueAt } = removed;
  const Key = exportKeys.record.at({ userId, id });
  return [
    { write: { Delete: { TableName: tableName(), Key, ...asRead(removed) } }, refused: 'changed' },
    ...(dueAt === undefined ? [] : [{ write: removeDueWrite({ at: dueAt, userId, id }) }]),
    { write: scheduleDeletionWrite(toObjectKey(removed)) },
  ];
};

/** Creates the step that lets a user ask for the own data again at once. */
export const askAgainStep = (userId: number): Step<'changed'> => ({
  write: {
    Update: {
      TableName: tableName(),
      Key: exportKeys.changes.at({ userId }),
      UpdateExpression: 'SET changes = changes + :one REMOVE ownDataAt',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':one': 1 },
    },
  },
  refused: 'changed',
});

/** Creates the step that counts a change of a user's exports, so that no two are made from the same state. */
export const changesStep = (
  userId: number,
  { changes }: StoredChanges,
  ownDataAt: string | undefined,
): Step<'changed'> => ({
  write: {
    Put: {
      TableName: tableName(),
      Item: {
        ...exportKeys.changes.at({ userId }),
        changes: changes + 1,
        ...(ownDataAt !== undefined && { ownDataAt }),
      },
      ConditionExpression: changes === 0 ? 'attribute_not_exists(pk)' : 'changes = :changes',
      ...(changes > 0 && { ExpressionAttributeValues: { ':changes': changes } }),
    },
  },
  refused: 'changed',
});
