import { userKeys } from '../../../shared/auth/keys.ts';
import {
  type Count,
  type Counted,
  compareField,
  count,
  countSteps,
  defineCounter,
  type OwnCounts,
  readCounter,
} from '../../../shared/counters/counter.ts';
import { inTotal, totals } from '../../../shared/counters/total.ts';
import { messageKeys } from './keys.ts';
import { type Conversation, isUnread, type MailboxCopy, type MailboxName } from './message.ts';

/** The numbers of a user's messages and conversations. `both` counts messages in both mailboxes. */
export interface MailboxCounters {
  readonly inbox: number;
  readonly sent: number;
  readonly both: number;
  readonly unread: number;
  readonly conversations: number;
}

const mailbox = defineCounter({
  family: messageKeys.mailbox,
  describe: ({ userId }) => `messages of user ${userId}`,
  owner: ({ userId }) => userKeys.record.at({ id: userId }),
});

/** What each message adds to counters. */
export const messageCounts: readonly Count[] = [inTotal('messages')];

interface OfUser {
  readonly userId: number;
}

const inMailbox = ({ userId }: OfUser, name: keyof MailboxCounters): Count[] => [
  count(mailbox, { userId }, { [name]: 1 }),
];

/** Lists what a copy adds to the numbers of a user by being in a mailbox. */
const inBox = (user: OfUser, box: MailboxName, { boxes }: MailboxCopy): Count[] => [
  ...inMailbox(user, box),
  ...(box === 'inbox' && boxes.length > 1 ? inMailbox(user, 'both') : []),
];

/** What a change counts before or after: a copy and a conversation, if they exist. */
interface Found {
  readonly copy?: MailboxCopy | undefined;
  readonly conversation?: Conversation | undefined;
}

const getMailboxCounts = (userId: number, { copy, conversation }: Found): Count[] => [
  ...(copy ? copy.boxes.flatMap((box) => inBox({ userId }, box, copy)) : []),
  ...(isUnread(copy) ? inMailbox({ userId }, 'unread') : []),
  ...(conversation ? inMailbox({ userId }, 'conversations') : []),
];

/** Returns the writes that count a change of a user's copy or conversation, for its transaction. */
export const countMailbox = (userId: number, before: Found, after: Found) =>
  countSteps(getMailboxCounts(userId, before), getMailboxCounts(userId, after)).map(
    ({ write }) => write,
  );

/** The items of copies and conversations count, each by itself. */
export const counted: readonly Counted[] = [
  { record: messageKeys.record, counters: [totals], of: () => messageCounts },
  {
    record: messageKeys.inbox,
    counters: [mailbox],
    of: (copy: MailboxCopy, user: OfUser) => inBox(user, 'inbox', copy),
  },
  {
    record: messageKeys.sent,
    counters: [mailbox],
    of: (copy: MailboxCopy, user: OfUser) => inBox(user, 'sent', copy),
  },
  {
    record: messageKeys.unread,
    counters: [mailbox],
    of: (_: MailboxCopy, user: OfUser) => inMailbox(user, 'unread'),
  },
  {
    record: messageKeys.conversation,
    counters: [mailbox],
    of: (_: Conversation, user: OfUser) => inMailbox(user, 'conversations'),
  },
];

/** Reads a user's counters with a consistent read. */
export const readCounters = async (userId: number): Promise<MailboxCounters> => {
  const counts = await readCounter(mailbox, { userId });
  return { inbox: 0, sent: 0, both: 0, unread: 0, conversations: 0, ...counts };
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
        else increment(messageKeys.copy.read(item) ? messages : unread, item['conversationId']);
      },
      list: () =>
        [...records].map(([id, record]) => {
          // The recount passes records of this family.
          const stored = record as unknown as Conversation;
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
