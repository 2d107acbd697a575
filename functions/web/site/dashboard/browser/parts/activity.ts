import type { Data } from '../../../../browser/client/endpoints.ts';
import { dashboardTexts as texts } from '../../texts.ts';
import type { ChartData, Column } from './chart.tsx';
import {
  compactMoneyText,
  compactText,
  dayText,
  moneyText,
  monthText,
  numberText,
  shortDayText,
} from './formats.ts';

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Returns the chart of visits, the oldest day first; `undefined` if there were none. */
export const toVisitsChart = (days: Data<'GET /api/dashboard/visits'>): ChartData | undefined => {
  const visits = days.map((day) => day.visits);
  const pageViews = days.map((day) => day.pageViews);
  if (sum(visits) + sum(pageViews) === 0) return undefined;
  const line = (column: Omit<Column, 'toText' | 'kind'>): Column => ({
    ...column,
    kind: 'line',
    toText: numberText,
  });
  return {
    title: texts.visits,
    rowHeading: texts.date,
    rows: days.map(({ date }) => dayText(date)),
    labels: days.map(({ date }) => shortDayText(date)),
    columns: [
      line({ label: texts.visits, values: visits, color: '--accent' }),
      line({
        label: texts.visitors,
        values: days.map((day) => day.uniqueVisitors),
        color: '--ink-3',
        dash: [3, 4],
      }),
      line({ label: texts.pageViews, values: pageViews, color: '--sea', dash: [7, 4] }),
    ],
    format: compactText,
    isWhole: true,
    summary: texts.visitsSum(sum(visits), sum(pageViews), days.length),
  };
};

/** Returns the chart of sales, the oldest month first; `undefined` if there were none. */
export const toSalesChart = (months: Data<'GET /api/dashboard/sales'>): ChartData | undefined => {
  const sales = months.map((month) => month.sales);
  const profit = months.map((month) => month.profit);
  const orders = months.map((month) => month.orders);
  if (sum(orders) === 0) return undefined;
  const names = months.map(({ month }) => monthText(month));
  return {
    title: texts.sales,
    rowHeading: texts.month,
    rows: names,
    labels: names,
    columns: [
      { label: texts.sales, values: sales, toText: moneyText, color: '--accent', kind: 'bars' },
      { label: texts.profit, values: profit, toText: moneyText, color: '--sea', kind: 'line' },
      { label: texts.orders, values: orders, toText: numberText },
    ],
    format: compactMoneyText,
    isWhole: false,
    summary: texts.salesSum(
      moneyText(sum(sales)),
      moneyText(sum(profit)),
      sum(orders),
      months.length,
    ),
  };
};
