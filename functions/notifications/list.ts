import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { batchGet, documentClient, tableName } from '../../shared/dynamodb.ts';
import { checkOneFilter } from '../../shared/filters.ts';
import {
  countedMatches,
  type Listed,
  type ListKey,
  type ListQuery,
  type Page,
  type PageRequest,
  readMatches,
  readPageFrom,
  readSome,
  startingWith,
} from '../../shared/page.ts';
import { keys } from '../../shared/table.ts';
import { toAuthor } from '../documents/author.ts';
import { receive } from '../messages/delivery.ts';
import { type Box, countKept, countUnread, readUpTo } from './box.ts';
import { isKept, keptFrom, type StoredNotification } from './notification.ts';
import { readBox } from './notifications.ts';
import type { FoundNotification } from './schemas.ts';

/** Which notifications: one filter at most. */
export interface NotificationFilter {
  readonly unread?: true | undefined;
  readonly type?: StoredNotification['type'] | undefined;
}

/** A filter looks at no more notifications than this for a page, and for a count. */
const maxScanned = 20_000;
const maxScannedAtOnce = 2_000;

type StoredPage = Page<Record<string, unknown>>;

const withSenders = async (
  page: StoredPage,
  box: Box | undefined,
): Promise<Page<FoundNotification>> => {
  const notifications = page.items as unknown as StoredNotification[];
  const senderIds = [...new Set(notifications.flatMap(({ senderId }) => senderId ?? []))];
  const users = await batchGet(senderIds.map(keys.user));
  const senders = new Map(senderIds.map((id, at) => [id, toAuthor(users[at])]));
  return {
    ...page,
    items: notifications.map((notification) => ({
      notification,
      box,
      sender: senders.get(notification.senderId ?? 0) ?? null,
    })),
  };
};

const readKept = (userId: number, request: PageRequest, scope: string): Promise<StoredPage> =>
  readPageFrom(
    async (count, from) => {
      const query = { ...startingWith(keys.notifications(userId)), ScanIndexForward: false };
      const items = await readSome(query, count, from);
      // What the table has not deleted yet is the oldest: behind it there is nothing.
      return items.filter(({ createdAt }) => isKept(createdAt as string));
    },
    false,
    request,
    scope,
  );

const idIn = (key: ListKey): number => Number(String(key['sk']).split('#')[1]);

/** The query of the unread ones, which lie after the last mark, or of those of a type; of those older than `from`. */
const filtered = (
  userId: number,
  { box, type }: { readonly box?: Box | undefined; readonly type?: StoredNotification['type'] },
  from: ListKey | undefined,
): ListQuery => {
  const newest = from ? idIn(from) - 1 : Number.MAX_SAFE_INTEGER;
  const upTo = readUpTo(box);
  // Where all have been read since the page before, nothing is left in between, which DynamoDB would refuse to look through.
  const oldest = Math.min(upTo + 1, newest);
  const isOfType = type !== undefined;
  return {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
    FilterExpression: `createdAt >= :keptFrom AND ${isOfType ? '#type = :type' : 'id > :upTo AND attribute_not_exists(readAt)'}`,
    ...(isOfType && { ExpressionAttributeNames: { '#type': 'type' } }),
    ExpressionAttributeValues: {
      ':pk': keys.notifications(userId).pk,
      ':oldest': keys.notification(userId, oldest).sk,
      ':newest': keys.notification(userId, newest).sk,
      ':keptFrom': keptFrom(),
      ...(isOfType ? { ':type': type } : { ':upTo': upTo }),
    },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
};

/** Up to `count` items that a filter leaves. It looks at more each time, because few may be left. */
const readLeft = async (query: ListQuery, count: number): Promise<ListKey[]> => {
  const items: ListKey[] = [];
  let scanned = 0;
  let next: ListKey | undefined;
  do {
    const answer: QueryCommandOutput = await documentClient().send(
      new QueryCommand({
        ...query,
        TableName: tableName(),
        Limit: Math.min(Math.max(count, 3 * scanned), maxScannedAtOnce),
        ExclusiveStartKey: next,
      }),
    );
    items.push(...(answer.Items ?? []));
    scanned += answer.ScannedCount ?? 0;
    next = answer.LastEvaluatedKey;
  } while (next && items.length < count && scanned < maxScanned);
  return items.slice(0, count);
};

const readFiltered = (
  queryFrom: (from: ListKey | undefined) => ListQuery,
  request: PageRequest,
  scope: string,
): Promise<StoredPage> =>
  readPageFrom((count, from) => readLeft(queryFrom(from), count), false, request, scope);

const listUnread = async (
  userId: number,
  request: PageRequest,
  scope: string,
): Promise<Listed<FoundNotification>> => {
  const box = await readBox(userId);
  const page = await readFiltered((from) => filtered(userId, { box }, from), request, scope);
  return { ...(await withSenders(page, box)), total: countUnread(box), totalIsExact: true };
};

const listOfType = async (
  userId: number,
  type: StoredNotification['type'],
  request: PageRequest,
  scope: string,
): Promise<Listed<FoundNotification>> => {
  const queryFrom = (from: ListKey | undefined) => filtered(userId, { type }, from);
  const [page, box, { items, isWhole }] = await Promise.all([
    readFiltered(queryFrom, request, scope),
    readBox(userId),
    readMatches(queryFrom(undefined), { matches: countedMatches + 1, scanned: maxScanned }),
  ]);
  return {
    ...(await withSenders(page, box)),
    total: Math.min(items.length, countedMatches),
    totalIsExact: isWhole && items.length <= countedMatches,
  };
};

/**
 * A page of a user's notifications, the newest first, and how many there are: all, the unread ones, or those of a type.
 * Page 1 of all costs the same however many there are, and so does the first of the unread ones where few of the newest
 * were read one by one; a type costs as much as what it looks through.
 * @throws AppError VALIDATION_ERROR about `cursor` or `page`, or two filters at once
 */
export const list = async (
  userId: number,
  filter: NotificationFilter,
  request: PageRequest,
): Promise<Listed<FoundNotification>> => {
  checkOneFilter({ unread: filter.unread || undefined, type: filter.type });
  // A message that has come in is told of as well.
  await receive(userId);
  const scope = `notifications#${userId}#${JSON.stringify(filter)}`;
  if (filter.unread) return listUnread(userId, request, scope);
  if (filter.type !== undefined) return listOfType(userId, filter.type, request, scope);
  const [page, box] = await Promise.all([readKept(userId, request, scope), readBox(userId)]);
  return { ...(await withSenders(page, box)), total: countKept(box), totalIsExact: true };
};
