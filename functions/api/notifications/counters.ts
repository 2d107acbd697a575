import { compareField, type OwnCounts } from '../../../shared/counters/counter.ts';
import { itemParser } from '../../../shared/db/item-parser.ts';
import {
  getReadTime,
  type NotificationCounters,
  parseCounters,
} from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import {
  getCountName,
  isCounted,
  readCountName,
  type StoredNotification,
} from '../../../shared/notifications/notification.ts';

const dayMs = 86_400_000;
const getDate = (name: string): string =>
  new Date(readCountName(name).day * dayMs).toISOString().slice(0, 10);

/** The fields of a notification that decide where it counts. */
type Counted = Pick<StoredNotification, 'id' | 'createdAt' | 'readAt' | 'keptDays'>;

const countByDay = (notifications: readonly Counted[]): Record<string, number> => {
  const days: Record<string, number> = {};
  for (const notification of notifications) {
    const day = getCountName(notification);
    days[day] = (days[day] ?? 0) + 1;
  }
  return days;
};

const compareDays = (box: NotificationCounters, notifications: readonly Counted[]) => {
  const actual = {
    kept: countByDay(notifications),
    unread: countByDay(notifications.filter((one) => getReadTime(one, box) === undefined)),
  };
  return (['kept', 'unread'] as const).flatMap((counts) =>
    Object.keys({ ...box[counts], ...actual[counts] })
      .filter(isCounted)
      .toSorted()
      .flatMap((day) =>
        compareField(
          ['bell', counts, day],
          box[counts][day],
          actual[counts][day],
          `${counts} of ${getDate(day)}`,
        ),
      ),
  );
};

const parseCounted = itemParser<Counted>('notification', ['id', 'createdAt']);

/** The notifications and unread notifications of each day. */
export const ownCounts: OwnCounts = {
  reads: [notificationKeys.record, notificationKeys.counters],
  tally: () => {
    const notifications: Counted[] = [];
    let record: Parameters<ReturnType<OwnCounts['tally']>['add']>[0] | undefined;
    return {
      add: (item) => {
        if (notificationKeys.counters.read(item)) record = item;
        else {
          const { id, createdAt, readAt, keptDays } = parseCounted(item);
          notifications.push({
            ...{ id, createdAt },
            ...(readAt !== undefined && { readAt }),
            ...(keptDays !== undefined && { keptDays }),
          });
        }
      },
      list: () => {
        if (!record) return [];
        const counters = parseCounters(record);
        const differences = counters ? compareDays(counters, notifications) : [];
        return [{ name: 'notifications', record, differences }];
      },
    };
  },
};
