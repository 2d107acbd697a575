import { inDirection, type ListKey, queryItems } from '../../../shared/db/query.ts';
import {
  type ListResult,
  type PageRequest,
  readPageFrom,
  type Source,
} from '../../../shared/lists/pagination.ts';
import { haveWords, tokenizeQuery } from '../../../shared/lists/tokenize.ts';
import { type FoundConversation, readConversationEntries, readMessages } from './list.ts';
import { type Mailbox, openMailbox, type Pending } from './mailbox.ts';
import { type FoundMessage, parseCopy } from './message.ts';

/** How many conversations one request examines. Further ones are for the next, by its cursor. */
const maxExamined = 400;
const examinedAtOnce = 100;

/** Reports whether the subject or the names have words that start with each of the searched ones. */
const matches = ({ message, sender }: FoundMessage, searched: readonly string[]): boolean => {
  const names = [sender.name, ...message.recipients.map(({ name }) => name)];
  return haveWords([message.subject ?? '', ...names], searched);
};

/** Examines conversations in order, in a bounded number of reads. */
const searchEntries =
  ({ queries: { conversations } }: Mailbox, searched: readonly string[]): Source =>
  async (count, from, isReversed) => {
    const items: ListKey[] = [];
    let last = from;
    for (let examined = 0; examined < maxExamined && items.length < count; ) {
      const entries = await queryItems(
        inDirection(conversations, isReversed),
        examinedAtOnce,
        last,
      );
      const found = await readMessages(entries.map(parseCopy));
      items.push(
        ...entries.filter((_, at) => {
          const message = found[at];
          return message !== undefined && matches(message, searched);
        }),
      );
      if (entries.length < examinedAtOnce) return { items: items.slice(0, count) };
      last = entries.at(-1);
      examined += entries.length;
    }
    return { items: items.slice(0, count), stoppedAt: last };
  };

/**
 * Searches a user's conversations by subject and people, the most recent first. The total is that of the page, and exact
 * if there is no other.
 */
export const searchConversations = async (
  userId: number,
  search: string,
  request: PageRequest,
  pending?: Pending,
): Promise<ListResult<FoundConversation>> => {
  const mailbox = await openMailbox(userId, pending);
  const searched = tokenizeQuery(search);
  const scope = `conversations#${userId}#${searched.join(' ')}`;
  const source = searchEntries(mailbox, searched);
  const { items: entries, ...page } = await readPageFrom(source, false, request, scope);
  const items = await readConversationEntries(mailbox, entries.map(parseCopy));
  const isWhole = page.page === 1 && page.nextCursor === null;
  return { ...page, items, total: items.length, totalIsExact: isWhole };
};
