import { setText } from '../../../../browser/page.js';
import { dashboardTexts as texts } from '../../texts.ts';
import { showChart } from './chart.js';
import { compactMoneyText, compactText, moneyText, numberText } from './formats.js';

/** @param {Intl.DateTimeFormatOptions} options */
const dates = (options) => {
  const format = new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  return (/** @type {string} */ iso) => format.format(new Date(iso));
};
const day = dates({ dateStyle: 'medium' });
const shortDay = dates({ month: 'short', day: 'numeric' });
const month = dates({ month: 'short', year: 'numeric' });

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {any[]} days the oldest first */
export const showVisits = async (days) => {
  const valuesOf = (/** @type {string} */ name) => days.map((one) => one[name]);
  const [visits, pageViews] = [valuesOf('visits'), valuesOf('pageViews')];
  if (sum(visits) + sum(pageViews) === 0) return texts.noVisits;
  setText('visits-sum', texts.visitsSum(sum(visits), sum(pageViews), days.length));
  await showChart('visits', {
    title: texts.visits,
    rowsAre: texts.date,
    rows: days.map(({ date }) => day(date)),
    labels: days.map(({ date }) => shortDay(date)),
    columns: [
      { label: texts.pageViews, values: pageViews, color: '--chart-3', dash: [2, 3] },
      { label: texts.visits, values: visits, color: '--chart-1' },
      {
        label: texts.visitors,
        values: valuesOf('uniqueVisitors'),
        color: '--chart-2',
        dash: [7, 4],
      },
    ].map((column) => ({ ...column, kind: /** @type {const} */ ('line'), text: numberText })),
    format: compactText,
    isWhole: true,
  });
  return undefined;
};

/** @param {any[]} months the oldest first */
export const showSales = async (months) => {
  const valuesOf = (/** @type {string} */ name) => months.map((one) => one[name]);
  const [sales, profit, orders] = [valuesOf('sales'), valuesOf('profit'), valuesOf('orders')];
  if (sum(orders) === 0) return texts.noSales;
  setText(
    'sales-sum',
    texts.salesSum(moneyText(sum(sales)), moneyText(sum(profit)), sum(orders), months.length),
  );
  await showChart('sales', {
    title: texts.sales,
    rowsAre: texts.month,
    rows: months.map((one) => month(one.month)),
    labels: months.map((one) => month(one.month)),
    columns: [
      { label: texts.sales, values: sales, text: moneyText, color: '--chart-1', kind: 'bars' },
      { label: texts.profit, values: profit, text: moneyText, color: '--chart-2', kind: 'line' },
      { label: texts.orders, values: orders, text: numberText },
    ],
    format: compactMoneyText,
    isWhole: false,
  });
  return undefined;
};
