import { batchGet } from '../../../shared/db/dynamodb.ts';
import { getFirstIdAt } from '../../../shared/db/ids.ts';
import { keys } from '../../../shared/db/table.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import {
  type ListKey,
  type ListQuery,
  type ListResult,
  maxCountedMatches,
  type Page,
  type PageRequest,
  queryMatches,
  readFilteredSlice,
  readPageFrom,
  type Source,
} from '../../../shared/lists/pagination.ts';
import {
  countKept,
  countUnread,
  type NotificationCounters,
  readUpTo,
} from '../../../shared/notifications/counters.ts';
import {
  getStoredFrom,
  type StoredNotification,
} from '../../../shared/notifications/notification.ts';
import { toAuthor } from '../../../shared/users/person.ts';
import { deliverPending } from '../messages/delivery.ts';
import { readBox } from './notifications.ts';
import type { FoundNotification } from './schemas.ts';

/** Which notifications: one filter at most. */
export interface NotificationFilter {
  /** Only those that are not read, or only those that are. */
  readonly unread?: boolean | undefined;
  readonly type?: StoredNotification['type'] | undefined;
}

/** A count looks at no more notifications than this. */
const maxScanned = 20_000;

type StoredPage = Page<Record<string, unknown>>;

const withSenders = async (
  page: StoredPage,
  box: NotificationCounters | undefined,
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

const idIn = (key: ListKey): number => Number(String(key['sk']).split('#')[1]);

/** Clocks of those who make ids and times may differ by no more. */
const maxSkewMs = 86_400_000;

/** The least id that is looked at: of what is kept no longer, the table may not have deleted all. */
const oldestKept = (): number => getFirstIdAt(Date.parse(getStoredFrom()) - maxSkewMs);

interface Conditions {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
  /** No notification before it fits. */
  readonly oldest?: number;
}

const buildConditions = (
  { unread, type }: NotificationFilter,
  box: NotificationCounters | undefined,
): Conditions[] => {
  const upTo = readUpTo(box);
  return [
    { expression: 'createdAt >= :getStoredFrom', values: { ':getStoredFrom': getStoredFrom() } },
    ...(type === undefined
      ? []
      : [{ expression: '#type = :type', names: { '#type': 'type' }, values: { ':type': type } }]),
    ...(unread === true
      ? [
          {
            expression: 'id > :upTo AND attribute_not_exists(readAt)',
            values: { ':upTo': upTo },
            oldest: upTo + 1,
          },
        ]
      : []),
    ...(unread === false
      ? [{ expression: '(id <= :upTo OR attribute_exists(readAt))', values: { ':upTo': upTo } }]
      : []),
  ];
};

/** The query of those that fit a filter and follow a key. The unread ones lie after the last mark. */
const buildQuery = (
  userId: number,
  conditions: readonly Conditions[],
  from: ListKey | undefined,
  isReversed: boolean,
): ListQuery => {
  const least = Math.max(oldestKept(), ...conditions.map(({ oldest = 0 }) => oldest));
  const newest = from && !isReversed ? idIn(from) - 1 : Number.MAX_SAFE_INTEGER;
  const oldest = from && isReversed ? Math.max(idIn(from) + 1, least) : least;
  const names = Object.assign({}, ...conditions.map((one) => one.names));
  return {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
    FilterExpression: conditions.map(({ expression }) => expression).join(' AND '),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ExpressionAttributeValues: {
      ':pk': keys.notifications(userId).pk,
      // Where all have been read since the page before, nothing is left in between, which DynamoDB would refuse to look through.
      ':oldest': keys.notification(userId, Math.min(oldest, newest)).sk,
      ':newest': keys.notification(userId, newest).sk,
      ...Object.assign({}, ...conditions.map(({ values }) => values)),
    },
    ScanIndexForward: isReversed,
    ConsistentRead: true,
  };
};

const countType = async (query: ListQuery) => {
  const { items, isWhole } = await queryMatches(query, {
    matches: maxCountedMatches + 1,
    scanned: maxScanned,
  });
  return {
    total: Math.min(items.length, maxCountedMatches),
    totalIsExact: isWhole && items.length <= maxCountedMatches,
  };
};

/**
 * A page of a user's notifications, the newest first, and how many there are: all, the unread or the read ones, or those
 * of a type. Page 1 of all costs the same however many there are, and so does the first of the unread ones where few of
 * the newest were read one by one; a type, and the read ones, cost as much as what is looked through.
 * @throws AppError VALIDATION_ERROR about `cursor` or `page`, or two filters at once
 */
export const list = async (
  userId: number,
  filter: NotificationFilter,
  request: PageRequest,
): Promise<ListResult<FoundNotification>> => {
  const { unread, type } = filter;
  assertSingleFilter({ unread, type });
  // A message that has come in is told of as well.
  await deliverPending(userId);
  const scope = `notifications#${userId}#${JSON.stringify(filter)}`;
  // What is read is known by the box: it is read first where that is asked for.
  const seen = unread === undefined ? undefined : await readBox(userId);
  const conditions = buildConditions(filter, seen);
  const source: Source = (count, from, isReversed) =>
    readFilteredSlice(buildQuery(userId, conditions, from, isReversed), count);
  const [page, box, counted] = await Promise.all([
    readPageFrom(source, false, request, scope),
    seen ?? readBox(userId),
    type === undefined ? undefined : countType(buildQuery(userId, conditions, undefined, false)),
  ]);
  const totals = { true: countUnread(box), false: countKept(box) - countUnread(box) };
  const total = unread === undefined ? countKept(box) : totals[`${unread}`];
  return { ...(await withSenders(page, box)), total, totalIsExact: true, ...counted };
};
