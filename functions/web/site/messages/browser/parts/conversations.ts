import { computed, signal } from '@preact/signals';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { createDeletions } from '../../../../browser/data/deletions.ts';
import { firstName } from '../../../../browser/data/format.ts';
import {
  createPagedList,
  type ListPage,
  type PageStart,
} from '../../../../browser/data/paged-list.ts';
import { api } from '../../../../browser/shell/api.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { loadNewest, type Message } from './message-list.ts';
import { isOwn, listOthers, type Person, senderName } from './participants.ts';
import { view } from './url.ts';

/** A conversation in the list. */
export interface Row {
  readonly id: number;
  /** The other people. */
  readonly people: readonly Person[];
  readonly subject: string;
  readonly excerpt: string;
  readonly createdAt: string;
  readonly isUnread: boolean;
  readonly message: Message;
}

const pageSize = 50;

/** The beginning of a message, with who says it if that isn’t clear. */
const toExcerpt = (message: Message, people: readonly Person[]): string => {
  if (!isOwn(message) && people.length < 2) return message.content;
  return texts.said(firstName(senderName(message)), message.content);
};

const toRow = (message: Message, people: readonly Person[], isUnread: boolean): Row => ({
  id: message.conversationId,
  people,
  subject: message.subject ?? texts.noSubject,
  excerpt: toExcerpt(message, people),
  createdAt: message.createdAt,
  isUnread,
  message,
});

const read = async (start: PageStart): Promise<ListPage<Row>> => {
  const { show } = view.value;
  const search = view.value.search.trim();
  if (show === 'all' && search === '') {
    const query = { pageSize, ...start };
    const page = await api.call('GET /api/messages/conversations', { query });
    const rows = page.items.map(({ lastMessage, participants, unreadCount }) =>
      toRow(lastMessage, participants, unreadCount > 0),
    );
    return { ...page, items: rows };
  }
  const filters = {
    all: { box: 'all', search },
    unread: { unread: 'true' },
    sent: { box: 'sent' },
  } as const;
  const page = await api.call('GET /api/messages', {
    query: { ...filters[show], pageSize, ...start },
  });
  return {
    ...page,
    items: page.items.map((message) => toRow(message, listOthers(message), !message.read)),
  };
};

export const list = createPagedList<Row>(read);

/** Returns whether the list shows the messages that a search has found. */
export const isSearch = (): boolean => view.value.show === 'all' && view.value.search.trim() !== '';

/** What there is one row of: a conversation, or a message that a search has found. */
export const getKey = ({ id, message }: Row): number => (isSearch() ? message.id : id);

/** Returns whether a row is that of what is open. */
export const isOpen = ({ id, message }: Row): boolean => {
  const { open, at } = view.value;
  return id === open && (!isSearch() || at === undefined || at === message.id);
};

/** Loads what is new. */
export const loadNew = (): Promise<void> => loadNewest(list, () => read({ page: 1 }), getKey);

/** Deletes the user’s messages of a conversation; those that are shown are known. */
const sendDeletion = async (
  { id }: Row,
  known: readonly Message[],
  keepalive: boolean,
): Promise<void> => {
  const ids = new Set(known.map((message) => message.id));
  const removeAll = async () => {
    const { failed } = await runForEach([...ids], (messageId) =>
      api.call('DELETE /api/messages/{id}', { params: { id: messageId }, keepalive }),
    );
    ids.clear();
    const error = failed.find((one) => (one.error as { status?: number }).status !== 404)?.error;
    if (error) throw error;
  };
  await removeAll();
  if (keepalive) return;
  for await (const message of api.items('GET /api/messages/conversations/{id}', {
    params: { id },
    query: { pageSize: 100 },
  })) {
    ids.add(message.id);
  }
  await removeAll();
};

const knownMessages = new Map<number, readonly Message[]>();

const deletions = createDeletions<Row, number>({
  items: list.items,
  getId: ({ id }) => id,
  getName: ({ subject }) => subject,
  send: (row, { keepalive }) => sendDeletion(row, knownMessages.get(row.id) ?? [], keepalive),
});

/** Deletes a conversation, which can be undone for some seconds. */
export const removeConversation = (row: Row, known: readonly Message[]): void => {
  knownMessages.set(row.id, known);
  deletions.remove([row]);
};

/** The newest message of each conversation that was read here, which a list that is on its way may not know. */
const readUpTo = signal<ReadonlyMap<number, number>>(new Map());

/** The rows to show, each once. */
export const rows = computed<readonly Row[] | undefined>(() => {
  const shown = list.items.value?.filter(({ id }) => !deletions.hidden.value.has(id));
  if (!shown) return undefined;
  const newest = new Map<number, Row>();
  for (const row of shown) if (!newest.has(getKey(row))) newest.set(getKey(row), row);
  const isRead = ({ id, message }: Row) => readUpTo.value.get(id) === message.id;
  return [...newest.values()].map((row) => (isRead(row) ? { ...row, isUnread: false } : row));
});

/** Whether the user has no conversations. */
export const hasNone = computed(
  () => view.value.show === 'all' && view.value.search === '' && rows.value?.length === 0,
);

/** Shows a conversation as read, or as unread. */
export const showUnread = (id: number, isUnread: boolean): void => {
  const row = list.items.value?.find((one) => one.id === id);
  const next = new Map(readUpTo.value);
  if (isUnread || !row) next.delete(id);
  else next.set(id, row.message.id);
  readUpTo.value = next;
  list.items.value = list.items.value?.map((one) => (one.id === id ? { ...one, isUnread } : one));
};
