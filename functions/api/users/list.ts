import { userKeys } from '../../../shared/auth/keys.ts';
import { parseUser, type StoredUser, statuses } from '../../../shared/auth/user.ts';
import { readTotal } from '../../../shared/counters/total.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { partitionQuery } from '../../../shared/db/query.ts';
import {
  countEntries,
  mergeSources,
  orderBy,
  type SortOrder,
} from '../../../shared/lists/list-partitions.ts';
import {
  type ListResult,
  type Page,
  type PageRequest,
  readPage,
  readPageFrom,
} from '../../../shared/lists/pagination.ts';
import { searchPage } from '../../../shared/lists/search.ts';
import { tokenizeQuery } from '../../../shared/lists/tokenize.ts';
import { roles } from '../../../shared/permissions/permissions.ts';
import { accountKeys } from './record/keys.ts';
import { anyCustomRole } from './record/user-index.ts';

export type UserSort = 'createdAt' | 'name';

/** Selects users by role, status and a search, in any combination, and their order. */
export interface UserFilter {
  readonly search?: string | undefined;
  readonly role?: StoredUser['role'] | undefined;
  readonly status?: StoredUser['status'] | undefined;
  readonly sort: UserSort;
}

/** An index entry of a word. */
interface WordEntry extends Key {
  readonly id: number;
  readonly sortName: string;
  readonly role: StoredUser['role'];
  readonly status: StoredUser['status'];
}

/** The orders of the list of all users. */
const orders: Readonly<Record<UserSort, SortOrder<WordEntry>>> = {
  createdAt: { keyOf: ({ id }) => accountKeys.byId.at({ id }), isById: true, isDescending: true },
  name: {
    keyOf: ({ id, sortName }) => accountKeys.byName.at({ sortName, id }),
    isById: false,
    isDescending: false,
  },
};

/** A page of index entries. */
type UserPage = Page<{ readonly id?: unknown }>;

type Count = Pick<ListResult<unknown>, 'total' | 'totalIsExact'>;

/** A list whose page is read without its number, or with it. */
interface Listed {
  readPage(): Promise<UserPage>;
  count(): Promise<Count>;
}

/**
 * Lists the users of a role, a status or both. Each pair of role and status has its own partition, newest first; by name,
 * the list of all users is filtered.
 */
const listFiltered = (
  { role, status, sort }: UserFilter,
  request: PageRequest,
  scope: string,
): Listed => {
  const partitions = (role === undefined ? [...roles, anyCustomRole] : [role]).flatMap((one) =>
    (status ? [status] : statuses).map((other) =>
      accountKeys.byRoleAndStatus.partition({ role: one, status: other }),
    ),
  );
  const { isDescending } = orderBy(orders[sort], request);
  const source =
    sort === 'name'
      ? mergeSources([accountKeys.byName.partition()], undefined, isDescending, {
          equal: { role, status },
        })
      : mergeSources(partitions, undefined, isDescending);
  return {
    readPage: () => readPageFrom(source, false, request, scope),
    count: () => countEntries(partitions, undefined),
  };
};

const search = (
  words: readonly string[],
  { role, status, sort }: UserFilter,
  request: PageRequest,
  scope: string,
): Promise<FoundUsers> => {
  const searchScope = { words: [(word: string) => accountKeys.byWord.prefix({ word })] };
  return searchPage(
    words,
    searchScope,
    orderBy(orders[sort], request),
    request,
    scope,
    role || status
      ? (place) => (!role || place.role === role) && (!status || place.status === status)
      : undefined,
  );
};

/** A page of index entries, and how many there are. */
type FoundUsers = UserPage & Count;

const listAll = ({ sort }: UserFilter, request: PageRequest, scope: string): Listed => {
  const query =
    sort === 'name'
      ? partitionQuery(accountKeys.byName.partition(), false)
      : partitionQuery(accountKeys.byId.partition(), true);
  return {
    readPage: () => readPage(query, request, scope),
    count: async () => ({ total: await readTotal('users'), totalIsExact: true }),
  };
};

/** Returns how a list without a search is read. */
const toListed = (filter: UserFilter, request: PageRequest, scope: string): Listed =>
  (filter.role || filter.status ? listFiltered : listAll)(filter, request, scope);

const toScope = (callerId: number, filter: UserFilter): string =>
  `users#${callerId}#${JSON.stringify(filter)}`;

/**
 * Finds a page of users and their number: all, or those of a role, a status and a search. Every word of the search must be
 * the start of a word of the name, username or email address. Its cost grows with its matches, up to 1,000 of which are
 * shown.
 * @throws AppError VALIDATION_ERROR about `cursor` or `page`
 */
export const find = async (
  callerId: number,
  filter: UserFilter,
  request: PageRequest,
): Promise<FoundUsers> => {
  const scope = toScope(callerId, filter);
  const { search: text } = filter;
  if (text !== undefined) return search(tokenizeQuery(text), filter, request, scope);
  const listed = toListed(filter, request, scope);
  const [page, count] = await Promise.all([listed.readPage(), listed.count()]);
  return { ...page, ...count };
};

/**
 * Finds a page as `find` does, without counting.
 * @throws AppError VALIDATION_ERROR about `cursor`
 */
export const findPage = (
  callerId: number,
  filter: UserFilter,
  request: PageRequest,
): Promise<UserPage> =>
  filter.search === undefined
    ? toListed(filter, request, toScope(callerId, filter)).readPage()
    : find(callerId, filter, request);

/** Reads the users of a page. */
export const load = async <Found extends UserPage>(
  page: Found,
): Promise<Omit<Found, 'items'> & { readonly items: StoredUser[] }> => {
  const found = await batchGet(
    page.items.map(({ id }) => userKeys.record.at({ id: id as number })),
  );
  // A user may have been removed since the list was read.
  const items = found.flatMap((user) => (user ? [parseUser(user)] : []));
  return { ...page, items };
};
