import { signal } from '@preact/signals';
import type { Item } from '../client/endpoints.ts';
import { api } from './api.ts';
import { showFailure } from './feedback.ts';
import { shellTexts } from './texts.ts';
import { updates } from './updates.ts';

const texts = shellTexts.bell;

export type Notification = Item<'GET /api/notifications'>;

/** The list of the bell: what it shows, or that it is loading or failed. */
interface List {
  readonly items: readonly Notification[] | undefined;
  readonly hasFailed: boolean;
  readonly isUnreadOnly: boolean;
}

export const list = signal<List>({ items: undefined, hasFailed: false, isUnreadOnly: false });

const shown = 12;
let latest = 0;

/** Loads the newest notifications. What was shown stays until they are there. */
export const load = async (): Promise<void> => {
  const request = ++latest;
  // An effect that loads must not depend on what it loads.
  const { isUnreadOnly } = list.peek();
  const query = { pageSize: shown, ...(isUnreadOnly && { unread: 'true' as const }) };
  try {
    const { items } = await api.call('GET /api/notifications', { query });
    if (request === latest) list.value = { ...list.value, items, hasFailed: false };
  } catch {
    if (request === latest) list.value = { ...list.value, hasFailed: true };
  }
};

/** Shows all notifications, or unread ones. */
export const filter = (isUnreadOnly: boolean): Promise<void> => {
  list.value = { items: undefined, hasFailed: false, isUnreadOnly };
  return load();
};

/** Shows the matching notifications as read, and this number of unread ones. */
const showRead = (isRead: (one: Notification) => boolean, unreadNotifications: number): void => {
  const items = list.value.items?.map((one) => (isRead(one) ? { ...one, read: true } : one));
  list.value = { ...list.value, items };
  updates.value = { ...updates.value, unreadNotifications };
};

/** Shows a change at once, sends it, and puts everything back if that fails. */
const change = async (
  show: () => void,
  send: () => Promise<unknown>,
  retry: () => unknown,
): Promise<void> => {
  const before = [list.value, updates.value] as const;
  show();
  try {
    await send();
  } catch {
    [list.value, updates.value] = before;
    showFailure(texts.notMarked, retry);
  }
};

/** Marks a notification as read. The request outlives the page, because its link may be open by then. */
export const markRead = async (notification: Notification): Promise<void> => {
  if (notification.read) return;
  const { id } = notification;
  const unread = Math.max(0, updates.value.unreadNotifications - 1);
  await change(
    () => showRead((one) => one.id === id, unread),
    () => api.call('PUT /api/notifications/{id}/read', { params: { id }, keepalive: true }),
    () => markRead(notification),
  );
};

/** Marks all notifications as read. */
export const markAllRead = (): Promise<void> =>
  change(
    () => showRead(() => true, 0),
    () => api.call('PUT /api/notifications/read-all'),
    markAllRead,
  );
