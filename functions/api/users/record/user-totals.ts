import { randomInt } from 'node:crypto';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { getMonth, listLastMonths } from '../../../../shared/counters/months.ts';
import { incrementTotal } from '../../../../shared/counters/total.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { accountKeys } from './keys.ts';

/** Spreads the writes of many registrations in a month, because concurrent transactions on one item conflict. */
const shards = 8;

/** The number of accounts created in a month (UTC), such as `2026-11`, that still exist. */
export interface MonthOfUsers {
  readonly month: string;
  readonly users: number;
}

const isActive = (user: StoredUser | undefined): boolean => user?.status === 'active';

const incrementMonth = (createdAt: string, delta: 1 | -1): Write => ({
  Update: {
    TableName: tableName(),
    Key: accountKeys.joined.at({ month: getMonth(createdAt), shard: randomInt(shards) }),
    UpdateExpression: 'ADD #count :delta',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':delta': delta },
  },
});

/** Creates the writes that update the totals for a user's change from `before` to `after`. */
export const totalWrites = (
  before: StoredUser | undefined,
  after: StoredUser | undefined,
): readonly (Write | undefined)[] => {
  const existing = Number(after !== undefined) - Number(before !== undefined);
  const active = Number(isActive(after)) - Number(isActive(before));
  const delta = existing > 0 ? 1 : -1;
  return [
    existing === 0 ? undefined : incrementTotal('users', delta),
    existing === 0 ? undefined : incrementMonth((before ?? (after as StoredUser)).createdAt, delta),
    active === 0 ? undefined : incrementTotal('active-users', active > 0 ? 1 : -1),
  ];
};

/** Counts the accounts created in each of the last months, up to 12, oldest first, in one round trip. */
export const countNewUsersByMonth = async (months: number): Promise<MonthOfUsers[]> => {
  const wanted = listLastMonths(Math.min(months, 12));
  const items = await batchGet(
    wanted.flatMap((month) =>
      Array.from({ length: shards }, (_, shard) => accountKeys.joined.at({ month, shard })),
    ),
  );
  return wanted.map((month, at) => ({
    month,
    users: items
      .slice(at * shards, (at + 1) * shards)
      .reduce((sum, item) => sum + ((item?.['count'] as number | undefined) ?? 0), 0),
  }));
};
