import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import type { Write } from '../../../shared/db/transaction.ts';
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

const none: MailboxCounters = { inbox: 0, sent: 0, both: 0, unread: 0, conversations: 0 };

/** Reads a user's counters with a consistent read. */
export const readCounters = async (userId: number): Promise<MailboxCounters> => {
  const [item] = await batchGet([messageKeys.mailbox.at({ userId })]);
  return { ...none, ...item };
};

/** What a change counts before or after: a copy and a conversation, if they exist. */
interface Counted {
  readonly copy?: MailboxCopy | undefined;
  readonly conversation?: Conversation | undefined;
}

const getCounts = ({ copy, conversation }: Counted): MailboxCounters => {
  const isIn = (box: MailboxName) => Number(copy?.boxes.includes(box) ?? false);
  return {
    inbox: isIn('inbox'),
    sent: isIn('sent'),
    both: isIn('inbox') * isIn('sent'),
    unread: Number(isUnread(copy)),
    conversations: Number(conversation !== undefined),
  };
};

/** Returns the write that counts a change of a user's copy or conversation, for its transaction. */
export const countersWrite = (
  userId: number,
  before: Counted,
  after: Counted,
): Write | undefined => {
  const [old, next] = [getCounts(before), getCounts(after)];
  const names = Object.keys(none) as (keyof MailboxCounters)[];
  const changed = names.filter((name) => old[name] !== next[name]);
  if (changed.length === 0) return undefined;
  return {
    Update: {
      TableName: tableName(),
      Key: messageKeys.mailbox.at({ userId }),
      UpdateExpression: `ADD ${changed.map((name) => `#${name} :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(changed.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        changed.map((name) => [`:${name}`, next[name] - old[name]]),
      ),
    },
  };
};
