import { roleKeys } from '../../../../shared/auth/custom-roles.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { isActive, type StoredUser } from '../../../../shared/auth/user.ts';
import {
  type Count,
  type CountChange,
  type Counted,
  count,
  defineCounter,
  type Guard,
} from '../../../../shared/counters/counter.ts';
import { getMonth, listLastMonths } from '../../../../shared/counters/months.ts';
import { inTotal, totals } from '../../../../shared/counters/total.ts';
import { isBuiltIn } from '../../../../shared/permissions/roles.ts';
import { accountKeys } from './keys.ts';

/** A month's total of new users: twelve of them take 200 bytes a year in each shard. */
const ofMonth = (month: string) => `newUsersOf${month.replace('-', '')}` as const;

const superAdmins = defineCounter({
  family: accountKeys.superAdmins,
  describe: () => 'active super_admins',
});

/** The users of a custom role, in any status. Its item exists as long as the role (`../roles.ts`). */
const roleUsers = defineCounter({
  family: roleKeys.users,
  describe: ({ role }) => `users with the role ${role}`,
});

/** Lists what a user adds to counters. */
export const getCounts = (user: StoredUser | undefined): Count[] => {
  if (!user) return [];
  const takesPart = isActive(user);
  return [
    ...(takesPart && user.role === 'super_admin' ? [count(superAdmins, {}, { active: 1 })] : []),
    ...(isBuiltIn(user.role) ? [] : [count(roleUsers, { role: user.role }, { users: 1 })]),
    inTotal('users'),
    inTotal(ofMonth(getMonth(user.createdAt))),
    ...(takesPart ? [inTotal('activeUsers')] : []),
  ];
};

/** Returns the conditions that the last active super_admin stays, and that a custom role which a user gets still exists. */
export const guardRoles =
  (lastOne: () => Error, deletedRole: () => Error) =>
  ({ counter, add }: CountChange): Guard | undefined => {
    if (counter === superAdmins && (add['active'] ?? 0) < 0) {
      return { condition: '#active > :one', values: { ':one': 1 }, refused: lastOne };
    }
    // A recount may have made the item of a deleted role, without this.
    return counter === roleUsers && (add['users'] ?? 0) > 0
      ? { condition: 'attribute_exists(createdAt)', refused: deletedRole }
      : undefined;
  };

export const counted: readonly Counted[] = [
  { record: userKeys.record, counters: [totals, superAdmins, roleUsers], of: getCounts },
];

/** The totals of the accounts created in each of the last months, up to 12, oldest first. */
export const listNewUserTotals = (months: number) =>
  listLastMonths(Math.min(months, 12)).map(ofMonth);
