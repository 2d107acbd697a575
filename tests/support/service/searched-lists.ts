import { indexWrites } from '../../../functions/api/users/record/user-index.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { type RecordType, recordTypes } from '../sharing/record-types.ts';
import { putItems, removeItems } from '../table/batch-writes.ts';
import { newUserOf, type Person } from '../users/test-users.ts';
import { type Answer, call } from './call.ts';

type Item = { readonly pk: string; readonly sk: string };

/** A record of a searched list. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** A list searched by a caller who can view all its records. */
export interface SearchedList {
  /** The value of `sort` for the order by name. */
  readonly byName: 'name' | 'title';
  readonly search: (query: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly put: (records: readonly Named[]) => Promise<void>;
  /** Stores only the items of the records that a search for these words reads. Returns what removes them. */
  readonly putWords: (words: RegExp, records: readonly Named[]) => Promise<() => Promise<void>>;
  readonly remove: (records: readonly Named[]) => Promise<void>;
}

const now = '2026-01-01T00:00:00.000Z';
const base = { createdAt: now, updatedAt: now, version: 1 };

const itemsIn = (writes: Readonly<Record<string, Write>>) =>
  Object.values(writes).map(({ Put }) => Put?.Item as unknown as Item);

const userItems = ({ id, name }: Named): Item[] => {
  const user: StoredUser = {
    ...base,
    id,
    name,
    email: `no${id}@people.test`,
    username: `no${id}`,
    role: 'guest',
    extraPermissions: [],
    status: 'active',
    sessionEpoch: 0,
  };
  return [
    { ...user, ...userKeys.record.at({ id }) },
    ...itemsIn({ ...indexWrites(undefined, user) }),
  ];
};

/** Returns the visibility; a few records are private, so both lists are used. */
const visibilityOf = (id: number) => (id % 10 === 3 ? 'private' : 'everyone');

const recordItems =
  (recordType: RecordType, ownerId: number) =>
  (record: Named): Item[] =>
    recordType.toItems(ownerId, { ...record, visibility: visibilityOf(record.id) }) as Item[];

const listOf = (
  endpoint: string,
  { token }: Person,
  byName: 'name' | 'title',
  itemsOf: (record: Named) => Item[],
): SearchedList => ({
  byName,
  search: (query) => call(endpoint, { token, query: { pageSize: '100', ...query } }),
  put: (records) => putItems(records.flatMap(itemsOf)),
  putWords: async (words, records) => {
    const items = records
      .flatMap(itemsOf)
      .filter(({ sk }) => words.test(sk) || /^[A-Z]+$/.test(sk));
    await putItems(items);
    return () => removeItems(items);
  },
  remove: (records) => removeItems(records.flatMap(itemsOf)),
});

/** All lists with search. That of all documents is read from the index. */
export const searchedLists = {
  users: async () => listOf('GET /api/users', await newUserOf('admin'), 'name', userItems),
  documents: async () => {
    const author = await newUserOf('user');
    return listOf(
      'GET /api/documents',
      author,
      'title',
      recordItems(recordTypes.documents, author.id),
    );
  },
  'all documents': async () => {
    const [admin, author] = [await newUserOf('admin'), await newUserOf('user')];
    return listOf(
      'GET /api/documents',
      admin,
      'title',
      recordItems(recordTypes.documents, author.id),
    );
  },
  files: async () => {
    const owner = await newUserOf('user');
    return listOf('GET /api/files', owner, 'name', recordItems(recordTypes.files, owner.id));
  },
  'all files': async () => {
    const [admin, owner] = [await newUserOf('admin'), await newUserOf('user')];
    return listOf('GET /api/files', admin, 'name', recordItems(recordTypes.files, owner.id));
  },
} as const;
