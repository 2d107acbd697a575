import { indexWrites } from '../../../functions/api/users/record/user-index.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { type Key, keys } from '../../../shared/db/table.ts';

/** A word of the names of `matchCount` users, whatever the size; other words begin with the same letter. */
export const rareWord = 'quillfeather';
export const matchCount = 25;
/** As many are guests, whatever the size; everybody else has the role `user`. */
export const guestCount = 25;

export const smallestSize = 100;
export const largestSize = 999_999;

/** As long as a hash, and the hash of no password. */
export const passwordHash = '$2b$12$'.padEnd(60, '.');

const firstNames = ['Ada', 'Boris', 'Chloe', 'Dmitri', 'Elif', 'Farah', 'Quentin', 'Greta', 'Hugo'];
const lastNames = ['Ito', 'Jansen', 'Quinn', 'Kovacs', 'Lindqvist', 'Quade', 'Moreau', 'Quixley'];

const pick = (names: readonly string[], at: number): string => names[at % names.length] ?? '';

/** Where `newId` counts from: it has the milliseconds since then, and 12 bits that tell apart who came at once. */
const idEpochMs = Date.UTC(2025, 0, 1);
const idBits = 12;
const firstCreatedMs = Date.UTC(2026, 0, 1);

/** Those that matter lie evenly in the list, each kind at places of its own. */
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

/** The user number `n`, from 1, of a list of `size`; the same at each call, and later ones are newer. */
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

/** The items that `users.create` puts for a user; it also moves a total, and one more for a super_admin. */
export const itemsOf = (user: StoredUser): (Key & Record<string, unknown>)[] => [
  { ...user, ...keys.user(user.id) },
  { userId: user.id, ...keys.email(user.email) },
  { userId: user.id, ...keys.username(user.username) },
  ...Object.values(indexWrites(undefined, user)).map(
    ({ Put }) => Put?.Item as Key & Record<string, unknown>,
  ),
];
