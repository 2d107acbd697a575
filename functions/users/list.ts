import { batchGet } from '../../shared/dynamodb.ts';
import {
  countedMatches,
  countUpTo,
  type Listed,
  type Page,
  type PageRequest,
  readPage,
} from '../../shared/page.ts';
import { searchPage } from '../../shared/search.ts';
import type { Order } from '../../shared/shelves.ts';
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

const wholeList = ({ pk }: Key, newestFirst: boolean) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
  ScanIndexForward: !newestFirst,
  ConsistentRead: true,
});

const withUsers = async (page: Page<{ readonly id?: unknown }>): Promise<Page<StoredUser>> => {
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

/** A place of a word. */
interface Place extends Key {
  readonly id: number;
  readonly sortName: string;
}

/** As the lists of all are sorted. */
const orders: Readonly<Record<UserSort, Order<Place>>> = {
  createdAt: { keyOf: ({ id }) => keys.userInList(id), newestFirst: true },
  name: { keyOf: ({ id, sortName }) => keys.userByName(sortName, id), newestFirst: false },
};

const search = async (
  words: readonly string[],
  sort: UserSort,
  request: PageRequest,
  scope: string,
): Promise<Listed<StoredUser>> => {
  const searched = { words: [(word: string) => keys.userByWord(word, 0)] };
  const found = await searchPage(words, searched, orders[sort], request, scope);
  return { ...found, ...(await withUsers(found)) };
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
