import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { Menu, type MenuItem } from '../../../../browser/components/menu.tsx';
import { Failure, Notice } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { groupByDay } from '../../../../browser/data/days.ts';
import { may } from '../../../../browser/shell/session.ts';
import { talkTexts } from '../../talk-texts.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { Back } from './back.tsx';
import {
  loadConversation,
  loadOlder,
  loadWhole,
  markUnread,
  messages,
  people,
  removeOpen,
  shown,
} from './conversation.ts';
import { MessageView } from './message.tsx';
import type { Message } from './message-list.ts';
import { isOwn } from './participants.ts';
import { Faces, People } from './people.tsx';
import { Reply } from './reply.tsx';
import { focusReply, hasChoice, replyToAll } from './reply-target.ts';
import { url, view } from './url.ts';

/** The most messages that are rendered at once. */
const maxRendered = 100;
/** How many more messages are rendered when the reader comes near an end. */
const step = 40;
/** How near. px. */
const nearPx = 400;

/** What the reader looks at: the end, or a message and its distance from the top. */
interface Place {
  readonly isAtEnd: boolean;
  readonly id?: string | undefined;
  readonly top: number;
}

const findPlace = (log: HTMLElement): Place => {
  const box = log.getBoundingClientRect();
  const first = [...log.querySelectorAll<HTMLElement>('.msg')].find(
    (one) => one.getBoundingClientRect().bottom > box.top,
  );
  return {
    isAtEnd: log.scrollTop + log.clientHeight >= log.scrollHeight - 40,
    id: first?.dataset['id'],
    top: first ? first.getBoundingClientRect().top - box.top : 0,
  };
};

/** Scrolls so that a place stays where it was. */
const restore = (log: HTMLElement, { isAtEnd, id, top }: Place, hasNewest: boolean): void => {
  if (isAtEnd && hasNewest) {
    log.scrollTop = log.scrollHeight;
    return;
  }
  const one = id && log.querySelector<HTMLElement>(`[data-id="${id}"]`);
  if (!one) return;
  const moved = one.getBoundingClientRect().top - log.getBoundingClientRect().top - top;
  if (Math.abs(moved) >= 1) log.scrollTop += moved;
};

/** The messages, oldest first. Of many, those around the reader are rendered. */
const Log = ({ all }: { readonly all: readonly Message[] }) => {
  const log = useRef<HTMLDivElement>(null);
  const place = useRef<Place>({ isAtEnd: true, top: 0 });
  /** How many of the newest messages aren’t rendered. */
  const skipped = useSignal(0);
  const { value: from } = skipped;
  const move = (by: number) => {
    const last = Math.max(0, all.length - maxRendered);
    skipped.value = Math.min(last, Math.max(0, from + by));
  };
  const onScroll = () => {
    const { current } = log;
    if (!current) return;
    place.current = findPlace(current);
    const { scrollTop, scrollHeight, clientHeight } = current;
    if (scrollTop < nearPx) {
      if (from + maxRendered < all.length) move(step);
      else if (messages.hasNext.value) void loadOlder();
    } else if (from > 0 && scrollTop + clientHeight > scrollHeight - nearPx) move(-step);
  };
  useLayoutEffect(() => {
    const { current } = log;
    if (!current) return;
    restore(current, place.current, from === 0);
    // Older ones that were waited for.
    if (current.scrollTop < nearPx && from + maxRendered < all.length) move(step);
  });
  const { at: goal } = view.value;
  const reached = useRef<number>(undefined);
  const whole = useRef<number>(undefined);
  useLayoutEffect(() => {
    const index = all.findIndex(({ id }) => id === goal);
    const message = all[index];
    if (!message || reached.current === goal) return;
    if (index < from || index >= from + maxRendered) {
      move(index - maxRendered / 2 - from);
      return;
    }
    const { current } = log;
    const article = current?.querySelector(`[data-id="${goal}"]`);
    if (!current || !article) return;
    const found = article.querySelector('mark');
    (found ?? article).scrollIntoView({ block: 'center' });
    place.current = findPlace(current);
    const isCut = message.isExcerpt && !found && whole.current !== goal;
    if (!isCut) reached.current = goal;
    whole.current = goal;
    // What was found may be behind the part that is shown.
    if (isCut) void loadWhole(message).catch(() => undefined);
  });
  const days = groupByDay(all.slice(from, from + maxRendered).toReversed());
  return (
    <div
      class="talk"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys too
      tabIndex={0}
      role="log"
      aria-label={talkTexts.messages}
      ref={log}
      onScroll={onScroll}
    >
      {messages.failure.value && <Failure error={messages.failure.value} again={loadOlder} />}
      {days.map(({ day, label, items }, at) => (
        <>
          {at > 0 && (
            <div class="dayline" key={day}>
              <span>{label}</span>
            </div>
          )}
          {items.map((message) => (
            <MessageView key={message.id} message={message} />
          ))}
        </>
      ))}
    </div>
  );
};

const close = () => url.close({ open: undefined, at: undefined });

const actionsOf = (all: readonly Message[]): readonly MenuItem[] => [
  ...(may('messages:create')
    ? [
        { label: texts.reply, icon: 'reply' as const, shortcut: 'r', run: focusReply },
        ...(hasChoice.value
          ? [{ label: texts.replyAll, icon: 'replyall' as const, shortcut: 'a', run: replyToAll }]
          : []),
      ]
    : []),
  ...(all.some((message) => !isOwn(message))
    ? [{ label: texts.markUnread, icon: 'mail' as const, shortcut: 'u', run: markUnread }]
    : []),
  ...(may('messages:delete')
    ? [
        {
          label: talkTexts.deleteConversation,
          icon: 'trash' as const,
          isBad: true,
          startsGroup: true,
          run: removeOpen,
        },
      ]
    : []),
];

const Header = ({ all }: { readonly all: readonly Message[] }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const [newest] = all;
  useLayoutEffect(() => {
    heading.current?.focus();
  }, []);
  if (!newest) return null;
  const actions = actionsOf(all);
  return (
    <div class="talk-h">
      <Back onClick={close} />
      <Faces people={people.value} />
      <div class="grow">
        <h2 class="cut" ref={heading} tabIndex={-1} dir="auto" title={newest.subject ?? undefined}>
          {newest.subject ?? texts.noSubject}
        </h2>
        <People people={people.value} />
      </div>
      {all.some((message) => !isOwn(message)) && (
        <Button kind="ghost" icon="mail" label={texts.markUnread} onClick={markUnread} />
      )}
      <Menu label={talkTexts.more} items={actions} isLarge />
    </div>
  );
};

/** The open conversation. */
export const Talk = ({ id }: { readonly id: number }) => {
  const all = shown.value;
  const failure = messages.failure.value;
  if (!all) {
    return (
      <section>
        <div class="pad">
          <Back onClick={close} />
          {failure ? (
            <Failure error={failure} again={loadConversation} />
          ) : (
            <Skeleton lines={4} hasAvatars />
          )}
        </div>
      </section>
    );
  }
  const [newest] = all;
  if (!newest) {
    return (
      <section>
        <div class="pad">
          <Back onClick={close} />
          <Notice>{talkTexts.notFound}</Notice>
        </div>
      </section>
    );
  }
  return (
    <section aria-label={newest.subject ?? texts.noSubject}>
      <Header key={id} all={all} />
      <Log key={`log-${id}`} all={all} />
      {may('messages:create') && <Reply id={id} />}
    </section>
  );
};
