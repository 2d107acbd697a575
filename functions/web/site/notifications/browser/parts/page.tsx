import { Button } from '../../../../browser/components/button.tsx';
import { Empty, NoResults } from '../../../../browser/components/empty.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { Tabs } from '../../../../browser/components/tabs.tsx';
import { groupByDay } from '../../../../browser/data/days.ts';
import { NotificationEntry } from '../../../../browser/notifications/notification-entry.tsx';
import type { Notification } from '../../../../browser/notifications/notification-reading.ts';
import { updates } from '../../../../browser/shell/updates.ts';
import { notificationsTexts as texts } from '../../texts.ts';
import { type Filter, filters, parseView, toUrl } from '../../view.ts';
import { deletions, list, reading, url } from './state.ts';

const SettingsDrawer = lazily(async () => (await import('./settings-drawer.tsx')).SettingsDrawer);

const labelOf = (show: Filter): string =>
  show === 'all' || show === 'unread' ? texts[show] : texts.types[show];

const Entry = ({ notification }: { readonly notification: Notification }) => (
  <NotificationEntry notification={notification} onRead={() => void reading.mark(notification)}>
    <Button
      kind="ghost"
      size="sm"
      icon="trash"
      label={texts.remove(notification.title)}
      onClick={() => deletions.remove([notification])}
    />
  </NotificationEntry>
);

const Nothing = () => {
  const { show } = url.view.value;
  if (show === 'all') return <Empty title={texts.none} text={texts.noneAbout} />;
  const text = show === 'unread' ? texts.noneUnread : texts.noneOfType;
  return <NoResults text={text} clear={() => url.change({ show: 'all' })} />;
};

const Entries = () => {
  const items = list.items.value?.filter(({ id }) => !deletions.hidden.value.has(id));
  if (!items) return list.failure.value ? null : <Skeleton lines={6} hasAvatars />;
  if (items.length === 0 && !list.hasNext.value) return <Nothing />;
  return (
    <>
      {groupByDay(items).map(({ day, label, items: ofDay }) => (
        <section key={day} aria-label={label}>
          <h2 class="day">{label}</h2>
          <ul class="card entries">
            {ofDay.map((notification) => (
              <Entry key={notification.id} notification={notification} />
            ))}
          </ul>
        </section>
      ))}
      {list.hasNext.value && (
        <Button isBusy={list.isLoading.value} onClick={list.loadMore}>
          {texts.showMore}
        </Button>
      )}
    </>
  );
};

/** The user’s notifications by day, and the settings of what there will be. */
export const Notifications = () => {
  const { show, open } = url.view.value;
  const unread = updates.value.unreadNotifications;
  return (
    <div class={open === undefined ? '' : 'split'}>
      <div class="pad">
        <Tabs
          label={texts.tabs}
          tabs={filters.map((one) => ({
            href: toUrl({ show: one, open }),
            label: labelOf(one),
            count: one === 'unread' && unread > 0 ? unread : undefined,
            isCurrent: one === show,
          }))}
          onOpen={(href) => url.change(parseView(new URL(href, location.href).searchParams))}
        />
        {list.failure.value && (
          <Failure error={list.failure.value} again={() => list.load(list.page.value)} />
        )}
        <Entries />
      </div>
      {open === 'settings' && <SettingsDrawer />}
    </div>
  );
};
