import { Button } from '../../../../browser/components/button.tsx';
import { Empty, NoResults } from '../../../../browser/components/empty.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { Tabs } from '../../../../browser/components/tabs.tsx';
import { NotificationEntry } from '../../../../browser/notifications/notification-entry.tsx';
import {
  describe,
  type Group,
  keyOf,
} from '../../../../browser/notifications/notification-groups.ts';
import { updates } from '../../../../browser/shell/updates.ts';
import { notificationsTexts as texts } from '../../texts.ts';
import { type Filter, filters, parseView, toUrl } from '../../view.ts';
import { days, deletions, list, reading, url } from './state.ts';

const SettingsDrawer = lazily(async () => (await import('./settings-drawer.tsx')).SettingsDrawer);

const labelOf = (show: Filter): string =>
  show === 'all' || show === 'unread' ? texts[show] : texts.types[show];

const Entry = ({ group }: { readonly group: Group }) => (
  <NotificationEntry group={group} onRead={() => void reading.mark(group)}>
    <Button
      kind="ghost"
      size="sm"
      icon="trash"
      label={texts.remove(describe(group))}
      onClick={() => deletions.remove(group)}
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
  if (!list.items.value) return list.failure.value ? null : <Skeleton lines={6} hasAvatars />;
  if (days.value.length === 0 && !list.hasNext.value) return <Nothing />;
  return (
    <>
      {days.value.map(({ day, label, groups }) => (
        <section key={day} aria-label={label}>
          <h2 class="day">{label}</h2>
          <ul class="card entries">
            {groups.map((group) => (
              <Entry key={keyOf(group)} group={group} />
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
