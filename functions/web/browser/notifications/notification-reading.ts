import type { Signal } from '@preact/signals';
import { api } from '../shell/api.ts';
import { showFailure } from '../shell/feedback.ts';
import { updates } from '../shell/updates.ts';
import type { Notification } from './notification.ts';
import { notificationTexts } from './texts.ts';

/** Marks notifications of a list as read. */
export interface NotificationReading {
  /** Marks some. The requests outlive the page, because a link of them may be open by then. */
  mark(notifications: readonly Notification[]): Promise<void>;
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
  const mark = async (notifications: readonly Notification[]): Promise<void> => {
    const ids = notifications.filter(({ read }) => !read).map(({ id }) => id);
    if (ids.length === 0) return;
    const before = [items.value, updates.value] as const;
    show(({ id }) => ids.includes(id), Math.max(0, updates.value.unreadNotifications - ids.length));
    const send = (id: number) =>
      api.call('PUT /api/notifications/{id}/read', { params: { id }, keepalive: true });
    await change(
      before,
      () => Promise.all(ids.map(send)),
      () => mark(notifications),
    );
  };
  const markAll = async (): Promise<void> => {
    const before = [items.value, updates.value] as const;
    show(() => true, 0);
    await change(before, () => api.call('PUT /api/notifications/read-all'), markAll);
  };
  return { mark, markAll };
};
