import { type DayOfActivity, listDailyVisits, maxDays } from '../../../shared/activity/days.ts';
import { readTotals } from '../../../shared/counters/total.ts';
import { getMonthlySalesAndTotal, type MonthlySales } from '../sales/statistics.ts';
import { listNewUserTotals } from '../users/record/counters.ts';

const none: Omit<MonthlySales, 'month'> = { sales: 0, profit: 0, orders: 0 };

const round = (value: number, decimals: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals;

/** Returns the growth in percent; `null` without an earlier value. */
const computeGrowth = (now: number, before: number): number | null =>
  before > 0 ? round(((now - before) / before) * 100, 1) : null;

/** Returns orders per visit in percent, at most 100, because a sale can be recorded without a visit. */
const computeRate = (orders: number, visits: number): number =>
  visits > 0 ? round((Math.min(orders, visits) / visits) * 100, 2) : 0;

/** Returns the visits of a month (UTC), such as `2026-11`. */
const sumVisits = (month: string, days: readonly DayOfActivity[]): number =>
  days.reduce((sum, { date, visits }) => sum + (date.startsWith(month) ? visits : 0), 0);

/** The totals that are figures themselves. */
const kinds = [
  'users',
  'activeUsers',
  'pendingTasks',
  'documents',
  'files',
  'shares',
  'messages',
] as const;

/** This month and the two before it. */
const comparedMonths = 3;

/**
 * Reads the figures of the whole service from totals that are updated with the records they count, so that the cost stays
 * constant (decisions.md#dashboard).
 */
export const readStats = async () => {
  const joined = listNewUserTotals(comparedMonths);
  const [totals, { months, total: sales }, days] = await Promise.all([
    readTotals([...kinds, ...joined], { isEventual: true }),
    getMonthlySalesAndTotal(comparedMonths),
    listDailyVisits(maxDays),
  ]);
  const [usersBefore = 0, usersLast = 0] = joined.map((counted) => totals[counted]);
  const [before = { month: '', ...none }, last = before, current = last] = months;
  const getRate = ({ month, orders }: MonthlySales) => computeRate(orders, sumVisits(month, days));
  return {
    totalUsers: totals.users,
    activeUsers: totals.activeUsers,
    totalRevenue: sales.sales,
    totalOrders: sales.orders,
    conversionRate: getRate(current),
    recentOrders: current.orders,
    pendingTasks: totals.pendingTasks,
    userGrowth: computeGrowth(usersLast, usersBefore),
    revenueGrowth: computeGrowth(last.sales, before.sales),
    orderGrowth: computeGrowth(last.orders, before.orders),
    rateGrowth:
      sumVisits(before.month, days) > 0 ? round(getRate(last) - getRate(before), 2) : null,
    documents: totals.documents,
    files: totals.files,
    shares: totals.shares,
    messages: totals.messages,
  };
};
