import {
  type Conversation,
  isRead,
  isUnread,
  type MailboxCopy,
  type StoredMessage,
} from '../../../functions/api/messages/message.ts';
import type { Item } from '../service/state.ts';
import { differs, type Stored } from './stored.ts';

const idOf = ({ sk }: Item): number => Number(sk.split('#').at(-1));

const listed = (what: string, expected: readonly number[], given: readonly Item[]): string[] => {
  const ids = given.map(idOf).toSorted((a, b) => a - b);
  const wanted = expected.toSorted((a, b) => a - b);
  return String(ids) === String(wanted) ? [] : [`messages: ${what} are ${ids}, not ${wanted}`];
};

/** Checks that lists, counts and conversations of a user match the user's copies. */
const ofUser = (items: readonly Item[], pk: string): string[] => {
  const of = (kind: string) => items.filter(({ sk }) => sk.startsWith(`${kind}#`));
  const boxed = [...of('INBOX'), ...of('SENT')] as unknown as MailboxCopy[];
  const copies = [...new Map(boxed.map((copy) => [copy.id, copy])).values()];
  const ids = (some: readonly MailboxCopy[]) => some.map(({ id }) => id);
  const inBox = (box: 'inbox' | 'sent') => copies.filter(({ boxes }) => boxes.includes(box));
  const conversations = of('CONVERSATION') as unknown as Conversation[];
  const mailbox = items.find(({ sk }) => sk === 'UPDATES#MAILBOX');
  const unread = copies.filter(isUnread);
  const counts = {
    inbox: inBox('inbox').length,
    sent: inBox('sent').length,
    both: copies.filter(({ boxes }) => boxes.length === 2).length,
    unread: unread.length,
    conversations: conversations.length,
  };
  const known = new Set(copies.map(({ conversationId }) => conversationId));
  return [
    ...listed(`copies of ${pk}`, ids(copies), of('COPY')),
    ...listed(`inbox of ${pk}`, ids(inBox('inbox')), of('INBOX')),
    ...listed(`sent of ${pk}`, ids(inBox('sent')), of('SENT')),
    ...listed(`unread of ${pk}`, ids(unread), of('UNREAD')),
    ...listed(`read of ${pk}`, ids(copies.filter(isRead)), of('READ')),
    ...listed(
      `latest of ${pk}`,
      conversations.map(({ latestId }) => latestId),
      of('LATEST'),
    ),
    ...differs(`conversations of ${pk}`, conversations.length, known.size),
    ...Object.entries(counts).flatMap(([name, count]) =>
      differs(`${name} of ${pk}`, Number(mailbox?.[name] ?? 0), count),
    ),
    ...conversations.flatMap((conversation) => {
      const own = copies.filter(({ conversationId }) => conversationId === conversation.id);
      return [
        ...differs(`messages of ${conversation.id}`, conversation.messages, own.length),
        ...differs(
          `unread of ${conversation.id}`,
          conversation.unread,
          own.filter(isUnread).length,
        ),
        ...differs(`latest of ${conversation.id}`, conversation.latestId, Math.max(...ids(own))),
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
  const kinds =
    /^(INBOX|SENT|UNREAD|READ|COPY|CONVERSATION|LATEST|UPDATES#DELIVERY)#|^UPDATES#MAILBOX$/;
  for (const item of stored.of(/^USER#\d+$/, kinds)) {
    owned.set(item.pk, [...(owned.get(item.pk) ?? []), item]);
    if (!/^(COPY|UPDATES#DELIVERY)#/.test(item.sk)) continue;
    holders.set(idOf(item), (holders.get(idOf(item)) ?? 0) + 1);
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
