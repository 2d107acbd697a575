import { isDeepStrictEqual } from 'node:util';
import {
  isRead,
  isUnread,
  type MailboxCopy,
  parseConversation,
  type StoredMessage,
  toCopy,
} from '../../../functions/api/messages/message.ts';
import type { Item } from '../service/state.ts';
import { differs, type Stored } from './stored.ts';

const idOf = ({ sk }: Item): number => Number(sk.split('#').at(-1));

const isNewest = ({ sk }: Item): boolean => /^COPY#\d+#LATEST$/.test(sk);

const listed = (
  what: string,
  expected: readonly number[],
  given: readonly { readonly id: number }[],
): string[] => {
  const ids = given.map(({ id }) => id).toSorted((a, b) => a - b);
  const wanted = expected.toSorted((a, b) => a - b);
  return String(ids) === String(wanted) ? [] : [`messages: ${what} are ${ids}, not ${wanted}`];
};

/** Checks that lists, counts and conversations of a user match the user's copies. */
const ofUser = (items: readonly Item[], pk: string): string[] => {
  const of = (kind: string) => items.filter(({ sk }) => sk.startsWith(`${kind}#`));
  const inList = (kind: string) => of(kind).map((item) => ({ ...toCopy(item), id: idOf(item) }));
  const copies = of('COPY').map(toCopy);
  const ids = (some: readonly MailboxCopy[]) => some.map(({ id }) => id);
  const inBox = (box: 'inbox' | 'sent') => copies.filter(({ boxes }) => boxes.includes(box));
  const conversations = of('COPY').filter(isNewest).map(parseConversation);
  const counters = items.find(({ sk }) => sk === 'UPDATES#COUNTERS');
  const unread = copies.filter(isUnread);
  const counts = {
    inbox: inBox('inbox').length,
    sent: inBox('sent').length,
    both: copies.filter(({ boxes }) => boxes.length === 2).length,
    unread: unread.length,
    conversations: conversations.length,
  };
  const known = new Set(copies.map(({ conversationId }) => conversationId));
  const byId = new Map(copies.map((copy) => [copy.id, copy]));
  const entries = ['UNREAD', 'READ', 'SENT'].flatMap(inList);
  return [
    ...differs(`copies of ${pk}`, copies.length, byId.size),
    ...of('COPY')
      .filter((item) => !isNewest(item) && idOf(item) !== toCopy(item).id)
      .map(({ sk }) => `messages: ${sk} of ${pk} has another copy`),
    ...listed(`unread of ${pk}`, ids(unread), inList('UNREAD')),
    ...listed(`read of ${pk}`, ids(copies.filter(isRead)), inList('READ')),
    ...listed(`sent of ${pk}`, ids(inBox('sent')), inList('SENT')),
    ...entries
      .filter((entry) => !isDeepStrictEqual(entry, byId.get(entry.id)))
      .map(({ id }) => `messages: an entry of ${id} of ${pk} differs from its copy`),
    ...listed(
      `latest of ${pk}`,
      conversations.map(({ latest }) => latest.id),
      inList('LATEST'),
    ),
    ...differs(`conversations of ${pk}`, conversations.length, known.size),
    ...Object.entries(counts).flatMap(([name, count]) =>
      differs(`${name} of ${pk}`, Number(counters?.[name] ?? 0), count),
    ),
    ...conversations.flatMap(({ latest, ...conversation }) => {
      const id = latest.conversationId;
      const own = copies.filter(({ conversationId }) => conversationId === id);
      return [
        ...differs(`messages of ${id}`, conversation.messages, own.length),
        ...differs(`unread of ${id}`, conversation.unread, own.filter(isUnread).length),
        ...differs(`latest of ${id}`, latest.id, Math.max(...ids(own))),
      ];
    }),
  ];
};

/** Checks that a message exists while it has copies or pending deliveries, and that it counts them. */
const ofMessage = (stored: Stored, { id, texts }: StoredMessage, holders: number): string[] => {
  const pk = `MESSAGE#${id}`;
  const item = stored.get({ pk, sk: 'TEXTS' });
  const wanted = texts?.place === 'table' ? texts.id : undefined;
  return [
    ...differs(
      `copies of message ${id}`,
      Number(stored.get({ pk, sk: 'COPIES' })?.['copies'] ?? 0),
      holders,
    ),
    ...(item?.['id'] === wanted ? [] : [`messages: ${id} has the content ${item?.['id']}`]),
  ];
};

/** Checks messages and mailboxes, except those of users with a pending deletion. */
export const ofMessages = (stored: Stored): string[] => {
  const owned = new Map<string, Item[]>();
  const holders = new Map<number, number>();
  const kinds = /^(SENT|UNREAD|READ|COPY|LATEST|UPDATES#DELIVERY)#|^UPDATES#COUNTERS$/;
  for (const item of stored.of(/^USER#\d+$/, kinds)) {
    owned.set(item.pk, [...(owned.get(item.pk) ?? []), item]);
    if (!/^(COPY|UPDATES#DELIVERY)#/.test(item.sk)) continue;
    const { id } = item as unknown as { readonly id: number };
    holders.set(id, (holders.get(id) ?? 0) + 1);
  }
  const messages = stored.records<StoredMessage>(/^MESSAGE#/, /^MESSAGE$/);
  const there = new Set(messages.map(({ id }) => id));
  return [
    ...[...owned]
      .filter(([pk]) => !stored.unsettled.has(Number(pk.split('#')[1])))
      .flatMap(([pk, items]) => ofUser(items, pk)),
    ...messages.flatMap((message) => ofMessage(stored, message, holders.get(message.id) ?? 0)),
    ...[...holders.keys()]
      .filter((id) => !there.has(id))
      .map((id) => `messages: ${id} is had and not there`),
    ...stored
      .of(/^MESSAGE#/, /^(TEXTS|COPIES)$/)
      .filter(({ pk }) => !there.has(Number(pk.split('#')[1])))
      .map(({ pk, sk }) => `messages: ${pk} ${sk} is of nothing`),
    ...differs('messages', stored.total('messages'), messages.length),
  ];
};
