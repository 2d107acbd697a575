import { type DayOfActivity, maxDays, visitsByDay } from '../../../shared/activity/days.ts';
import { readTotal } from '../../../shared/counters/total.ts';
import { type MonthOfSales, salesByMonth, salesInAll } from '../sales/statistics.ts';
import { newUsersByMonth } from '../users/record/user-totals.ts';

const none: Omit<MonthOfSales, 'month'> = { sales: 0, profit: 0, orders: 0 };

const rounded = (value: number, decimals: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals;

/** By how many percent the one is more than the other; `null` where that is nothing to compare with. */
const growthOf = (now: number, before: number): number | null =>
  before > 0 ? rounded(((now - before) / before) * 100, 1) : null;

/** How many percent of the visits bought: a sale may have come without a visit, but no visit counts for two. */
const rateOf = (orders: number, visits: number): number =>
  visits > 0 ? rounded((Math.min(orders, visits) / visits) * 100, 2) : 0;

/** The visits of a month (UTC) such as `2026-11`. */
const visitsIn = (month: string, days: readonly DayOfActivity[]): number =>
  days.reduce((sum, { date, visits }) => sum + (date.startsWith(month) ? visits : 0), 0);

/** This month and the two before it. */
const comparedMonths = 3;

/**
 * The numbers of the whole service (decisions.md#dashboard): from totals and sums that are moved with what they count, so that it
 * costs the same whatever their number. Where there is nothing, it is 0; there is no growth from nothing.
 */
export const readStats = async () => {
  const [totals, inAll, months, days, arrivals] = await Promise.all([
    Promise.all(
      (
        [
          'users',
          'active-users',
          'pending-tasks',
          'documents',
          'files',
          'shares',
          'messages',
        ] as const
      ).map(readTotal),
    ),
    salesInAll(),
    salesByMonth(comparedMonths),
    visitsByDay(maxDays),
    newUsersByMonth(comparedMonths),
  ]);
  const [totalUsers = 0, activeUsers = 0, pendingTasks = 0, documents = 0, files = 0] = totals;
  const [shares = 0, messages = 0] = totals.slice(5);
  const [before = { month: '', ...none }, last = before, current = last] = months;
  const rateIn = ({ month, orders }: MonthOfSales) => rateOf(orders, visitsIn(month, days));
  return {
    totalUsers,
    activeUsers,
    totalRevenue: inAll.sales,
    totalOrders: inAll.orders,
    conversionRate: rateIn(current),
    recentOrders: current.orders,
    pendingTasks,
    userGrowth: growthOf(arrivals[1]?.users ?? 0, arrivals[0]?.users ?? 0),
    revenueGrowth: growthOf(last.sales, before.sales),
    orderGrowth: growthOf(last.orders, before.orders),
    rateGrowth: visitsIn(before.month, days) > 0 ? rounded(rateIn(last) - rateIn(before), 2) : null,
    documents,
    files,
    shares,
    messages,
  };
};
