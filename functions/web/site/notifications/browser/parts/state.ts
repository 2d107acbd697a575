import { computed, effect } from '@preact/signals';
import { groupByDay } from '../../../../browser/data/days.ts';
import { createDeletions } from '../../../../browser/data/deletions.ts';
import { createPagedList } from '../../../../browser/data/paged-list.ts';
import { createUrlState } from '../../../../browser/data/url-state.ts';
import type { Notification } from '../../../../browser/notifications/notification.ts';
import { groupByConversation } from '../../../../browser/notifications/notification-groups.ts';
import { createReading } from '../../../../browser/notifications/notification-reading.ts';
import { api } from '../../../../browser/shell/api.ts';
import { polledChanges, updates } from '../../../../browser/shell/updates.ts';
import { type Filter, parseView, toUrl, type View } from '../../view.ts';

const pageSize = 30;

const toQuery = (show: Filter) => {
  if (show === 'all') return {};
  return show === 'unread' ? { unread: 'true' as const } : { type: show };
};

export const url = createUrlState<View>({
  parse: parseView,
  toUrl,
  onChange: (next, before) => {
    if (next.show === before.show) return;
    list.items.value = undefined;
    void list.load(1);
  },
});

export const list = createPagedList<Notification>((start) =>
  api.call('GET /api/notifications', {
    query: { ...toQuery(url.view.value.show), pageSize, ...start },
  }),
);

export const reading = createReading(list.items);

const showRemoved = ({ read }: Notification) => {
  if (read) return;
  const unreadNotifications = Math.max(0, updates.value.unreadNotifications - 1);
  updates.value = { ...updates.value, unreadNotifications };
};

export const deletions = createDeletions<Notification, number>({
  items: list.items,
  getId: ({ id }) => id,
  getName: ({ title }) => title,
  send: async (notification, { keepalive }) => {
    const params = { id: notification.id };
    await api.call('DELETE /api/notifications/{id}', { params, keepalive });
    showRemoved(notification);
  },
});

/** The entries of the page by day: those of a conversation are one. */
export const days = computed(() =>
  groupByDay(list.items.value?.filter(({ id }) => !deletions.hidden.value.has(id)) ?? []).map(
    (day) => ({ ...day, groups: groupByConversation(day.items) }),
  ),
);

// What arrives is shown, unless the user has gone on to older ones.
effect(() => {
  if (polledChanges.value > 0 && list.page.peek() === 1) void list.load(1);
});

// The bell can mark all as read, too.
effect(() => {
  if (updates.value.unreadNotifications > 0) return;
  const items = list.items.peek();
  if (items?.some(({ read }) => !read)) {
    list.items.value = items.map((one) => ({ ...one, read: true }));
  }
});
