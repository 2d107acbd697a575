import * as z from 'zod';
import { batchGet } from '../db/dynamodb.ts';
import { getSetting } from '../runtime/settings.ts';
import { spendingKeys } from './keys.ts';
import { getMonth } from './month.ts';
import { idleMonthNanos, nanosPerDollar } from './price-list.ts';

/** What is stored of a month. */
const StoredMonth = z.object({
  /** Billionths of a dollar. */
  nanos: z.number().default(0),
  /** The highest percentage that administrators were told of. */
  told: z.number().optional(),
  /** When the limit was reached first. */
  reachedAt: z.string().optional(),
  /** Dollars by which an administrator raised the limit of this month. */
  raisedBy: z.number().default(0),
  /** Whether an administrator lifted the limit until the end of this month. */
  isLifted: z.boolean().default(false),
});

export type StoredMonth = z.output<typeof StoredMonth>;

/** Parses a month; one without requests has no item. */
export const parseMonth = (item: unknown): StoredMonth => StoredMonth.parse(item ?? {});

/** What this month has cost of its limit, in dollars. */
export interface Spending {
  readonly month: string;
  /** With what an administrator added to it this month. */
  readonly limit: number;
  /** By measured list prices, a month without requests included. */
  readonly spent: number;
  /** Rounded down: 100 once the limit is reached. */
  readonly percent: number;
  readonly reachedAt: string | null;
  /** Whether an administrator lifted the limit until the end of the month. */
  readonly isLifted: boolean;
  /** Whether public pages and endpoints are slowed down, within a minute. */
  readonly isSlowed: boolean;
}

const toCents = (dollars: number): number => Math.floor(dollars * 100) / 100;

/** Returns what a month has cost of the limit, or `undefined` without one. */
export const toSpending = (month: string, stored: StoredMonth): Spending | undefined => {
  const configured = getSetting('SPENDING_LIMIT');
  if (configured === undefined) return undefined;
  const limit = configured + stored.raisedBy;
  const spent = (stored.nanos + idleMonthNanos) / nanosPerDollar;
  return {
    month,
    limit,
    spent: toCents(spent),
    percent: Math.floor((100 * spent) / limit),
    reachedAt: stored.reachedAt ?? null,
    isLifted: stored.isLifted,
    isSlowed: spent >= limit && !stored.isLifted,
  };
};

/** Reads what this month has cost of the limit, or `undefined` without one. */
export const readSpending = async (): Promise<Spending | undefined> => {
  const month = getMonth();
  const [item] = await batchGet([spendingKeys.month.at({ month })]);
  return toSpending(month, parseMonth(item));
};
