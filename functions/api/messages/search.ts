import {
  inDirection,
  type ListKey,
  type ListQuery,
  queryItems,
  readFilteredSlice,
} from '../../../shared/db/query.ts';
import {
  type ListResult,
  type Page,
  type PageRequest,
  readPageFrom,
  type Source,
} from '../../../shared/lists/pagination.ts';
import { haveWords, tokenizeQuery } from '../../../shared/lists/tokenize.ts';
import { type FoundConversation, readConversationEntries, readMessages } from './list.ts';
import { type Mailbox, openMailbox, type Pending } from './mailbox.ts';
import { continueAfter, mergeLists } from './merged-lists.ts';
import { type FoundMessage, type MailboxName, parseCopy, toCopy } from './message.ts';
import { addPeople, nameParticipants } from './people.ts';

/** How many messages one request examines in each list. Further ones are for the next, by its cursor. */
const maxExamined = 400;
const examinedAtOnce = 100;
/** How many entries it examines for these, of which most have none of the words. */
const maxFiltered = 2_000;

/** Reports whether texts, the subject or the names have words that start with each of the searched ones. */
const matches = (
  { message, sender }: FoundMessage,
  searched: readonly string[],
  ...more: readonly string[]
): boolean => {
  const names = [sender.name, ...message.recipients.map(({ name }) => name)];
  return haveWords([message.subject ?? '', ...names, ...more], searched);
};

/** Chooses from the entries of a list, in a bounded number of reads. */
const examine =
  (read: Source, choose: (entries: readonly ListKey[]) => Promise<readonly ListKey[]>): Source =>
  async (count, from, isReversed) => {
    const items: ListKey[] = [];
    let last = from;
    for (let examined = 0; examined < maxExamined && items.length < count; ) {
      const { items: entries, stoppedAt } = await read(examinedAtOnce, last, isReversed);
      items.push(...(await choose(entries)));
      last = entries.length < examinedAtOnce ? stoppedAt : entries.at(-1);
      if (!last) return { items: items.slice(0, count) };
      // What the filter has dropped counts, too.
      examined += entries.length < examinedAtOnce ? maxExamined : entries.length;
    }
    return { items: items.slice(0, count), stoppedAt: last };
  };

/** Searches the user's conversations in their order, by the subject of the last message and by people. */
const searchEntries = ({ userId, queries }: Mailbox, searched: readonly string[]): Source =>
  examine(
    async (count, from, isReversed) => {
      const query = inDirection(queries.conversations, isReversed);
      const items = await queryItems(query, count, continueAfter(query, from));
      return { items, stoppedAt: items.length < count ? undefined : items.at(-1) };
    },
    async (entries) => {
      const found = await readMessages(entries.map(parseCopy));
      const messages = found.filter((message) => message !== undefined);
      const named = await nameParticipants(
        entries.map(({ people = [] }, at) => {
          const message = found[at]?.message;
          return message ? addPeople(userId, people as readonly number[], message) : [];
        }),
        messages,
      );
      return entries.filter((_, at) => {
        const message = found[at];
        const names = named[at]?.map(({ name }) => name) ?? [];
        return message !== undefined && matches(message, searched, ...names);
      });
    },
  );

/** Adds the filter for entries that have one of the words or more. */
const withWords = (query: ListQuery, searched: readonly string[]): ListQuery => ({
  ...query,
  FilterExpression: searched.map((_, at) => `contains(#words, :word${at})`).join(' OR '),
  ExpressionAttributeNames: { '#words': 'words' },
  ExpressionAttributeValues: {
    ...query.ExpressionAttributeValues,
    ...Object.fromEntries(searched.map((word, at) => [`:word${at}`, ` ${word}`])),
  },
});

/** Searches a list of messages by the words of content and files. Some of the searched ones may be of subject or people. */
const searchWords = (list: ListQuery, searched: readonly string[]): Source => {
  const query = withWords(list, searched);
  return examine(
    (count, from, isReversed) =>
      readFilteredSlice(
        inDirection(query, isReversed),
        count,
        continueAfter(query, from),
        maxFiltered,
      ),
    async (entries) => {
      const hasAll = ({ words }: ListKey) =>
        searched.every((word) => String(words).includes(` ${word}`));
      const others = entries.filter((entry) => !hasAll(entry));
      const found = new Map(
        (await readMessages(others.map(parseCopy))).map((message, at) => [others[at], message]),
      );
      return entries.filter((entry) => {
        const message = found.get(entry);
        return hasAll(entry) || (message && matches(message, searched, String(entry['words'])));
      });
    },
  );
};

const toResult = <Item>(page: Page<ListKey>, items: Item[]): ListResult<Item> => {
  const isWhole = page.page === 1 && page.nextCursor === null;
  return { ...page, items, total: items.length, totalIsExact: isWhole };
};

/**
 * Searches a user's conversations by the subject of the last message and by people, the most recent first. The total is that of
 * the page, and exact if there is no other.
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
  const page = await readPageFrom(searchEntries(mailbox, searched), false, request, scope);
  return toResult(page, await readConversationEntries(mailbox, page.items.map(parseCopy)));
};

/** Returns the lists of a mailbox. The unread messages come first: they move to the others. */
const listsOf = (
  { queries: { unread, read, sent } }: Mailbox,
  box: MailboxName | 'all',
): readonly [ListQuery, ...ListQuery[]] => {
  if (box === 'sent') return [sent];
  return box === 'inbox' ? [unread, read] : [unread, read, sent];
};

/** Returns the messages of entries. An entry among the conversations doesn't say whether its message is read. */
const readFound = async (
  mailbox: Mailbox,
  entries: readonly ListKey[],
): Promise<FoundMessage[]> => {
  const latest = entries.filter(({ sk }) => String(sk).startsWith('LATEST#')).map(parseCopy);
  const [messages, conversations] = await Promise.all([
    readMessages(entries.map(toCopy)),
    mailbox.readConversations(latest.map(({ conversationId }) => conversationId)),
  ]);
  const copies = new Map(conversations.map((one) => [one?.latest.id, one?.latest]));
  return messages.flatMap((found) =>
    found ? [{ ...found, copy: copies.get(found.message.id) ?? found.copy }] : [],
  );
};

const nothing: Source = async () => ({ items: [] });

/** Only the last messages of conversations in a mailbox. */
const inBox =
  (source: Source, box: MailboxName | 'all'): Source =>
  async (...request) => {
    const slice = await source(...request);
    const isIn = (item: ListKey) => box === 'all' || parseCopy(item).boxes.includes(box);
    return { ...slice, items: slice.items.filter(isIn) };
  };

/**
 * Searches a user's messages, newest first: by words of content and names of files, and the last ones of conversations by subject
 * and people. The total is that of the page, and exact if there is no other.
 */
export const searchMessages = async (
  userId: number,
  search: string,
  box: MailboxName | 'all',
  request: PageRequest,
  pending?: Pending,
): Promise<ListResult<FoundMessage>> => {
  const mailbox = await openMailbox(userId, pending);
  const searched = tokenizeQuery(search);
  const scope = `messages#${userId}#${box}#${searched.join(' ')}`;
  const [first, ...others] = listsOf(mailbox, box);
  const ofWords = (query: ListQuery) => searchWords(query, searched);
  const entries = inBox(searchEntries(mailbox, searched), box);
  // A search without a word has no matches.
  const source =
    searched.length === 0 ? nothing : mergeLists([ofWords(first), entries, ...others.map(ofWords)]);
  const page = await readPageFrom(source, false, request, scope);
  return toResult(page, await readFound(mailbox, page.items));
};
