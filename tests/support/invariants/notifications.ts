import { userKeys } from '../../../shared/auth/keys.ts';
import { parseCounters, readUpTo } from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { getDay, type StoredNotification } from '../../../shared/notifications/notification.ts';
import { differs, type Stored } from './stored.ts';

const countByDay = (notifications: readonly StoredNotification[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { createdAt } of notifications) {
    const day = String(getDay(createdAt));
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return counts;
};

const ofDays = (
  what: string,
  counted: Readonly<Record<string, number>>,
  really: Map<string, number>,
): string[] =>
  [...new Set([...Object.keys(counted), ...really.keys()])].flatMap((day) =>
    differs(`${what} on day ${day}`, counted[day] ?? 0, really.get(day) ?? 0),
  );

/** Checks that each user's counters match the notifications per day and the unread ones. */
export const ofNotifications = (stored: Stored): string[] => {
  const owners = new Set(
    stored
      .of(/^USER#/, /^(NOTIFICATION#|UPDATES#COUNTERS$)/)
      .map(({ pk }) => Number(pk.split('#')[1])),
  );
  return [...owners]
    .filter((userId) => !stored.unsettled.has(userId))
    .flatMap((userId) => {
      const own = stored.in(
        userKeys.record.at({ id: userId }),
        /^NOTIFICATION#/,
      ) as unknown as StoredNotification[];
      const box = parseCounters(stored.get(notificationKeys.counters.at({ userId })));
      const unread = own.filter(({ id, readAt }) => readAt === undefined && id > readUpTo(box));
      return [
        ...ofDays(`notifications of ${userId}`, box?.kept ?? {}, countByDay(own)),
        ...ofDays(`unread notifications of ${userId}`, box?.unread ?? {}, countByDay(unread)),
        ...(own.some(({ id }) => id > (box?.newestId ?? 0))
          ? [`notifications: the box of ${userId} knows an older one as the newest`]
          : []),
      ];
    });
};
