import { accountKeys } from '../../../../functions/api/users/record/keys.ts';
import { indexWrites } from '../../../../functions/api/users/record/user-index.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import type { Key } from '../../../../shared/db/key.ts';

/** A word in the names of `matchCount` users at any size; other words start with the same letter. */
export const rareWord = 'quillfeather';
export const matchCount = 25;
/** Number of guests at any size; all others have the role `user`. */
export const guestCount = 25;

export const smallestSize = 100;
export const largestSize = 999_999;

/** Has the length of a hash, but matches no password. */
export const passwordHash = '$2b$12$'.padEnd(60, '.');

const firstNames = ['Ada', 'Boris', 'Chloe', 'Dmitri', 'Elif', 'Farah', 'Quentin', 'Greta', 'Hugo'];
const lastNames = ['Ito', 'Jansen', 'Quinn', 'Kovacs', 'Lindqvist', 'Quade', 'Moreau', 'Quixley'];

const pick = (names: readonly string[], at: number): string => names[at % names.length] ?? '';

/** The epoch of `newId`, which contains the milliseconds since then, and 12 bits for ids of the same millisecond. */
const idEpochMs = Date.UTC(2025, 0, 1);
const idBits = 12;
const firstCreatedMs = Date.UTC(2026, 0, 1);

/** Spreads matching users and guests evenly over the list, each at different positions. */
const nameAndRole = (n: number, size: number): Pick<StoredUser, 'name' | 'role'> => {
  const stride = Math.floor((size - 1) / matchCount);
  const nth = Math.floor((n - 1) / stride);
  const place = (n - 1) % stride;
  if (place === 0 && nth < matchCount) {
    return { name: `${pick(firstNames, nth)} Quillfeather`, role: 'user' };
  }
  const lastName = pick(lastNames, Math.floor(n / firstNames.length));
  return {
    name: `${pick(firstNames, n)} ${lastName}`,
    role: place === 1 && nth < guestCount ? 'guest' : 'user',
  };
};

/** Returns user number `n`, from 1, of a list of `size`. Results are reproducible, and later users are newer. */
export const seedUser = (n: number, size: number): StoredUser => {
  const createdMs = firstCreatedMs + n * 1_000;
  const createdAt = new Date(createdMs).toISOString();
  const username = `member-${String(n).padStart(6, '0')}`;
  return {
    extraPermissions: [],
    status: 'active',
    email: `${username}@example.com`,
    ...nameAndRole(n, size),
    passwordHash,
    id: (createdMs - idEpochMs) * 2 ** idBits + (n % 2 ** idBits),
    username,
    createdAt,
    updatedAt: createdAt,
    version: 1,
    sessionEpoch: 0,
  };
};

/** Returns the items that `users.create` puts for a user. It also increments a total, and another for a super_admin. */
export const itemsOf = (user: StoredUser): (Key & Record<string, unknown>)[] => [
  { ...user, ...userKeys.record.at({ id: user.id }) },
  { userId: user.id, ...accountKeys.email.at({ email: user.email }) },
  { userId: user.id, ...accountKeys.username.at({ username: user.username }) },
  ...Object.values(indexWrites(undefined, user)).map(
    ({ Put }) => Put?.Item as Key & Record<string, unknown>,
  ),
];
