import { userKeys } from '../../../shared/auth/keys.ts';
import {
  type Count,
  type Counted,
  compareField,
  count,
  defineCounter,
  type OwnCounts,
} from '../../../shared/counters/counter.ts';
import { inTotal, totals } from '../../../shared/counters/total.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import type { Amounts } from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { messageKeys } from './keys.ts';
import {
  type Conversation,
  isUnread,
  type MailboxCopy,
  type MailboxName,
  type StoredConversation,
} from './message.ts';

/** The numbers of a user's messages and conversations. `both` counts messages in both mailboxes. */
export interface MailboxCounters {
  readonly inbox: number;
  readonly sent: number;
  readonly both: number;
  readonly unread: number;
  readonly conversations: number;
}

const mailbox = defineCounter({
  family: notificationKeys.counters,
  describe: ({ userId }) => `messages of user ${userId}`,
  owner: ({ userId }) => userKeys.record.at({ id: userId }),
});

/** What each message adds to counters. */
export const messageCounts: readonly Count[] = [inTotal('messages')];

/** What records add to the numbers of a user. */
type Added = readonly (keyof MailboxCounters)[];

/** Lists what a copy adds by being in a mailbox. */
const inBox = (box: MailboxName, { boxes }: MailboxCopy): Added =>
  box === 'inbox' && boxes.length > 1 ? [box, 'both'] : [box];

/** What a change counts before or after: a copy and a conversation, if they exist. */
interface Found {
  readonly copy?: MailboxCopy | undefined;
  readonly conversation?: Conversation | undefined;
}

const listAdded = ({ copy, conversation }: Found): Added => [
  ...(copy ? copy.boxes.flatMap((box) => inBox(box, copy)) : []),
  ...(isUnread(copy) ? (['unread'] as const) : []),
  ...(conversation ? (['conversations'] as const) : []),
];

/** Returns what a change of a user's copy or conversation adds to the user's counters. */
export const countMailbox = (before: Found, after: Found): Amounts => {
  const amounts: Record<string, number> = {};
  for (const name of listAdded(after)) amounts[name] = (amounts[name] ?? 0) + 1;
  for (const name of listAdded(before)) amounts[name] = (amounts[name] ?? 0) - 1;
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));
};

interface OfUser {
  readonly userId: number;
}

const toCounts = ({ userId }: OfUser, added: Added): readonly Count[] =>
  added.map((name) => count(mailbox, { userId }, { [name]: 1 }));

/** The items of copies and conversations count, each by itself. */
export const counted: readonly Counted[] = [
  { record: messageKeys.record, counters: [totals], of: () => messageCounts },
  {
    record: messageKeys.unread,
    counters: [mailbox],
    of: (copy: MailboxCopy, user: OfUser) => toCounts(user, [...inBox('inbox', copy), 'unread']),
  },
  {
    record: messageKeys.read,
    counters: [mailbox],
    of: (copy: MailboxCopy, user: OfUser) => toCounts(user, inBox('inbox', copy)),
  },
  {
    record: messageKeys.sent,
    counters: [mailbox],
    of: (copy: MailboxCopy, user: OfUser) => toCounts(user, inBox('sent', copy)),
  },
  {
    record: messageKeys.conversation,
    counters: [mailbox],
    of: (_: MailboxCopy, user: OfUser) => toCounts(user, ['conversations']),
  },
];

/** Returns the numbers in the item of a user's counters. */
export const parseMailboxCounters = (item: Item = {}): MailboxCounters => {
  const { inbox = 0, sent = 0, both = 0, unread = 0, conversations = 0 } = item as Amounts;
  return { inbox, sent, both, unread, conversations };
};

/** The messages and unread messages of each conversation. */
export const ownCounts: OwnCounts = {
  reads: [messageKeys.copy, messageKeys.unread, messageKeys.conversation],
  tally: () => {
    const messages = new Map<unknown, number>();
    const unread = new Map<unknown, number>();
    const records = new Map<number, Parameters<ReturnType<OwnCounts['tally']>['add']>[0]>();
    const increment = (counts: Map<unknown, number>, id: unknown) =>
      counts.set(id, (counts.get(id) ?? 0) + 1);
    return {
      add: (item) => {
        const conversation = messageKeys.conversation.read(item);
        if (conversation) records.set(conversation.id, item);
        increment(messageKeys.unread.read(item) ? unread : messages, item['conversationId']);
      },
      list: () =>
        [...records].map(([id, record]) => {
          // The recount passes records of this family.
          const stored = record as unknown as StoredConversation;
          return {
            name: `conversation ${id}`,
            record,
            differences: [
              ...compareField(['messages'], stored.messages, messages.get(id)),
              ...compareField(['unread'], stored.unread, unread.get(id)),
            ],
          };
        }),
    };
  },
};
