import type { Actor } from '../../../shared/auth/actor.ts';
import { countUnread, parseCounters } from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import { eventKeys } from '../calendar/record/keys.ts';
import { openMailbox } from '../messages/mailbox.ts';
import { countWaitingFor } from '../share/intake/waiting.ts';

/** What is new for a user. */
export interface Updates {
  readonly unreadMessages: number;
  readonly unreadNotifications: number;
  readonly calendarVersion: number;
  readonly reportedShares: number;
}

/**
 * Returns what is new for the caller, and 0 for what the caller can't view. One small query reads all of it, because its
 * items are neighbors; two more count what was reported for moderators. Pending messages are delivered first, as before
 * every read (decisions.md#messages).
 * @throws AppError SERVICE_UNAVAILABLE if too many messages are pending for one request; the next one continues
 */
export const readUpdates = async ({ user, permissions }: Actor): Promise<Updates> => {
  const userId = user.id;
  const [{ counters, updates }, reportedShares] = await Promise.all([
    openMailbox(userId),
    countWaitingFor(permissions),
  ]);
  const calendar = updates.get(eventKeys.changes.at({ userId }).sk);
  return {
    unreadMessages: can(permissions, 'messages:view') ? counters.unread : 0,
    unreadNotifications: countUnread(
      parseCounters(updates.get(notificationKeys.counters.at({ userId }).sk)),
    ),
    calendarVersion: can(permissions, 'calendar:view') ? Number(calendar?.['changes'] ?? 0) : 0,
    reportedShares,
  };
};
