import { batchGet } from '../../shared/dynamodb.ts';
import {
  countedMatches,
  countUpTo,
  type Listed,
  type Page,
  type PageRequest,
  pageOf,
  readMatches,
  readPage,
} from '../../shared/page.ts';
import { type Key, keys } from '../../shared/table.ts';
import { readTotal } from '../../shared/total.ts';
import type { StoredUser } from '../../shared/user.ts';
import { wordsOfSearch } from '../../shared/words.ts';

export type UserSort = 'createdAt' | 'name';

/** Which users, and in what order: one filter at most. */
export interface UserFilter {
  readonly search?: string | undefined;
  readonly role?: StoredUser['role'] | undefined;
  readonly status?: StoredUser['status'] | undefined;
  readonly sort: UserSort;
}

/** A search looks at no more words than this, however many begin alike. */
const maxScanned = 20_000;

const wholeList = ({ pk }: Key, newestFirst: boolean) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
  ScanIndexForward: !newestFirst,
  ConsistentRead: true,
});

const withUsers = async (page: Page<Record<string, unknown>>): Promise<Page<StoredUser>> => {
  const found = await batchGet(page.items.map(({ id }) => keys.user(id as number)));
  // A user may have been removed since the list was read.
  const items = found.filter((user) => user !== undefined) as unknown as StoredUser[];
  return { ...page, items };
};

const listFiltered = async (
  key: Key,
  request: PageRequest,
  scope: string,
): Promise<Listed<StoredUser>> => {
  const query = wholeList(key, true);
  const [page, count] = await Promise.all([
    readPage(query, request, scope).then(withUsers),
    countUpTo(query, countedMatches + 1),
  ]);
  return {
    ...page,
    total: Math.min(count, countedMatches),
    totalIsExact: count <= countedMatches,
  };
};

interface Match {
  readonly id: number;
  readonly sortName: string;
}

/** Newest first, or by name; an id is unique, so that the order is the same each time. */
const order: Readonly<Record<UserSort, (a: Match, b: Match) => number>> = {
  createdAt: (a, b) => b.id - a.id,
  name: (a, b) => (a.sortName < b.sortName ? -1 : a.sortName > b.sortName ? 1 : a.id - b.id),
};

/** Reads the words that begin as the longest of the search, and keeps whose other words fit as well. */
const findMatches = async (words: readonly string[]) => {
  const [longest = '', ...others] = words;
  const { pk, sk } = keys.userByWord(longest, 0);
  const names = others.map((_, at) => `contains(#words, :other${at})`);
  const { items, isWhole } = await readMatches(
    {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: {
        ':pk': pk,
        ':prefix': sk.slice(0, sk.lastIndexOf('#')),
        ...Object.fromEntries(others.map((word, at) => [`:other${at}`, ` ${word}`])),
      },
      ...(others.length > 0 && {
        FilterExpression: names.join(' AND '),
        ExpressionAttributeNames: { '#words': 'words' },
      }),
      ConsistentRead: true,
    },
    // One user may have several words that begin so.
    { matches: countedMatches + 1, scanned: maxScanned, distinct: 'id' },
  );
  const byId = new Map((items as unknown as Match[]).map((match) => [match.id, match]));
  return { matches: [...byId.values()], isWhole };
};

const search = async (
  words: readonly string[],
  sort: UserSort,
  request: PageRequest,
  scope: string,
): Promise<Listed<StoredUser>> => {
  const { matches, isWhole } = await findMatches(words);
  const shown = matches.sort(order[sort]).slice(0, countedMatches);
  const page = await pageOf(shown, request, scope);
  return {
    ...(await withUsers(page as unknown as Page<Record<string, unknown>>)),
    total: shown.length,
    totalIsExact: isWhole && matches.length <= countedMatches,
  };
};

/**
 * A page of users and how many there are: all, those of a role or status, or those a search finds. Every word of the
 * search has to be the start of a word of name, username or e-mail address; what it costs grows with its matches, of
 * which the first 1 000 are shown.
 * @throws AppError VALIDATION_ERROR about `cursor` or `page`
 */
export const list = async (
  callerId: number,
  filter: UserFilter,
  request: PageRequest,
): Promise<Listed<StoredUser>> => {
  const scope = `users#${callerId}#${JSON.stringify(filter)}`;
  const words = wordsOfSearch(filter.search ?? '');
  if (words.length > 0) return search(words, filter.sort, request, scope);
  if (filter.role) return listFiltered(keys.userByRole(filter.role, 0), request, scope);
  if (filter.status) return listFiltered(keys.userByStatus(filter.status, 0), request, scope);
  const query =
    filter.sort === 'name'
      ? wholeList(keys.userByName('', 0), false)
      : wholeList(keys.userInList(0), true);
  const [page, total] = await Promise.all([
    readPage(query, request, scope).then(withUsers),
    readTotal('users'),
  ]);
  return { ...page, total, totalIsExact: true };
};
