import { batch, computed, signal } from '@preact/signals';
import { ApiError } from '../../../../browser/client/api-error.ts';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { createDeletions } from '../../../../browser/data/deletions.ts';
import {
  createPagedList,
  type ListPage,
  type PageStart,
} from '../../../../browser/data/paged-list.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { may } from '../../../../browser/shell/session.ts';
import { updates } from '../../../../browser/shell/updates.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { loadNew, removeConversation, rows, showUnread } from './conversations.ts';
import { loadNewest, type Message } from './message-list.ts';
import { isOwn, type Person, senderName } from './participants.ts';
import { url, view } from './url.ts';

const pageSize = 50;

const peopleOf = signal<{ readonly id: number; readonly people: readonly Person[] } | undefined>(
  undefined,
);

/** The other people of the open conversation. */
export const people = computed(() =>
  peopleOf.value?.id === view.value.open ? (peopleOf.value?.people ?? []) : [],
);

const read = async (start: PageStart): Promise<ListPage<Message>> => {
  const id = view.value.open ?? 0;
  const { participants, ...page } = await api.call('GET /api/messages/conversations/{id}', {
    params: { id },
    query: { pageSize, ...start },
  });
  peopleOf.value = { id, people: participants };
  return page;
};

/** The messages of the open conversation, newest first. */
export const messages = createPagedList<Message>(read);

const deletions = createDeletions<Message, number>({
  items: messages.items,
  getId: ({ id }) => id,
  getName: (message) => texts.messageFrom(senderName(message)),
  send: ({ id }, { keepalive }) =>
    api.call('DELETE /api/messages/{id}', { params: { id }, keepalive }),
  onDeleted: loadNew,
});

/** The messages to show, newest first. */
export const shown = computed(() =>
  messages.items.value?.filter(({ id }) => !deletions.hidden.value.has(id)),
);

/** Deletes the user’s copy of a message, which can be undone for some seconds. */
export const removeMessage = (message: Message): void => deletions.remove([message]);

/** Deletes the open conversation, which can be undone for some seconds. */
export const removeOpen = (): void => {
  const row = rows.value?.find(({ id }) => id === view.value.open);
  const known = messages.items.value ?? [];
  url.close({ open: undefined, at: undefined });
  if (row) removeConversation(row, known);
};

const countUnread = (change: number): void => {
  const unreadMessages = Math.max(0, updates.value.unreadMessages + change);
  updates.value = { ...updates.value, unreadMessages };
};

const setRead = (ids: ReadonlySet<number>, isRead: boolean): void => {
  messages.items.value = messages.items.value?.map((message) =>
    ids.has(message.id) ? { ...message, read: isRead } : message,
  );
};

const send = (id: number, isRead: boolean) =>
  api.call('PUT /api/messages/{id}/read', { params: { id }, body: { read: isRead } });

/** Marks all loaded messages as read, at once on the page. What fails comes back as unread. */
const markRead = async (): Promise<void> => {
  const id = view.value.open;
  const unread = messages.items.value?.filter((message) => !message.read) ?? [];
  if (id === undefined || unread.length === 0) return;
  batch(() => {
    setRead(new Set(unread.map((message) => message.id)), true);
    showUnread(id, false);
    countUnread(-unread.length);
  });
  const { failed } = await runForEach(unread, (message) => send(message.id, true));
  const [first] = failed;
  if (!first) return;
  batch(() => {
    setRead(new Set(failed.map(({ item }) => item.id)), false);
    showUnread(id, true);
    countUnread(failed.length);
  });
  showFailure(texts.notRead(first.error.message), markRead);
};

/** Marks the newest received message as unread and closes the conversation. */
export const markUnread = async (): Promise<void> => {
  const id = view.value.open;
  const message = shown.value?.find((one) => !isOwn(one));
  if (id === undefined || !message) return;
  url.close({ open: undefined, at: undefined });
  showUnread(id, true);
  countUnread(1);
  try {
    await send(message.id, false);
  } catch (error) {
    showUnread(id, false);
    countUnread(-1);
    showFailure(texts.notUnread((error as Error).message), markUnread);
  }
};

/** A link can name any message of a conversation. */
const openByMessage = async (id: number): Promise<void> => {
  const { conversationId } = await api.call('GET /api/messages/{id}', { params: { id } });
  if (view.value.open === id && conversationId !== id) url.change({ open: conversationId });
};

/** Loads the open conversation and marks it as read. */
export const loadConversation = async (): Promise<void> => {
  const id = view.value.open;
  if (id === undefined) return;
  await messages.load(1);
  const failure = messages.failure.value;
  if (failure instanceof ApiError && failure.status === 404) {
    await openByMessage(id).catch(() => undefined);
  } else if (view.value.open === id && may('messages:view')) {
    await loadUntilGoal();
  }
};

/** How many further pages are loaded to reach a message. */
const maxPages = 40;

/** Loads older messages until the one to scroll to is there. */
export const loadUntilGoal = async (): Promise<void> => {
  const { open, at } = view.value;
  const isWanted = () => view.value.open === open && view.value.at === at;
  const isThere = () => messages.items.value?.some(({ id }) => id === at);
  for (let page = 0; at !== undefined && page < maxPages; page += 1) {
    if (!isWanted() || isThere() || !messages.hasNext.value || messages.failure.value) break;
    await messages.loadMore();
  }
  await markRead();
};

/** Loads what is new in the open conversation and marks it as read. */
export const loadNewMessages = async (): Promise<void> => {
  if (view.value.open === undefined || document.hidden) return;
  await loadNewest(
    messages,
    () => read({ page: 1 }),
    ({ id }) => id,
  );
  await markRead();
};

/** Loads older messages. */
export const loadOlder = async (): Promise<void> => {
  if (messages.isLoading.value) return;
  await messages.loadMore();
  await markRead();
};

/** Loads the whole text of a message. */
export const loadWhole = async ({ id }: Message): Promise<void> => {
  const whole = await api.call('GET /api/messages/{id}', { params: { id } });
  messages.items.value = messages.items.value?.map((one) =>
    one.id === id ? { ...whole, read: one.read } : one,
  );
};

/** Shows a message that was just sent. */
export const addSent = (message: Message): void => {
  if (message.conversationId === view.value.open) {
    const loaded = messages.items.value ?? [];
    messages.items.value = [message, ...loaded.filter(({ id }) => id !== message.id)];
  }
  void loadNew();
};
