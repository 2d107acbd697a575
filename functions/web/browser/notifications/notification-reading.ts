import type { Signal } from '@preact/signals';
import type { Item } from '../client/endpoints.ts';
import { api } from '../shell/api.ts';
import { showFailure } from '../shell/feedback.ts';
import { updates } from '../shell/updates.ts';
import { notificationTexts } from './texts.ts';

export type Notification = Item<'GET /api/notifications'>;

/** Marks notifications of a list as read. */
export interface NotificationReading {
  /** Marks one. The request outlives the page, because its link may be open by then. */
  mark(notification: Notification): Promise<void>;
  /** Marks all, also those that the list doesn’t show. */
  markAll(): Promise<void>;
}

/** Creates what marks the notifications of a list as read. */
export const createReading = (
  items: Signal<readonly Notification[] | undefined>,
): NotificationReading => {
  /** Shows the matching notifications as read, and this number of unread ones. */
  const show = (isRead: (one: Notification) => boolean, unreadNotifications: number): void => {
    items.value = items.value?.map((one) => (isRead(one) ? { ...one, read: true } : one));
    updates.value = { ...updates.value, unreadNotifications };
  };
  /** Sends a change that is shown, and puts everything back if that fails. */
  const change = async (
    before: readonly [readonly Notification[] | undefined, typeof updates.value],
    send: () => Promise<unknown>,
    retry: () => unknown,
  ): Promise<void> => {
    try {
      await send();
    } catch {
      [items.value, updates.value] = before;
      showFailure(notificationTexts.notMarked, retry);
    }
  };
  const mark = async (notification: Notification): Promise<void> => {
    if (notification.read) return;
    const { id } = notification;
    const before = [items.value, updates.value] as const;
    show((one) => one.id === id, Math.max(0, updates.value.unreadNotifications - 1));
    await change(
      before,
      () => api.call('PUT /api/notifications/{id}/read', { params: { id }, keepalive: true }),
      () => mark(notification),
    );
  };
  const markAll = async (): Promise<void> => {
    const before = [items.value, updates.value] as const;
    show(() => true, 0);
    await change(before, () => api.call('PUT /api/notifications/read-all'), markAll);
  };
  return { mark, markAll };
};
