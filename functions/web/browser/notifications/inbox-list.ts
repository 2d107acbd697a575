import { signal } from '@preact/signals';
import { api } from '../shell/api.ts';
import type { Notification } from './notification.ts';
import { createReading } from './notification-reading.ts';

/** How the bell shows its list: that loading failed, or only the unread ones. */
interface List {
  readonly hasFailed: boolean;
  readonly isUnreadOnly: boolean;
}

/** The notifications of the bell; `undefined` while it loads the first time. */
export const items = signal<readonly Notification[] | undefined>(undefined);

export const list = signal<List>({ hasFailed: false, isUnreadOnly: false });

export const reading = createReading(items);

/** More than the bell shows, because those of a conversation are one entry. */
const pageSize = 30;
let latest = 0;

/** Loads the newest notifications. What was shown stays until they are there. */
export const load = async (): Promise<void> => {
  const request = ++latest;
  // An effect that loads must not depend on what it loads.
  const { isUnreadOnly } = list.peek();
  const query = { pageSize, ...(isUnreadOnly && { unread: 'true' as const }) };
  try {
    const page = await api.call('GET /api/notifications', { query });
    if (request !== latest) return;
    items.value = page.items;
    list.value = { ...list.value, hasFailed: false };
  } catch {
    if (request === latest) list.value = { ...list.value, hasFailed: true };
  }
};

/** Shows all notifications, or unread ones. */
export const filter = (isUnreadOnly: boolean): Promise<void> => {
  items.value = undefined;
  list.value = { hasFailed: false, isUnreadOnly };
  return load();
};
