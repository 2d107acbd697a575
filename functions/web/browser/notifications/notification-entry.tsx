import type { ComponentChildren } from 'preact';
import { toPagePath } from '../../../../shared/notifications/page-path.ts';
import type { IconName } from '../../layout/icons.ts';
import { Avatar } from '../components/avatar.tsx';
import { formatAge } from '../shell/relative-time.ts';
import type { Notification } from './notification.ts';
import { describe, type Group } from './notification-groups.ts';
import { notificationTexts } from './texts.ts';

const texts = notificationTexts;

const icons: Readonly<Record<Notification['type'], IconName>> = {
  system: 'info',
  user: 'users',
  message: 'chat',
  task: 'check',
  alert: 'alert',
};

const iconOf = ({ type, link }: Notification): IconName =>
  link?.startsWith('/api/calendar/') ? 'cal' : icons[type];

interface NotificationEntryProps {
  readonly group: Group;
  /** Called when it is opened or marked as read. */
  readonly onRead: () => unknown;
  /** After the button that marks it as read. */
  readonly children?: ComponentChildren;
}

/** A notification in a list, or those of a conversation: what happened and who did it, which leads to its page. */
export const NotificationEntry = ({ group, onRead, children }: NotificationEntryProps) => {
  const [latest] = group;
  const { content: text, createdAt, link } = latest;
  const title = describe(group);
  const read = group.every((one) => one.read);
  const content = (
    <>
      {latest.sender ? (
        <Avatar name={latest.sender.name} />
      ) : (
        <span class="glyph">
          <i class={`i-${iconOf(latest)}`} />
        </span>
      )}
      <b class="cut" dir="auto">
        {title}
      </b>
      <time dateTime={createdAt}>{formatAge(createdAt)}</time>
      <p class="cut" dir="auto">
        {text}
      </p>
    </>
  );
  return (
    <li class={read ? '' : 'new'}>
      {link === null ? (
        <div class="entry" tabIndex={-1}>
          {content}
        </div>
      ) : (
        <a class="entry" href={toPagePath(link)} onClick={onRead}>
          {content}
        </a>
      )}
      {!read && (
        <button
          type="button"
          class="btn ghost icon sm"
          aria-label={texts.mark(title)}
          onClick={onRead}
        >
          <i class="i-check" />
        </button>
      )}
      {children}
    </li>
  );
};
