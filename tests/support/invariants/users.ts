import { accountKeys } from '../../../functions/api/users/record/keys.ts';
import { indexWrites } from '../../../functions/api/users/record/user-index.ts';
import { isActive, type StoredUser } from '../../../shared/auth/user.ts';
import { compare, differs, type Stored } from './stored.ts';

const usersIn = (stored: Stored): StoredUser[] => stored.records(/^USER#/, /^USER$/);

/** Checks that no data belongs to or names a missing user, unless a job is pending. */
const ofNobody = (stored: Stored): string[] => {
  const users = new Set(usersIn(stored).map(({ id }) => id));
  return stored
    .of(/^USER#\d+$/)
    .filter(({ pk }) => {
      const id = Number(pk.split('#')[1]);
      return !users.has(id) && !stored.unsettled.has(id);
    })
    .map(({ pk, sk }) => `users: ${pk} ${sk} is left of a user who is not there`);
};

/** Checks the monthly counts of existing accounts by creation date. */
const ofMonths = (stored: Stored, users: readonly StoredUser[]): string[] => {
  const monthOf = ({ createdAt }: StoredUser) =>
    `newUsersOf${createdAt.slice(0, 7).replace('-', '')}`;
  const counted = stored.of(/^TOTAL#/).flatMap((item) => Object.keys(item));
  const months = new Set([
    ...counted.filter((name) => name.startsWith('newUsersOf')),
    ...users.map(monthOf),
  ]);
  return [...months].flatMap((month) =>
    differs(month, stored.total(month), users.filter((user) => monthOf(user) === month).length),
  );
};

/** Checks that each account exists with its markers and index entries, and that totals match. */
export const ofUsers = (stored: Stored): string[] => {
  const users = usersIn(stored);
  const places = users.flatMap((user) =>
    Object.values(indexWrites(undefined, user)).map(({ Put }) => Put?.Item ?? {}),
  );
  const markers = users.flatMap(({ id, email, username }) => [
    { ...accountKeys.email.at({ email }), userId: id },
    { ...accountKeys.username.at({ username }), userId: id },
  ]);
  const superAdmins = users.filter((user) => user.role === 'super_admin' && isActive(user));
  return [
    ...compare('users', places, stored.of(/^USERS(#|$)/)),
    ...compare(
      'users',
      markers,
      stored.of(/^(EMAIL|USERNAME)#/).filter(({ heldFor }) => heldFor === undefined),
    ),
    ...differs('users', stored.total('users'), users.length),
    ...differs('active users', stored.total('activeUsers'), users.filter(isActive).length),
    ...ofMonths(stored, users),
    ...differs(
      'active super_admins',
      Number(stored.get(accountKeys.superAdmins.at())?.['active'] ?? 0),
      superAdmins.length,
    ),
    ...ofNobody(stored),
  ];
};

interface StoredCheckin {
  readonly pk: string;
  readonly total: number;
  readonly streak: number;
  readonly lastDay: string;
  readonly history: readonly { readonly day: string; readonly points: number }[];
}

/** Checks that each day is awarded once, and that the total includes all awards. */
export const ofCheckins = (stored: Stored): string[] =>
  stored
    .records<StoredCheckin>(/^USER#/, /^CHECKIN$/)
    .filter(({ total, streak, lastDay, history }) => {
      const awarded = history.reduce((sum, { points }) => sum + points, 0);
      const days = new Set(history.map(({ day }) => day));
      return (
        history[0]?.day !== lastDay || days.size < history.length || total < awarded || streak < 1
      );
    })
    .map((item) => `check-ins: ${JSON.stringify(item)} does not add up`);

/** Checks that each audit entry is stored twice: by time and by subject. */
export const ofAudit = (stored: Stored): string[] => {
  const entries = stored.of(/^AUDIT#(\d+|SUBJECT#.*)$/);
  return [...Map.groupBy(entries, ({ sk }) => sk)]
    .filter(([, twins]) => twins.length !== 2)
    .map(([sk]) => `audit: ${sk} is in one of two places`);
};
