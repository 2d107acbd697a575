import { userKeys } from '../../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import {
  type Count,
  type CountChange,
  type Counted,
  count,
  defineCounter,
  type Guard,
  readCounters,
} from '../../../../shared/counters/counter.ts';
import { getMonth, listLastMonths } from '../../../../shared/counters/months.ts';
import { inTotal, totals } from '../../../../shared/counters/total.ts';
import { accountKeys } from './keys.ts';

/** The number of accounts created in a month (UTC), such as `2026-11`, that still exist. */
export interface MonthOfUsers {
  readonly month: string;
  readonly users: number;
}

const joined = defineCounter({
  family: accountKeys.joined,
  // Spreads the writes of many registrations in a month, because concurrent transactions on one item conflict.
  shards: 8,
  describe: ({ month }) => `users of ${month}`,
});

const superAdmins = defineCounter({
  family: accountKeys.superAdmins,
  describe: () => 'active super_admins',
});

/** Lists what a user adds to counters. */
export const getCounts = (user: StoredUser | undefined): Count[] => {
  if (!user) return [];
  const isActive = user.status === 'active';
  return [
    ...(isActive && user.role === 'super_admin' ? [count(superAdmins, {}, { active: 1 })] : []),
    inTotal('users'),
    count(joined, { month: getMonth(user.createdAt) }, { count: 1 }),
    ...(isActive ? [inTotal('active-users')] : []),
  ];
};

/** Returns the condition that the last active super_admin stays. */
export const guardLastSuperAdmin =
  (refused: () => Error) =>
  ({ counter, add }: CountChange): Guard | undefined =>
    counter === superAdmins && (add['active'] ?? 0) < 0
      ? { condition: '#active > :one', values: { ':one': 1 }, refused }
      : undefined;

export const counted: readonly Counted[] = [
  { record: userKeys.record, counters: [totals, joined, superAdmins], of: getCounts },
];

/** Counts the accounts created in each of the last months, up to 12, oldest first, in one round trip. */
export const countNewUsersByMonth = async (months: number): Promise<MonthOfUsers[]> => {
  const wanted = listLastMonths(Math.min(months, 12)).map((month) => ({ month }));
  const counts = await readCounters(joined, wanted);
  return wanted.map(({ month }, at) => ({ month, users: counts[at]?.['count'] ?? 0 }));
};
