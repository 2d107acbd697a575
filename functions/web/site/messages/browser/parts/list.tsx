import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Avatar } from '../../../../browser/components/avatar.tsx';
import { Empty, NoResults } from '../../../../browser/components/empty.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { SearchField } from '../../../../browser/components/search-field.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { isPlainClick, Segments } from '../../../../browser/components/tabs.tsx';
import { formatList } from '../../../../browser/data/format.ts';
import { formatAge } from '../../../../browser/shell/relative-time.ts';
import { may } from '../../../../browser/shell/session.ts';
import { updates } from '../../../../browser/shell/updates.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { shows, toUrl } from '../../view.ts';
import { getKey, hasNone, isOpen, isSearch, list, type Row, rows } from './conversations.ts';
import { nameOthers } from './participants.ts';
import { url, view } from './url.ts';

/** The height of a row, as in the style sheet. rem. */
const rowHeight = 5.3125;
const searchDelayMs = 250;
/** How many rows beyond the visible ones are there, so that fast scrolling shows no gap. */
const margin = 8;

const getRowPx = (): number =>
  rowHeight * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The first row that is rendered, and how many are. */
const rendered = signal({ first: 0, count: 30 });
/** The row that gets the focus once it is rendered. */
const focusAt = signal<number | undefined>(undefined);

/** Renders the rows that are visible, and some beyond. */
const update = ({ scrollTop, clientHeight }: HTMLElement): void => {
  const height = getRowPx();
  // In steps, so that scrolling rarely renders.
  const step = Math.floor(scrollTop / height / (margin / 2)) * (margin / 2);
  const first = Math.max(0, step - margin);
  const count = Math.ceil(clientHeight / height) + 3 * margin;
  const { value } = rendered;
  if (first !== value.first || count !== value.count) rendered.value = { first, count };
};

/** What the address says while a row is open. */
const toOpen = ({ id, message }: Row) => ({
  open: id,
  at: isSearch() ? message.id : undefined,
  isNew: false,
});

const open = (row: Row) =>
  url.change(toOpen(row), view.value.open === undefined ? 'push' : 'replace');

const FoundRow = lazily(async () => (await import('./found-row.tsx')).FoundRow);

const About = ({ row }: { readonly row: Row }) => (
  <>
    <p class="cut" dir="auto">
      {row.isUnread && <span class="vh">{texts.unreadRow}: </span>}
      {row.subject}
    </p>
    <p class="cut" dir="auto">
      {row.excerpt.slice(0, 200)}
    </p>
  </>
);

const Entry = ({ row, at }: { readonly row: Row; readonly at: number }) => (
  <li class={row.isUnread ? 'new' : undefined}>
    <a
      href={toUrl({ ...view.value, ...toOpen(row) })}
      data-at={at}
      aria-current={isOpen(row) ? 'true' : undefined}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        open(row);
      }}
    >
      <Avatar name={row.people[0]?.name ?? texts.you} />
      <b class="cut" title={formatList(row.people.map(({ name }) => name))} dir="auto">
        {nameOthers(row.people)}
      </b>
      <time dateTime={row.createdAt}>{formatAge(row.createdAt)}</time>
      {isSearch() ? <FoundRow row={row} /> : <About row={row} />}
    </a>
  </li>
);

/** Moves the focus to a row by its position, which may not be rendered yet. */
export const focusConversation = (at: number): void => {
  const box = document.querySelector<HTMLElement>('.convs .rows');
  if (!box || at < 0 || at >= (rows.value?.length ?? 0)) return;
  const height = getRowPx();
  if (at * height < box.scrollTop) box.scrollTop = at * height;
  const bottom = (at + 1) * height - box.clientHeight;
  if (bottom > box.scrollTop) box.scrollTop = bottom;
  update(box);
  focusAt.value = at;
};

const Rows = ({ all }: { readonly all: readonly Row[] }) => {
  const box = useRef<HTMLDivElement>(null);
  const { first, count } = rendered.value;
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => update(current));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    // As of now: the effect may run after the next page has arrived.
    const shown = rendered.value.first + rendered.value.count;
    const isAtEnd = shown >= (rows.value?.length ?? 0);
    const isWaiting = list.isLoading.value || list.failure.value !== undefined;
    if (isAtEnd && list.hasNext.value && !isWaiting) void list.loadMore();
  }, [first, count, all.length, list.hasNext.value, list.isLoading.value]);
  const focused = focusAt.value;
  useEffect(() => {
    if (focused === undefined) return;
    box.current?.querySelector<HTMLElement>(`[data-at="${focused}"]`)?.focus();
    focusAt.value = undefined;
  }, [focused]);
  const px = getRowPx();
  const last = Math.min(all.length, first + count);
  return (
    <div class="rows" ref={box} onScroll={({ currentTarget }) => update(currentTarget)}>
      <ul style={{ paddingTop: `${first * px}px`, paddingBottom: `${(all.length - last) * px}px` }}>
        {all.slice(first, last).map((row, index) => (
          <Entry key={getKey(row)} row={row} at={first + index} />
        ))}
      </ul>
    </div>
  );
};

const Nothing = () => {
  const { show, search } = view.value;
  if (search !== '') {
    return <NoResults text={texts.noneFound} clear={() => url.change({ search: '' })} />;
  }
  if (show === 'all') {
    if (!may('messages:create')) return <p class="small mute empty">{texts.none}</p>;
    return <Empty title={texts.none} text={texts.noneAbout} />;
  }
  const text = show === 'unread' ? texts.noneUnread : texts.noneSent;
  return <NoResults text={text} clear={() => url.change({ show: 'all' })} />;
};

const Content = () => {
  const all = rows.value;
  if (!all) return list.failure.value ? null : <Skeleton lines={6} hasAvatars />;
  return all.length === 0 && !list.hasNext.value ? <Nothing /> : <Rows all={all} />;
};

/** The conversations of the user. */
export const Conversations = () => {
  const { show, search } = view.value;
  const unread = updates.value.unreadMessages;
  return (
    <section class="convs" aria-label={texts.conversations}>
      <div>
        <Segments
          label={texts.show}
          value={show}
          options={shows.map((value) => ({
            value,
            label:
              value === 'unread' && unread > 0 ? (
                <>
                  {texts.shows.unread} <span class="count on">{unread}</span>
                </>
              ) : (
                texts.shows[value]
              ),
          }))}
          onChange={(next) => url.change({ show: next, search: '', at: undefined })}
        />
        {show === 'all' && !hasNone.value && (
          <SearchField
            label={texts.search}
            value={search}
            delayMs={searchDelayMs}
            onInput={(next) => url.change({ search: next, at: undefined })}
          />
        )}
      </div>
      {list.failure.value && (
        <Failure error={list.failure.value} again={() => list.load(list.page.value)} />
      )}
      <Content />
    </section>
  );
};
