import type { Actor } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import type { Key } from '../../../shared/db/key.ts';
import { type ListKey, queryItems, startAt } from '../../../shared/lists/pagination.ts';
import { countUnread, parseCounters } from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import { eventKeys } from '../calendar/record/keys.ts';
import { messageKeys } from '../messages/keys.ts';
import { openMailbox } from '../messages/mailbox.ts';

/** What is new for a user. */
export interface Updates {
  readonly unreadMessages: number;
  readonly unreadNotifications: number;
  readonly calendarVersion: number;
}

/** More than arrive while a request is running. */
const maxItems = 100;

/** Reads the items of this prefix by sort key: the counters of what is new, and pending messages. */
const readItems = async (userId: number): Promise<ReadonlyMap<string, ListKey>> => {
  const { pk } = userKeys.record.partition({ id: userId });
  const items = await queryItems(startAt({ pk, sk: 'UPDATES#' }), maxItems, undefined);
  return new Map(items.map((item) => [String(item['sk']), item]));
};

/**
 * Returns what is new for the caller, and 0 for what the caller can't view. One small query reads all of it, because its
 * items are neighbors. Pending messages are delivered first, as before every read (decisions.md#messages).
 * @throws AppError SERVICE_UNAVAILABLE if too many messages are pending for one request; the next one continues
 */
export const readUpdates = async ({ user, permissions }: Actor): Promise<Updates> => {
  const userId = user.id;
  const pending = messageKeys.delivery.prefix({ userId }).sk;
  let items = await readItems(userId);
  if ([...items.keys()].some((sortKey) => sortKey.startsWith(pending))) {
    await openMailbox(userId);
    items = await readItems(userId);
  }
  const count = ({ sk }: Key, name: string) => Number(items.get(sk)?.[name] ?? 0);
  const counters = parseCounters(items.get(notificationKeys.counters.at({ userId }).sk));
  return {
    unreadMessages: can(permissions, 'messages:view')
      ? count(messageKeys.mailbox.at({ userId }), 'unread')
      : 0,
    unreadNotifications: countUnread(counters),
    calendarVersion: can(permissions, 'calendar:view')
      ? count(eventKeys.changes.at({ userId }), 'changes')
      : 0,
  };
};
