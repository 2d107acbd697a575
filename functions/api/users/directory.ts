import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { exampleUser, isActive, parseUser, type StoredUser } from '../../../shared/auth/user.ts';
import { mustVerify } from '../../../shared/auth/verification.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { readFilteredSlice, startAt } from '../../../shared/db/query.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { Email } from '../../../shared/input/fields.ts';
import { filterByWords, withFilter } from '../../../shared/lists/list-partitions.ts';
import { tokenize, tokenizeQuery } from '../../../shared/lists/tokenize.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getDirectoryFor } from '../../../shared/users/directory.ts';
import { directoryLimit } from './limits.ts';
import { accountKeys } from './record/keys.ts';
import { findByEmail, unknownId } from './record/users.ts';

/** The most people of an answer. */
const maxFound = 8;

/** Words of a search by which entries are read; the entries must have its other words too. */
const maxWordsRead = 3;
/** Entries of a word that are taken, and those that are examined for them. A person may have several. */
const maxEntries = 50;
const maxExamined = 1_000;
/** More records than are shown, because some may no longer match. */
const maxRead = 2 * maxFound;

const { id, email, name, avatar } = exampleUser;

const People = Success(
  z.array(
    z.object({
      id: z.int().positive(),
      email: z.string(),
      name: z.string().optional().meta({ description: 'Absent where only addresses are found.' }),
      avatar: z.string().nullable().optional(),
    }),
  ),
).meta({
  id: 'People',
  examples: [success([{ id, email, name, avatar }]), success([{ id, email }])],
});

type Person = z.output<typeof People>['data'][number];

/** Returns whether others find a user in the directory. */
const isListed = (user: StoredUser): boolean => isActive(user) && !mustVerify(user);

const findByAddress = async (search: string): Promise<StoredUser[]> => {
  const address = Email.safeParse(search);
  const user = address.success ? await findByEmail(address.data) : undefined;
  return user && isListed(user) ? [user] : [];
};

/** Returns whether each word starts a word of the name or the address: entries are also of the username. */
const hasWords = ({ name, email }: StoredUser, words: readonly string[]): boolean => {
  const own = tokenize(name, email);
  return words.every((word) => own.some((one) => one.startsWith(word)));
};

/**
 * Finds users by words, those whose words are the shortest first. It makes the same requests whether or not there are users
 * who aren't listed, so that the time doesn't tell.
 */
const findByWords = async (search: string): Promise<StoredUser[]> => {
  const words = tokenizeQuery(search);
  const slices = await Promise.all(
    words.slice(0, maxWordsRead).map((word) => {
      const { pk } = accountKeys.byWord.partition({ word });
      const others = filterByWords(words.filter((other) => other !== word));
      const query = withFilter(startAt({ pk, sk: word }), {
        ...others,
        equal: { status: 'active' },
      });
      return readFilteredSlice(query, maxEntries, undefined, maxExamined);
    }),
  );
  const found = slices.flatMap(({ items }) => items.map(({ id }) => Number(id)));
  const ids = [...new Set(found)].slice(0, maxRead);
  const records = await batchGet(
    (ids.length > 0 ? ids : [unknownId]).map((id) => userKeys.record.at({ id })),
  );
  return records
    .flatMap((record) => parseUser(record) ?? [])
    .filter((user) => isListed(user) && hasWords(user, words));
};

const toNamed = ({ id, name, email, avatar }: StoredUser): Person => ({
  id,
  name,
  email,
  avatar: avatar ?? null,
});

/**
 * Finds the people whom an actor may find (decisions.md#directory).
 * @throws AppError FORBIDDEN if the actor finds nobody
 */
const findPeople = async ({ permissions }: Actor, search: string): Promise<Person[]> => {
  const mode = getDirectoryFor(permissions);
  if (mode === 'off') {
    throw new AppError('FORBIDDEN', 'Finding people is off in this service. Send their ids.');
  }
  if (mode === 'exact') {
    return (await findByAddress(search)).map(({ id, email }) => ({ id, email }));
  }
  const found = await Promise.all([findByAddress(search), findByWords(search)]);
  const people = new Map(found.flat().map((user) => [user.id, toNamed(user)]));
  return [...people.values()].slice(0, maxFound);
};

export const directoryRoute = route({
  endpoint: 'GET /api/users/directory',
  access: 'signed-in',
  scope: 'people:view',
  summary: 'List people',
  description:
    'Finds up to 8 active users, for example to share something with them. The setting DIRECTORY decides how: `members` by words that start words of the name or email address, ignoring case and accents; `exact` one user by the whole email address, without the name; `off` nobody. With `users:view`, it is always `members`.',
  query: z.object({
    search: z.string().max(200).meta({
      description: 'Words, or a whole email address. Without a word, nobody is found.',
    }),
  }),
  output: People,
  errors: { FORBIDDEN: 'The setting DIRECTORY is `off`.' },
  limits: [directoryLimit],
  handle: async ({ actor, query: { search } }) => success(await findPeople(actor, search)),
});
