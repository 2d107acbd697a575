import { getFirstIdAt } from '../../../shared/db/ids.ts';
import {
  type ListKey,
  type ListQuery,
  queryMatches,
  readFilteredSlice,
} from '../../../shared/db/query.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import {
  type ListResult,
  maxCountedMatches,
  type Page,
  type PageRequest,
  readPageFrom,
  type Source,
} from '../../../shared/lists/pagination.ts';
import {
  countKept,
  countUnread,
  type NotificationCounters,
  readUpTo,
} from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import {
  getStoredFrom,
  parseNotification,
  type StoredNotification,
} from '../../../shared/notifications/notification.ts';
import { getCurrentName, readUsers } from '../../../shared/users/person.ts';
import type { Pending } from '../messages/mailbox.ts';
import { type Notifications, openNotifications } from './notifications.ts';
import type { FoundNotification } from './schemas.ts';

/** Selects notifications by at most one filter. */
export interface NotificationFilter {
  /** Only unread or only read notifications. */
  readonly unread?: boolean | undefined;
  readonly type?: StoredNotification['type'] | undefined;
}

/** The most notifications read for a count. */
const maxScanned = 20_000;

type StoredPage = Page<Record<string, unknown>>;

const withSenders = async (
  page: StoredPage,
  counters: NotificationCounters | undefined,
): Promise<Page<FoundNotification>> => {
  const notifications = page.items.map(parseNotification);
  const users = await readUsers(notifications.flatMap(({ sender }) => sender?.id ?? []));
  return {
    ...page,
    items: notifications.map((notification) => ({
      notification,
      counters,
      sender: notification.sender ? getCurrentName(users, notification.sender) : null,
    })),
  };
};

const idIn = (key: ListKey): number => Number(String(key['sk']).split('#')[1]);

/** The maximum clock skew between writers of ids and times. */
const maxSkewMs = 86_400_000;

/** Returns the smallest id to read, because the table may not have deleted expired items yet. */
const getOldestStoredId = (): number => getFirstIdAt(Date.parse(getStoredFrom()) - maxSkewMs);

interface Conditions {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
  /** The smallest id that can match. */
  readonly oldest?: number;
}

const buildConditions = (
  { unread, type }: NotificationFilter,
  counters: NotificationCounters | undefined,
): Conditions[] => {
  const upTo = readUpTo(counters);
  return [
    // Those that were created while fewer days were set may still be stored, too.
    {
      expression: 'createdAt >= :storedFrom AND #ttl > :now',
      names: { '#ttl': 'ttl' },
      values: { ':storedFrom': getStoredFrom(), ':now': Math.floor(Date.now() / 1_000) },
    },
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

/** Builds the query of matching notifications after a key. Unread ones come after the last read mark. */
const buildQuery = (
  { userId }: Notifications,
  conditions: readonly Conditions[],
  from: ListKey | undefined,
  isReversed: boolean,
): ListQuery => {
  const minId = Math.max(getOldestStoredId(), ...conditions.map(({ oldest = 0 }) => oldest));
  const newest = from && !isReversed ? idIn(from) - 1 : Number.MAX_SAFE_INTEGER;
  const oldest = from && isReversed ? Math.max(idIn(from) + 1, minId) : minId;
  const names = Object.assign({}, ...conditions.map((one) => one.names));
  return {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
    FilterExpression: conditions.map(({ expression }) => expression).join(' AND '),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ExpressionAttributeValues: {
      ':pk': notificationKeys.record.partition({ userId }).pk,
      // If all were read since the previous page, the range is empty, and DynamoDB rejects reversed bounds.
      ':oldest': notificationKeys.record.at({ userId, id: Math.min(oldest, newest) }).sk,
      ':newest': notificationKeys.record.at({ userId, id: newest }).sk,
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
 * Lists a page of a user's notifications, newest first, with the total. Page 1 without a filter costs the same for any
 * number, and so does page 1 of unread ones if few were marked individually. Other filters cost as much as they scan.
 * @throws AppError VALIDATION_ERROR for `cursor`, `page` or several filters
 */
export const list = async (
  userId: number,
  filter: NotificationFilter,
  request: PageRequest,
  pending?: Pending,
): Promise<ListResult<FoundNotification>> => {
  const { unread, type } = filter;
  assertSingleFilter({ unread, type });
  const notifications = await openNotifications(userId, pending);
  const scope = `notifications#${userId}#${JSON.stringify(filter)}`;
  const { counters } = notifications;
  const conditions = buildConditions(filter, counters);
  const source: Source = (count, from, isReversed) =>
    readFilteredSlice(buildQuery(notifications, conditions, from, isReversed), count);
  const [page, counted] = await Promise.all([
    readPageFrom(source, false, request, scope),
    type === undefined
      ? undefined
      : countType(buildQuery(notifications, conditions, undefined, false)),
  ]);
  const totals = {
    true: countUnread(counters),
    false: countKept(counters) - countUnread(counters),
  };
  const total = unread === undefined ? countKept(counters) : totals[`${unread}`];
  return { ...(await withSenders(page, counters)), total, totalIsExact: true, ...counted };
};
