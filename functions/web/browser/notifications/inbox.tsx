// Names and pictures of people come with what lists load, so that those pages don't load them apart.
import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { shellTexts } from '../shell/texts.ts';
import { polledChanges, updates } from '../shell/updates.ts';
import { filter, items, list, load, reading } from './inbox-list.ts';
import { NotificationEntry } from './notification-entry.tsx';
import { groupByConversation, keyOf } from './notification-groups.ts';
import { notificationTexts } from './texts.ts';

const texts = { ...shellTexts.bell, ...notificationTexts };

/** The most entries of the bell. */
const shown = 12;

const Skeleton = () => (
  <ul aria-hidden="true">
    {[0, 1, 2].map((row) => (
      <li key={row}>
        <div class="row">
          <span class="sk av" />
          <span class="grow stack">
            <span class="sk b" />
            <span class="sk a" />
          </span>
        </div>
      </li>
    ))}
  </ul>
);

const Content = () => {
  const { hasFailed, isUnreadOnly } = list.value;
  if (hasFailed) {
    return (
      <div class="note bad" role="alert">
        {texts.failed}
        <button type="button" class="btn sm" onClick={() => void load()}>
          {shellTexts.tryAgain}
        </button>
      </div>
    );
  }
  if (!items.value) return <Skeleton />;
  if (items.value.length > 0) {
    return (
      <ul>
        {groupByConversation(items.value)
          .slice(0, shown)
          .map((group) => (
            <NotificationEntry
              key={keyOf(group)}
              group={group}
              onRead={() => void reading.mark(group)}
            />
          ))}
      </ul>
    );
  }
  return (
    <div class="empty">
      <h3>{isUnreadOnly ? texts.noneUnread : texts.none}</h3>
      {isUnreadOnly ? (
        <button type="button" class="btn" onClick={() => void filter(false)}>
          {texts.showAll}
        </button>
      ) : (
        <p>{texts.noneAbout}</p>
      )}
    </div>
  );
};

/** The notifications of the bell. */
export const Inbox = () => {
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  useSignalEffect(() => {
    if (polledChanges.value >= 0) void load();
  });
  const { isUnreadOnly } = list.value;
  return (
    <>
      <div class="h">
        <h2>{texts.title}</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a look of its own */}
        <span class="seg" role="group" aria-label={texts.filter}>
          {[false, true].map((unread) => (
            <button
              key={unread}
              ref={unread ? null : first}
              type="button"
              aria-pressed={unread === isUnreadOnly}
              onClick={() => void filter(unread)}
            >
              {unread ? texts.unread : texts.all}
            </button>
          ))}
        </span>
        <button
          type="button"
          class="btn ghost sm end"
          disabled={updates.value.unreadNotifications === 0}
          onClick={() => void reading.markAll()}
        >
          {texts.markAll}
        </button>
      </div>
      <div class="entries">
        <Content />
      </div>
      <a class="btn ghost wide" href="/notifications">
        {texts.showPage}
      </a>
    </>
  );
};
